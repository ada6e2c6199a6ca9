// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Unit;
import java.util.List;

/** Durations by group: number, sum, extremes, mean and deviation. */
final class DurationStatistics {
    private final LongIntMap groups = new LongIntMap(256);
    private final LongList keys = new LongList(64);
    private final LongList counts = new LongList(64);
    private final LongList sums = new LongList(64);
    private final LongList least = new LongList(64);
    private final LongList largest = new LongList(64);
    private double[] squares = new double[0];

    /** The columns. */
    static final List<ColumnSpec> COLUMNS = List.of(
            ColumnSpec.count("count", "How many there are."),
            ColumnSpec.micros("sum (us)", "Sum of their durations."),
            ColumnSpec.micros("max (us)", "The longest duration."),
            ColumnSpec.micros("min (us)", "The shortest duration."),
            ColumnSpec.real(
                    "stddev",
                    Unit.NANOSECONDS,
                    Unit.MICROSECONDS,
                    "Standard deviation (n - 1) of the durations; 0 for a single one."),
            ColumnSpec.real("mean (us)", Unit.NANOSECONDS, Unit.MICROSECONDS, "Mean duration."));

    /** Counts a duration. */
    void add(long key, long duration) {
        int group = groups.numberOf(key);
        if (group == keys.size()) {
            keys.add(key);
            counts.add(0);
            sums.add(0);
            least.add(Long.MAX_VALUE);
            largest.add(Long.MIN_VALUE);
        }
        counts.set(group, counts.get(group) + 1);
        sums.set(group, sums.get(group) + duration);
        least.set(group, Math.min(least.get(group), duration));
        largest.set(group, Math.max(largest.get(group), duration));
    }

    /** Counts a duration again for the deviation, once all were added. */
    void addSquare(long key, long duration) {
        if (squares.length == 0) {
            squares = new double[size()];
        }
        int group = groups.get(key);
        double off = duration - mean(group);
        squares[group] += off * off;
    }

    int size() {
        return keys.size();
    }

    long key(int group) {
        return keys.get(group);
    }

    long sum(int group) {
        return sums.get(group);
    }

    private double mean(int group) {
        return (double) sums.get(group) / counts.get(group);
    }

    /** The cells of a group, from the given place on. */
    void put(int group, Object[] row, int at) {
        long count = counts.get(group);
        row[at] = count;
        row[at + 1] = sums.get(group);
        row[at + 2] = largest.get(group);
        row[at + 3] = least.get(group);
        row[at + 4] = count < 2 ? 0.0 : Math.sqrt(squares[group] / (count - 1));
        row[at + 5] = mean(group);
    }
}
