// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RankBreakdown.Time;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.runs.Settings;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Configurations of a sweep, written by hand. */
final class Timelines {
    private Timelines() {}

    /** A configuration whose ranks spend this much on computation, exposed communication and idling, in ms. */
    static RunSummary point(int threads, int channels, double[]... ranks) {
        TreeMap<Integer, RankBreakdown> times = new TreeMap<>();
        TreeMap<Integer, List<RankBreakdown>> steps = new TreeMap<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            times.put(rank, breakdown(ranks[rank]));
            steps.put(rank, steps(ranks[rank], 4));
        }
        return run(threads, channels, ranks.length, new RunBreakdown(times, steps));
    }

    static RunSummary withSteps(RunSummary point, int steps) {
        TreeMap<Integer, List<RankBreakdown>> all = new TreeMap<>();
        point.times()
                .byRank()
                .forEach((rank, own) -> all.put(
                        rank, steps(new double[] {own.of("computation_time").ms(), 0, 0}, steps)));
        return run(
                point.threads(),
                point.channels(),
                point.expectedRanks(),
                new RunBreakdown(point.times().byRank(), all));
    }

    /** So many steps that add up to the parts and scatter by a thousandth. */
    private static List<RankBreakdown> steps(double[] parts, int steps) {
        List<RankBreakdown> made = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double share = (1 + 1e-3 * (step % 2 * 2 - 1)) / steps;
            made.add(breakdown(new double[] {parts[0] * share, parts[1] * share, parts[2] * share}));
        }
        return made;
    }

    static RunSummary absent(int threads, int channels) {
        return run(threads, channels, 0, RunBreakdown.NONE);
    }

    private static RunSummary run(int threads, int channels, int ranks, RunBreakdown times) {
        return new RunSummary(
                threads + "thread_" + channels + "ch",
                new Settings(threads, channels, -1),
                ranks,
                times,
                RunCollectives.NONE);
    }

    private static RankBreakdown breakdown(double[] parts) {
        double busy = parts[0] + parts[1];
        double total = busy + parts[2];
        Map<String, Time> listed = new LinkedHashMap<>();
        listed.put("computation_time", new Time(parts[0], 100 * parts[0] / total));
        listed.put("exposed_comm_time", new Time(parts[1], 100 * parts[1] / total));
        listed.put("busy_time", new Time(busy, 100 * busy / total));
        listed.put("idle_time", new Time(parts[2], 100 * parts[2] / total));
        listed.put("total_time", new Time(total, 100));
        return new RankBreakdown(listed);
    }

    static Table sheet(List<Table> tables, String name) {
        return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }
}
