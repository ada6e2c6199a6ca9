// SPDX-License-Identifier: Apache-2.0
/**
 * Finished reports side by side: what got slower than the baseline, and what the difference is made of. Works on sheets that
 * were read back, never on traces. Start at {@link dev.lockstep.compare.reports.RunComparison}.
 */
@NullMarked
package dev.lockstep.compare.reports;

import org.jspecify.annotations.NullMarked;
