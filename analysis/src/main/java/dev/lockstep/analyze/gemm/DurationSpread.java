// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * How durations lie, in ns. Percentiles are interpolated between neighbours, as NumPy does by default.
 *
 * @param count number of durations, at least one
 * @param mean arithmetic mean
 * @param sigma sample standard deviation (n - 1), NaN for one duration
 * @param p50 median
 * @param p95 95th percentile
 * @param p99 99th percentile
 * @param mad median distance from the median, unscaled
 * @param min shortest
 * @param max longest
 * @param sum exact
 * @param lost time above the median, summed over all durations. No duration counts with more than the 95th percentile, by
 *     nearest rank, and the longest never with more than the one before it: a single outlier does not make a row important
 */
public record DurationSpread(
        int count,
        double mean,
        double sigma,
        double p50,
        double p95,
        double p99,
        double mad,
        long min,
        long max,
        long sum,
        double lost) {
    private static final double TAIL = 0.95;

    /** The spread of these durations, which are sorted on the way. */
    static DurationSpread of(long[] durations) {
        Arrays.sort(durations);
        int n = durations.length;
        long sum = 0;
        for (long duration : durations) {
            sum += duration;
        }
        double mean = (double) sum / n;
        double median = Quantiles.interpolated(durations, 0.5);
        return new DurationSpread(
                n,
                mean,
                Quantiles.deviation(durations, mean),
                median,
                Quantiles.interpolated(durations, TAIL),
                Quantiles.interpolated(durations, 0.99),
                mad(durations, median),
                durations[0],
                durations[n - 1],
                sum,
                lost(durations, median));
    }

    /** Longest less shortest. */
    public long range() {
        return max - min;
    }

    /** Standard deviation over mean, in percent; NaN for one duration. */
    public double variation() {
        return mean > 0 ? sigma / mean * 100 : Double.NaN;
    }

    private static double mad(long[] sorted, double median) {
        double[] distances = new double[sorted.length];
        for (int i = 0; i < distances.length; i++) {
            distances[i] = Math.abs(sorted[i] - median);
        }
        return Quantiles.medianOf(distances, Double.NaN);
    }

    private static double lost(long[] sorted, double median) {
        int n = sorted.length;
        int rank = Math.min(n - 1, (int) Math.ceil(TAIL * n));
        long cap = sorted[Math.max(0, rank - 1)];
        double lost = 0;
        for (long duration : sorted) {
            lost += Math.max(0, Math.min(duration, cap) - median);
        }
        return lost;
    }
}
