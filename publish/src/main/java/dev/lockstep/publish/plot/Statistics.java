// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/** What a box or a violin shows of values. */
final class Statistics {
    private static final double WHISKER = 1.5;

    private final double[] sorted;

    /** Values that are not finite do not count. */
    Statistics(double[] values) {
        sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    }

    int count() {
        return sorted.length;
    }

    double get(int i) {
        return sorted[i];
    }

    double min() {
        return sorted[0];
    }

    double max() {
        return sorted[sorted.length - 1];
    }

    double mean() {
        double sum = 0;
        for (double value : sorted) {
            sum += value / sorted.length;
        }
        return Math.clamp(sum, min(), max());
    }

    /** Between the two nearest values, by their distance. */
    double quantile(double share) {
        return Quantiles.interpolated(sorted, share);
    }

    /** The smallest value within 1.5 times the distance of the quartiles below the lower one. */
    double lowerWhisker() {
        double fence = quantile(0.25) - WHISKER * (quantile(0.75) - quantile(0.25));
        return Math.min(
                Arrays.stream(sorted).filter(v -> v >= fence).findFirst().orElse(min()), quantile(0.25));
    }

    /** The largest value within 1.5 times the distance of the quartiles above the upper one. */
    double upperWhisker() {
        double fence = quantile(0.75) + WHISKER * (quantile(0.75) - quantile(0.25));
        int i = sorted.length - 1;
        while (i > 0 && sorted[i] > fence) {
            i--;
        }
        return Math.max(sorted[i], quantile(0.75));
    }
}
