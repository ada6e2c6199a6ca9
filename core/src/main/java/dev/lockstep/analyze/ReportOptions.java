// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import org.jspecify.annotations.Nullable;

/**
 * What a report of one rank shall hold.
 *
 * @param kernelSummary whether kernels are listed
 * @param shortKernels whether short kernels are studied
 * @param shortKernelNs kernels of less than this are short
 * @param shortKernelBins bars of their histogram
 * @param unlinkedKernels whether device activity without a known launch counts in times, where rules would leave it out
 * @param detectRecompute whether recomputation is told apart
 * @param microIdleNs splits idle time at this length; -1 not to
 * @param firstOccurrence shows when operators ran first
 * @param groupByKernelCount tells operators apart by the number of their kernels
 * @param stepAnnotation what marks steps, null for the profiler's own marks
 */
public record ReportOptions(
        boolean kernelSummary,
        boolean shortKernels,
        long shortKernelNs,
        int shortKernelBins,
        boolean unlinkedKernels,
        boolean detectRecompute,
        long microIdleNs,
        boolean firstOccurrence,
        boolean groupByKernelCount,
        @Nullable String stepAnnotation) {
    /** Short means less than this, in ns, when nothing else is said. */
    public static final long DEFAULT_SHORT_NS = 10_000;

    /** Bars of the histogram of short kernels when nothing else is said. */
    public static final int DEFAULT_BINS = 100;

    /** Everything that costs nothing to have. */
    public static ReportOptions standard() {
        return new ReportOptions(true, true, DEFAULT_SHORT_NS, DEFAULT_BINS, true, false, -1, false, false, null);
    }
}
