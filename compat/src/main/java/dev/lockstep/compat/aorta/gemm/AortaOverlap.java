// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.compat.aorta.gemm.CollectiveSheet.Collective;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What AORTA's {@code gemm_report_with_collective_overlap.py} writes: beside each row the collectives that ran while its
 * longest kernel did. Times are doubles of milliseconds throughout.
 */
public final class AortaOverlap {
    private static final List<String> HEADS = List.of(
            "overlapping_collective_count",
            "overlapping_collective_names",
            "max_overlap_percentage",
            "max_overlap_collective",
            "total_overlap_duration_ms");
    private static final List<String> NONE = List.of("0", "", "0.0", "", "0.0");
    private static final List<String> OLD_DURATIONS = List.of("kernel_time_max_us", "kernel_time_max_ms");

    /**
     * A configuration of the sweep.
     *
     * @param threads of the configuration
     * @param channel likewise
     */
    public record Configuration(long threads, long channel) {}

    private record Shared(Collective collective, double from, double to) {
        double length() {
            return to - from;
        }
    }

    private final PandasFrame table;
    private final Map<Configuration, List<Collective>> collectives = new HashMap<>();

    /**
     * Prepares the rows.
     *
     * @param variance the file of the step before
     */
    public AortaOverlap(PandasFrame variance) {
        table = variance;
    }

    /** Number of rows. */
    public int rows() {
        return table.rows();
    }

    /** The configurations that rows ask for, in order of their first rows. */
    public Set<Configuration> configurations() {
        Set<Configuration> found = new LinkedHashSet<>();
        for (int row = 0; row < table.rows(); row++) {
            found.add(configuration(row));
        }
        return found;
    }

    /** Adds the collective report of a configuration. */
    public void add(Configuration configuration, CollectiveSheet sheet) {
        collectives.put(configuration, sheet.collectives());
    }

    /** The file. */
    public String csv() {
        List<List<String>> cells = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            cells.add(cells(row));
        }
        return table.csv(HEADS, cells);
    }

    private Configuration configuration(int row) {
        return new Configuration(table.whole("threads", row), table.whole("channel", row));
    }

    private List<String> cells(int row) {
        double start = table.number("max_duration_timestamp_ms", row);
        double duration = duration(row) / 1000;
        if (Double.isNaN(start + duration)) {
            return NONE;
        }
        long rank = table.whole("rank", row);
        List<Shared> shared = collectives.getOrDefault(configuration(row), List.of()).stream()
                .filter(c -> c.rank() == rank && c.start() < start + duration && c.end() > start)
                .map(c -> new Shared(c, Math.max(start, c.start()), Math.min(start + duration, c.end())))
                .toList();
        return shared.isEmpty() ? NONE : cells(shared, duration);
    }

    private double duration(int row) {
        if (table.has("max_duration_found_us")) {
            return table.number("max_duration_found_us", row);
        }
        return OLD_DURATIONS.stream()
                .filter(table::has)
                .findFirst()
                .map(column -> table.number(column, row))
                .orElse(Double.NaN);
    }

    private static List<String> cells(List<Shared> shared, double duration) {
        Shared most = shared.getFirst();
        for (Shared one : shared) {
            most = percentage(one, duration) > percentage(most, duration) ? one : most;
        }
        return List.of(
                Integer.toString(shared.size()),
                shared.stream().map(s -> s.collective.name()).collect(Collectors.joining(";")),
                Numbers.python(percentage(most, duration)),
                most.collective.name(),
                Numbers.python(union(shared)));
    }

    private static double percentage(Shared shared, double duration) {
        return shared.length() / duration * 100;
    }

    /** Length of the union; intervals that touch are one. */
    private static double union(List<Shared> shared) {
        List<Shared> sorted = shared.stream()
                .sorted(Comparator.comparingDouble(Shared::from).thenComparingDouble(Shared::to))
                .toList();
        double total = 0;
        double from = sorted.getFirst().from;
        double to = sorted.getFirst().to;
        for (Shared next : sorted) {
            if (next.from <= to) {
                to = Math.max(to, next.to);
            } else {
                total += to - from;
                from = next.from;
                to = next.to;
            }
        }
        return total + (to - from);
    }
}
