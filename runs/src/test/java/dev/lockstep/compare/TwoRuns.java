// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.compare.CollectiveSum.Figures;
import dev.lockstep.compare.RankBreakdown.Time;
import dev.lockstep.compare.RunCollectives.Family;
import dev.lockstep.runs.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Runs of three ranks with round numbers. Only rank 1 of the first has other activity, only rank 0 of the second copies. */
public final class TwoRuns {
    private static final double MIB = 1 << 20;
    private static final CallKey REDUCE = new CallKey("allreduce", "Float", 1024, 1024, "0", "[0, 1, 2]", 3);
    private static final CallKey GATHER = new CallKey("allgather", "Float", 512, 1536, "0", "[0, 1, 2]", 3);

    private TwoRuns() {}

    /** Totals of 100, 110 and 120 ms. */
    public static RunSummary slower(String label, Settings settings, int steps) {
        return run(
                label,
                settings,
                steps,
                new RunCollectives(
                        List.of(new Family(
                                List.of(
                                        one(REDUCE, 100, 10),
                                        one(REDUCE, 120, 20),
                                        one(REDUCE, 110, 0),
                                        one(GATHER, 10, 1)),
                                List.of(sum(REDUCE, 4, 100), sum(GATHER, 2, 30)))),
                        new TreeSet<>(List.of("allreduce", "broadcast"))),
                rank(60, 20, 0, 0, 20, 40),
                rank(60, 30, 0, 10, 10, 50),
                rank(70, 30, 0, 0, 20, 60));
    }

    /** Totals of 90, 104 and 106 ms. */
    public static RunSummary faster(String label, Settings settings, int steps) {
        return run(
                label,
                settings,
                steps,
                new RunCollectives(
                        List.of(new Family(
                                List.of(one(REDUCE, 80, 10), one(REDUCE, 90, 20), one(REDUCE, 100, 30)),
                                List.of(sum(REDUCE, 4, 60)))),
                        new TreeSet<>(List.of("allreduce"))),
                rank(60, 15, 5, 0, 10, 40),
                rank(60, 24, 0, 0, 20, 60),
                rank(70, 16, 0, 0, 20, 64));
    }

    /** 13 ms more than {@link #slower}, of which computation is 4 and everything else 3. */
    public static RunSummary evenlySlower(String label, Settings settings, int steps) {
        return run(
                label,
                settings,
                steps,
                RunCollectives.NONE,
                rank(64, 23, 3, 0, 23, 40),
                rank(64, 33, 3, 10, 13, 50),
                rank(74, 33, 3, 0, 23, 60));
    }

    /** Totals of 91, 102 and 108 ms, without collectives. */
    public static RunSummary nearlyAsFast(String label, Settings settings, int steps) {
        return run(
                label,
                settings,
                steps,
                RunCollectives.NONE,
                rank(60, 15, 5, 0, 11, 40),
                rank(60, 24, 0, 0, 18, 60),
                rank(70, 16, 0, 0, 22, 64));
    }

    /** A run of which nothing is there. */
    public static RunSummary absent(String label, Settings settings) {
        return new RunSummary(label, settings, 0, RunBreakdown.NONE, RunCollectives.NONE);
    }

    private static RunSummary run(
            String label, Settings settings, int steps, RunCollectives collectives, RankBreakdown... ranks) {
        TreeMap<Integer, RankBreakdown> byRank = new TreeMap<>();
        TreeMap<Integer, List<RankBreakdown>> stepsByRank = new TreeMap<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            byRank.put(rank, ranks[rank]);
            stepsByRank.put(rank, steps(ranks[rank], steps, label.equals("t") ? -0.001 : 0.001));
        }
        return new RunSummary(label, settings, ranks.length, new RunBreakdown(byRank, stepsByRank), collectives);
    }

    /** So many steps that add up to the times, by turns longer and shorter by a share. */
    private static List<RankBreakdown> steps(RankBreakdown whole, int steps, double scatter) {
        List<RankBreakdown> made = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double share = (1 + (step % 2 == 0 ? scatter : -scatter)) / steps;
            Map<String, Time> parts = new LinkedHashMap<>();
            whole.listed().forEach((part, time) -> parts.put(part, new Time(time.ms() * share, time.percent())));
            made.add(new RankBreakdown(parts));
        }
        return made;
    }

    /** Times in ms; copies and other activity are listed where there are any. */
    private static RankBreakdown rank(
            double computation, double exposed, double copies, double other, double idle, double communication) {
        double busy = computation + exposed + copies + other;
        double total = busy + idle;
        Map<String, Time> listed = new LinkedHashMap<>();
        put(listed, "computation_time", computation, total);
        put(listed, "exposed_comm_time", exposed, total);
        if (copies > 0) {
            put(listed, "exposed_memcpy_time", copies, total);
        }
        if (other > 0) {
            put(listed, "exposed_other_time", other, total);
        }
        put(listed, "busy_time", busy, total);
        put(listed, "idle_time", idle, total);
        put(listed, "total_time", total, total);
        put(listed, "total_comm_time", communication, total);
        return new RankBreakdown(listed);
    }

    private static void put(Map<String, Time> listed, String part, double ms, double total) {
        listed.put(part, new Time(ms, 100 * ms / total));
    }

    private static CollectiveInstance one(CallKey key, double latency, double skew) {
        return new CollectiveInstance(key, latency, skew, MIB, 1.5);
    }

    private static CollectiveSum sum(CallKey key, double count, double mean) {
        return new CollectiveSum(
                key,
                MIB,
                count,
                count * mean / 1000,
                new Figures(mean, mean - 1, mean - 5, mean + 5),
                new Figures(2, 1, 0, 4),
                new Figures(3, 2, 1, 5),
                new Figures(10, 11, 9, 12),
                new Figures(15, 16, 14, 17));
    }
}
