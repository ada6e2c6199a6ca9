// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.Locale;

/** A number that stands for many. Values that are missing (NaN) do not count; of none, every statistic is NaN. */
public enum Statistic {
    /** Arithmetic mean. */
    MEAN,
    /** The value in the middle; of an even number of values, the mean of the two in the middle. */
    MEDIAN,
    /** Sample standard deviation (n - 1); NaN for fewer than two values. */
    STD,
    /** The smallest value. */
    MIN,
    /** The largest value. */
    MAX,
    /** All values added up. */
    SUM;

    /** {@return the word in headers and options} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the statistic of these values, which keep their order}
     *
     * @param values in any order; NaN for a missing one
     */
    public double of(double[] values) {
        double[] present = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
        int n = present.length;
        if (n == 0) {
            return Double.NaN;
        }
        return switch (this) {
            case SUM -> sum(present);
            case MEAN -> sum(present) / n;
            case STD -> Quantiles.deviation(present, n, sum(present) / n);
            case MIN -> Arrays.stream(present).min().orElse(Double.NaN);
            case MAX -> Arrays.stream(present).max().orElse(Double.NaN);
            case MEDIAN -> Quantiles.medianOf(present, Double.NaN);
        };
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
