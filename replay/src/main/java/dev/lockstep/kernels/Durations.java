// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * Durations in summary, in ns.
 *
 * @param sum exact
 * @param p10 a tenth is at most as long; by the nearest rank
 * @param median of the two in the middle the mean
 * @param p90 nine tenths are at most as long; by the nearest rank
 * @param std sample standard deviation, NaN for fewer than two
 */
public record Durations(
        int count, long sum, double mean, long least, long p10, double median, long p90, long most, double std) {
    /** The summary of a part of an array. */
    static Durations of(long[] values, int from, int to) {
        long[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        int n = sorted.length;
        long sum = Arrays.stream(sorted).sum();
        double mean = (double) sum / n;
        return new Durations(
                n,
                sum,
                mean,
                sorted[0],
                Quantiles.nearestRank(sorted, 10),
                Quantiles.median(sorted, n),
                Quantiles.nearestRank(sorted, 90),
                sorted[n - 1],
                Quantiles.deviation(sorted, mean));
    }
}
