// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.work.PerfSummary.Row;
import dev.lockstep.analyze.work.PerfSummary.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Keeps rows together that differ only in what ran at the same time. */
final class SameOperators {
    private record Key(Signature signature, boolean recompute) {}

    private record Group(long total, long first, int place) {}

    private SameOperators() {}

    /**
     * Longest group first, then the one that begins first, then the one that stood first; within a group the order stays.
     *
     * @param rows longest first
     * @param beginning when the first operator of a row began
     */
    static List<Row> together(List<Row> rows, ToLongFunction<Row> beginning) {
        Map<Key, Group> groups = new HashMap<>();
        Group none = new Group(0, 0, 0);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            groups.merge(
                    keyOf(row),
                    new Group(row.time(), beginning.applyAsLong(row), i),
                    (a, b) -> new Group(a.total + b.total, Math.min(a.first, b.first), a.place));
        }
        List<Row> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(
                (Row r) -> groups.getOrDefault(keyOf(r), none),
                Comparator.comparingLong(Group::total)
                        .reversed()
                        .thenComparingLong(Group::first)
                        .thenComparingInt(Group::place)));
        return sorted;
    }

    private static Key keyOf(Row row) {
        return new Key(row.signature(), row.recompute());
    }
}
