// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.configurations;

import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parts of the timelines of a run's ranks, in ms. A part that a rank's timeline does not list, while that of another rank
 * of any run does, is missing there and not zero.
 */
final class RankTimes {
    static final String TOTAL = "total_time";
    static final String COMMUNICATION = "total_comm_time";
    static final String EXPOSED = "exposed_comm_time";

    /** What makes up the total, each nanosecond once. */
    static final List<String> PARTS = List.of(
            "computation_time",
            EXPOSED,
            "exposed_memcpy_time",
            "exposed_other_time",
            "idle_time",
            "micro_idle_time",
            "macro_idle_time");

    private static final List<String> ORDER = List.of(
            TOTAL,
            "busy_time",
            "computation_time",
            EXPOSED,
            "exposed_memcpy_time",
            "exposed_other_time",
            "idle_time",
            "micro_idle_time",
            "macro_idle_time",
            COMMUNICATION,
            "total_memcpy_time");

    private final SortedMap<Integer, Map<String, Double>> byRank = new TreeMap<>();
    private final int steps;

    RankTimes(ConfiguredRun run) {
        run.timelines().forEach((rank, table) -> {
            Map<String, Double> parts = parts(table);
            if (!parts.isEmpty()) {
                byRank.put(rank, parts);
            }
        });
        List<Integer> counts = byRank.keySet().stream()
                .map(rank -> run.steps().getOrDefault(rank, -1))
                .distinct()
                .toList();
        steps = counts.size() == 1 ? counts.getFirst() : -1;
    }

    /** Ranks that have a timeline. */
    SortedSet<Integer> ranks() {
        return new TreeSet<>(byRank.keySet());
    }

    /** Steps that every rank recorded, -1 when they differ or are not known. */
    int steps() {
        return steps;
    }

    /** Time of a part on a rank; NaN when its timeline does not list it. */
    double of(String type, int rank) {
        return byRank.getOrDefault(rank, Map.of()).getOrDefault(type, Double.NaN);
    }

    /** Time of a part on these ranks. */
    double[] of(String type, SortedSet<Integer> ranks) {
        return ranks.stream().mapToDouble(rank -> of(type, rank)).toArray();
    }

    boolean has(String type) {
        return byRank.values().stream().anyMatch(parts -> parts.containsKey(type));
    }

    /** The parts that any of the runs lists: known ones in their order, then others by name. */
    static List<String> types(List<RankTimes> runs) {
        TreeSet<String> found = new TreeSet<>();
        runs.forEach(run -> run.byRank.values().forEach(parts -> found.addAll(parts.keySet())));
        List<String> types =
                new ArrayList<>(ORDER.stream().filter(found::contains).toList());
        found.stream().filter(type -> !ORDER.contains(type)).forEach(types::add);
        return types;
    }

    private static Map<String, Double> parts(Table table) {
        int type = table.schema().indexOf("type");
        int time = table.schema().indexOf("time ms");
        boolean split = table.schema().indexOf("is_recompute") >= 0;
        Map<String, Double> parts = new LinkedHashMap<>();
        if (type < 0 || time < 0 || split || !(table.columns().get(type) instanceof StringColumn names)) {
            return parts;
        }
        for (int row = 0; row < table.rows(); row++) {
            double value = table.shown(time, row);
            String name = names.get(row);
            if (name != null && !Double.isNaN(value)) {
                parts.putIfAbsent(name, value);
            }
        }
        return parts;
    }
}
