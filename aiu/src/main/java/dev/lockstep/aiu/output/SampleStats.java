// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * What a sample is like.
 *
 * @param stdev sample standard deviation; 0 for one value
 */
record SampleStats(int count, double total, double mean, double median, double min, double max, double stdev) {

    /** @param values in their order, which the sum follows; at least one */
    static SampleStats of(double[] values) {
        int n = values.length;
        double total = 0;
        for (double value : values) {
            total += value;
        }
        double mean = exactSum(values, 0, false) / n;
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double median = Quantiles.median(sorted, n);
        double stdev = n < 2 ? 0 : Math.sqrt(exactSum(values, mean, true) / (n - 1));
        return new SampleStats(n, total, mean, median, sorted[0], sorted[n - 1], stdev);
    }

    /** The same with three decimals, as tables have it. */
    SampleStats rounded() {
        return new SampleStats(
                count,
                StatsFiles.decimals(total, 3),
                StatsFiles.decimals(Rounding.of(mean, 3), 3),
                StatsFiles.decimals(Rounding.of(median, 3), 3),
                StatsFiles.decimals(min, 3),
                StatsFiles.decimals(max, 3),
                StatsFiles.decimals(Rounding.of(stdev, 3), 3));
    }

    /** Sum of the distances from the centre or of their squares, with compensation (Neumaier 1974). */
    private static double exactSum(double[] values, double center, boolean squared) {
        double sum = 0;
        double lost = 0;
        for (double value : values) {
            double distance = value - center;
            double term = squared ? distance * distance : distance;
            double next = sum + term;
            lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
            sum = next;
        }
        return sum + lost;
    }
}
