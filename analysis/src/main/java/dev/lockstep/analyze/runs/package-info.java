// SPDX-License-Identifier: Apache-2.0
/**
 * Finished reports side by side: what got slower than the baseline, and what the difference is made of. Works on sheets that
 * were read back, never on traces. Start at {@link dev.lockstep.analyze.runs.RunComparison}.
 */
@NullMarked
package dev.lockstep.analyze.runs;

import org.jspecify.annotations.NullMarked;
