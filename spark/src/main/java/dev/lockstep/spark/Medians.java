// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/** Medians of values in any order, as SQL defines them. */
final class Medians {
    private Medians() {}

    /** {@code percentile_cont}: of two in the middle the mean. Not of none. */
    static double between(double[] values) {
        return Quantiles.medianOf(values.clone(), Double.NaN);
    }

    static double between(long[] values) {
        return between(Arrays.stream(values).asDoubleStream().toArray());
    }

    /** {@code percentile_disc}: of two in the middle the lower. Not of none. */
    static long lower(long[] values) {
        return Quantiles.lowerMedianOf(values.clone());
    }

    /** The median distance from the median. */
    static double deviation(double[] values) {
        double middle = between(values);
        return between(
                Arrays.stream(values).map(value -> Math.abs(value - middle)).toArray());
    }
}
