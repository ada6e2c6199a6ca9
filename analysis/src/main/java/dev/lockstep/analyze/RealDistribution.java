// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.table.DoubleList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * A series of doubles in summary; what is NaN is left out.
 *
 * @param count number of values
 * @param sum 0 when there are none
 * @param mean NaN when there are none, as the following
 * @param median of the two in the middle the mean
 * @param std sample standard deviation (n - 1), NaN for fewer than two
 * @param min least
 * @param max largest
 */
public record RealDistribution(int count, double sum, double mean, double median, double std, double min, double max) {
    /** No values. */
    public static final RealDistribution NONE =
            new RealDistribution(0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** The summary of these values. */
    public static RealDistribution of(DoubleList values) {
        return of(values.toArray());
    }

    /** As {@link #of(DoubleList)}. */
    public static RealDistribution of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        while (n > 0 && Double.isNaN(sorted[n - 1])) {
            n--;
        }
        if (n == 0) {
            return NONE;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += sorted[i];
        }
        double mean = sum / n;
        return new RealDistribution(
                n,
                sum,
                mean,
                Quantiles.median(sorted, n),
                Quantiles.deviation(sorted, n, mean),
                sorted[0],
                sorted[n - 1]);
    }
}
