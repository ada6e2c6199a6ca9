// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.sweep;

import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The parts of the timelines of a configuration's ranks, in ms. A part that a timeline does not list is 0 there. */
final class RankTimes {
    static final String TOTAL = "total_time";

    /** What makes up the total, each nanosecond once. */
    static final List<String> SHARES = List.of(
            "computation_time",
            "exposed_comm_time",
            "exposed_memcpy_time",
            "exposed_other_time",
            "idle_time",
            "micro_idle_time",
            "macro_idle_time");

    private static final List<String> ORDER = List.of(
            "computation_time",
            "exposed_comm_time",
            "exposed_memcpy_time",
            "exposed_other_time",
            "busy_time",
            "idle_time",
            "micro_idle_time",
            "macro_idle_time",
            TOTAL,
            "total_comm_time",
            "total_memcpy_time");

    private final SweepPoint point;
    private final Map<Integer, Map<String, Double>> byRank = new TreeMap<>();

    RankTimes(SweepPoint point) {
        this.point = point;
        point.timelines().forEach((rank, table) -> {
            Map<String, Double> parts = parts(table);
            if (!parts.isEmpty()) {
                byRank.put(rank, parts);
            }
        });
    }

    SweepPoint point() {
        return point;
    }

    /** Ranks that have a timeline. */
    List<Integer> ranks() {
        return List.copyOf(byRank.keySet());
    }

    boolean isEmpty() {
        return byRank.isEmpty();
    }

    /** The parts that any rank lists, known ones in their order, then others as they come. */
    List<String> types() {
        Map<String, Boolean> found = new LinkedHashMap<>();
        byRank.values().forEach(parts -> parts.keySet().forEach(type -> found.put(type, true)));
        List<String> types =
                new ArrayList<>(ORDER.stream().filter(found::containsKey).toList());
        found.keySet().stream().filter(type -> !ORDER.contains(type)).sorted().forEach(types::add);
        return types;
    }

    /** A part on every rank, in order of {@link #ranks}. */
    double[] of(String type) {
        return byRank.values().stream()
                .mapToDouble(parts -> parts.getOrDefault(type, 0.0))
                .toArray();
    }

    double of(String type, int rank) {
        return byRank.getOrDefault(rank, Map.of()).getOrDefault(type, 0.0);
    }

    /** Steps that every rank recorded, -1 when they differ or are not known. */
    int steps() {
        int[] distinct = byRank.keySet().stream()
                .mapToInt(rank -> point.steps().getOrDefault(rank, -1))
                .distinct()
                .toArray();
        return distinct.length == 1 && Arrays.stream(distinct).allMatch(n -> n > 0) ? distinct[0] : -1;
    }

    private static Map<String, Double> parts(Table table) {
        int type = table.schema().indexOf("type");
        int time = table.schema().indexOf("time ms");
        int again = table.schema().indexOf("is_recompute");
        Map<String, Double> parts = new LinkedHashMap<>();
        if (type < 0 || time < 0 || again >= 0 || !(table.columns().get(type) instanceof StringColumn names)) {
            return parts;
        }
        for (int row = 0; row < table.rows(); row++) {
            double value = table.shown(time, row);
            if (!names.isMissing(row) && !Double.isNaN(value)) {
                parts.putIfAbsent(String.valueOf(names.get(row)), value);
            }
        }
        return parts;
    }
}
