// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import java.util.Arrays;

/**
 * What repeated executions took, in ns. Quantiles are samples themselves: the smallest with at least that share of the
 * samples at or below it.
 *
 * @param runs number of samples
 * @param mad median of the distances from the median
 */
public record Timing(int runs, long median, long min, long p10, long p90, long mad) {
    /** Above this ratio of p90 to median, something else ran at the same time. */
    private static final double NOISY = 1.5;

    private static final int PERCENT = 100;

    /** The figures of samples, of which there must be one at least. */
    public static Timing of(long[] samples) {
        long[] sorted = samples.clone();
        Arrays.sort(sorted);
        long median = quantile(sorted, 50);
        long[] distances = new long[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            distances[i] = Math.abs(sorted[i] - median);
        }
        Arrays.sort(distances);
        return new Timing(
                sorted.length, median, sorted[0], quantile(sorted, 10), quantile(sorted, 90), quantile(distances, 50));
    }

    private static long quantile(long[] sorted, int percent) {
        return sorted[Math.max(0, (sorted.length * percent + PERCENT - 1) / PERCENT - 1)];
    }

    /** Whether the samples scatter more than an undisturbed machine lets them. */
    public boolean isNoisy() {
        return p90 > NOISY * median;
    }
}
