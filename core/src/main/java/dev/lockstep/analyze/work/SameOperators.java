// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.work.PerfSummary.Row;
import dev.lockstep.analyze.work.PerfSummary.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps rows together that differ only in what ran at the same time. */
final class SameOperators {
    private record Key(Signature signature, boolean recompute) {}

    private record Group(long total, long first) {}

    private SameOperators() {}

    /**
     * Longest group first, then the one that begins first; within a group the order stays.
     *
     * @param rows longest first
     */
    static List<Row> together(List<Row> rows) {
        Map<Key, Group> groups = new HashMap<>();
        for (Row row : rows) {
            groups.merge(
                    keyOf(row),
                    new Group(row.time(), row.number()),
                    (a, b) -> new Group(a.total + b.total, Math.min(a.first, b.first)));
        }
        List<Row> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingLong((Row r) -> groups.getOrDefault(keyOf(r), new Group(0, 0)).total)
                .reversed()
                .thenComparingLong(r -> groups.getOrDefault(keyOf(r), new Group(0, 0)).first));
        return sorted;
    }

    private static Key keyOf(Row row) {
        return new Key(row.signature(), row.recompute());
    }
}
