// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels that do the same thing, put together: {@link dev.lockstep.kernels.UniqueKernels} finds them in a trace, {@link
 * dev.lockstep.kernels.ExecutedKernels} in an execution trace, where they are operators unless it was linked; {@link
 * dev.lockstep.kernels.KernelList} reads lists of them that were written before, {@link
 * dev.lockstep.kernels.KernelSheets} lays them out. {@link dev.lockstep.kernels.GanttLanes} is when kernels ran, drawn
 * from any number of them. {@link dev.lockstep.kernels.ForwardPasses} tells from counts how often the model ran.
 */
@NullMarked
package dev.lockstep.kernels;

import org.jspecify.annotations.NullMarked;
