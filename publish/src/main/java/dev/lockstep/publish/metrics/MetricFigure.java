// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.metrics;

import java.util.Arrays;
import java.util.List;

/**
 * A figure of a report in base units.
 *
 * @param name stable, in lower case with underscores
 * @param meaning a sentence
 * @param unit s, B, B/s, or 1 for shares and counts
 * @param moreIsBetter whether a larger value is the better one
 * @param kind what the values are
 * @param ranks the rank of each value, where they are those of ranks
 * @param values at least one, all of them known
 */
public record MetricFigure(
        String name,
        String meaning,
        String unit,
        boolean moreIsBetter,
        Kind kind,
        List<Long> ranks,
        List<Double> values) {
    /** What values are. */
    public enum Kind {
        /** One value for the whole. */
        VALUE,
        /** One for each step, in the order of time, the mean over ranks. */
        STEPS,
        /** One for each rank. */
        RANKS
    }

    /** Copies the lists. */
    public MetricFigure {
        ranks = List.copyOf(ranks);
        values = List.copyOf(values);
    }

    /** The values. */
    public double[] series() {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Their mean. */
    public double mean() {
        return Arrays.stream(series()).average().orElse(Double.NaN);
    }
}
