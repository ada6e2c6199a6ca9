// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Unit;
import java.util.Arrays;
import java.util.List;

/**
 * A series of values in summary, as pandas describes one.
 *
 * @param count number of values, at least 1
 * @param mean arithmetic mean
 * @param std sample standard deviation (n - 1), NaN for a single value
 * @param quantiles least, quarters, largest; between neighbours by linear interpolation
 */
@SuppressWarnings("ArrayRecordComponent")
record SeriesSummary(int count, double mean, double std, double[] quantiles) {
    private static final int QUARTERS = 4;

    /** Describes these values, which are sorted in place. */
    static SeriesSummary of(double[] values, int count) {
        Arrays.sort(values, 0, count);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        double mean = sum / count;
        double[] quantiles = new double[QUARTERS + 1];
        for (int q = 0; q <= QUARTERS; q++) {
            double place = (count - 1) * (double) q / QUARTERS;
            int below = (int) place;
            double above = values[Math.min(count - 1, below + 1)];
            quantiles[q] = values[below] + (above - values[below]) * (place - below);
        }
        return new SeriesSummary(count, mean, Quantiles.deviation(values, count, mean), quantiles);
    }

    /** The columns of a summary. */
    static List<ColumnSpec> columns(Unit unit, String what) {
        return List.of(
                ColumnSpec.count("count", "Number of points of the series: one after each change."),
                ColumnSpec.real("mean", unit, unit, "Mean of " + what + "."),
                ColumnSpec.real("std", unit, unit, "Standard deviation (n - 1); missing for a single point."),
                ColumnSpec.real("min", unit, unit, "Least of " + what + "."),
                ColumnSpec.real("25%", unit, unit, "First quartile, by linear interpolation."),
                ColumnSpec.real("50%", unit, unit, "Median."),
                ColumnSpec.real("75%", unit, unit, "Third quartile, by linear interpolation."),
                ColumnSpec.real("max", unit, unit, "Largest of " + what + "."));
    }

    /** A row of a sheet: two cells in front of the summary. */
    Object[] row(Object first, Object second) {
        return new Object[] {
            first, second, count, mean, std, quantiles[0], quantiles[1], quantiles[2], quantiles[3], quantiles[4]
        };
    }
}
