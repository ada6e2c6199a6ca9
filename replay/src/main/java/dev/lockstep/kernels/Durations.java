// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

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
    /** The summary of a part of an array, which is sorted. */
    static Durations of(long[] values, int from, int to) {
        Arrays.sort(values, from, to);
        int n = to - from;
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        double mean = (double) sum / n;
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        double median =
                n % 2 == 1 ? values[from + n / 2] : (values[from + n / 2 - 1] + (double) values[from + n / 2]) / 2;
        return new Durations(
                n,
                sum,
                mean,
                values[from],
                values[from + rank(n, 0.1)],
                median,
                values[from + rank(n, 0.9)],
                values[to - 1],
                n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1)));
    }

    private static int rank(int n, double share) {
        return Math.max(0, (int) Math.ceil(n * share - 1e-9) - 1);
    }
}
