// SPDX-License-Identifier: Apache-2.0
/**
 * Whole runs and sweeps as AORTA's scripts work on them: which reports they make, what they say about a sweep, how they merge.
 * Start at {@link dev.lockstep.compat.aorta.run.AortaSweep}.
 */
@NullMarked
package dev.lockstep.compat.aorta.run;

import org.jspecify.annotations.NullMarked;
