// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

/**
 * Which activity is which unique kernel. The arrays run in parallel, in order of start, and pass to the record.
 *
 * @param slices rows of the trace
 * @param kernels numbers of unique kernels
 */
@SuppressWarnings("ArrayRecordComponent")
public record Launches(int[] slices, int[] kernels) {}
