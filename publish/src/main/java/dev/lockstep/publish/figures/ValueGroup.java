// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The values of one group and what sums them up.
 *
 * @param key what the group has in common, e.g. a number of threads
 * @param values ascending, at least one; in µs
 */
@SuppressWarnings("ArrayRecordComponent")
public record ValueGroup(long key, double[] values) {
    /** The rows by a number that they have, ascending. */
    public static List<ValueGroup> by(List<GemmRange> rows, ToLongFunction<GemmRange> key) {
        SortedMap<Long, List<GemmRange>> groups = new TreeMap<>();
        for (GemmRange row : rows) {
            groups.computeIfAbsent(key.applyAsLong(row), k -> new ArrayList<>()).add(row);
        }
        return groups.entrySet().stream()
                .map(group -> new ValueGroup(
                        group.getKey(),
                        group.getValue().stream()
                                .mapToDouble(GemmRange::rangeUs)
                                .sorted()
                                .toArray()))
                .toList();
    }

    /** Number of values. */
    public int count() {
        return values.length;
    }

    /** The arithmetic mean. */
    public double mean() {
        return Arrays.stream(values).sum() / values.length;
    }

    /** Between the two nearest values, by their distance; {@code share} from 0 to 1. */
    public double quantile(double share) {
        return Quantiles.interpolated(values, share);
    }

    /** The standard deviation of a sample; NaN of a single value. */
    public double deviation() {
        double mean = mean();
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
    }
}
