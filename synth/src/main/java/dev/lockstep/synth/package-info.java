// SPDX-License-Identifier: Apache-2.0
/**
 * Synthetic traces: seeded, realistic recordings of a sharded transformer training job, of any size and any number
 * of ranks, with the truth about them written beside.
 *
 * <p>Start at {@link dev.lockstep.synth.TraceRecipe} (what to make) and {@link dev.lockstep.synth.SyntheticRun} (make
 * it); {@link dev.lockstep.synth.SyntheticSweep} makes one run per communication setting. Inside, {@code StepProgram}
 * says what a rank does in a step, {@code SyntheticJob} plays it on all ranks at once, and {@code KinetoJsonEmitter}
 * writes what was recorded as the profiler would.
 *
 * <p>The same recipe gives the same bytes, whatever the number of threads. Depends on the JDK only.
 */
@NullMarked
package dev.lockstep.synth;

import org.jspecify.annotations.NullMarked;
