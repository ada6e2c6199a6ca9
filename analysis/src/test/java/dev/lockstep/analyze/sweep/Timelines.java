// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.sweep;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.TreeMap;

/** Sheets as reports hold them, written by hand. */
final class Timelines {
    private Timelines() {}

    /** A configuration whose ranks spend this much on computation, exposed communication and idling, in ms. */
    static SweepPoint point(int threads, int channels, double[]... ranks) {
        TreeMap<Integer, Table> tables = new TreeMap<>();
        TreeMap<Integer, Integer> steps = new TreeMap<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            tables.put(rank, timeline(ranks[rank]));
            steps.put(rank, 2);
        }
        return new SweepPoint(
                threads + "thread_" + channels + "ch", threads, channels, ranks.length, tables, steps, List.of());
    }

    static SweepPoint withSteps(SweepPoint point, int steps) {
        TreeMap<Integer, Integer> all = new TreeMap<>();
        point.timelines().keySet().forEach(rank -> all.put(rank, steps));
        return new SweepPoint(
                point.label(), point.threads(), point.channels(), point.ranks(), point.timelines(), all, List.of());
    }

    static SweepPoint absent(int threads, int channels) {
        return new SweepPoint(
                threads + "thread_" + channels + "ch",
                threads,
                channels,
                0,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of());
    }

    private static Table timeline(double[] parts) {
        Schema schema = Schema.of(
                ColumnSpec.text("type", "Part."),
                ColumnSpec.real("time ms", Unit.NONE, Unit.NONE, "Time."),
                ColumnSpec.percent("percent", "Share."));
        double busy = parts[0] + parts[1];
        double total = busy + parts[2];
        return new TableBuilder("gpu_timeline", "Timeline", schema)
                .row("computation_time", parts[0], 100 * parts[0] / total)
                .row("exposed_comm_time", parts[1], 100 * parts[1] / total)
                .row("busy_time", busy, 100 * busy / total)
                .row("idle_time", parts[2], 100 * parts[2] / total)
                .row("total_time", total, 100.0)
                .build();
    }

    static Table sheet(List<Table> tables, String name) {
        return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }
}
