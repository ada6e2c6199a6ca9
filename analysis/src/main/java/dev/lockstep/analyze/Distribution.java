// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * A series of whole numbers in summary.
 *
 * @param count number of values
 * @param sum exact
 * @param mean NaN when there are none
 * @param median of the two in the middle the mean
 * @param std sample standard deviation (n - 1), NaN for fewer than two
 * @param populationStd standard deviation over n
 * @param min least
 * @param max largest
 */
public record Distribution(
        int count, long sum, double mean, double median, double std, double populationStd, long min, long max) {
    /** The summary of these values. */
    public static Distribution of(LongList values) {
        long[] sorted = values.toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        if (n == 0) {
            return new Distribution(0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, 0);
        }
        long sum = 0;
        for (long value : sorted) {
            sum += value;
        }
        double mean = (double) sum / n;
        double median = Quantiles.median(sorted, n);
        return new Distribution(
                n,
                sum,
                mean,
                median,
                Quantiles.deviation(sorted, mean),
                Math.sqrt(Quantiles.squares(sorted, mean) / n),
                sorted[0],
                sorted[n - 1]);
    }
}
