// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.comm.LateKernels;
import dev.lockstep.analyze.comm.LateKernels.Cause;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Finding;
import dev.lockstep.straggler.RankStragglerReport;
import dev.lockstep.straggler.StragglerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * How ranks of made runs come to their collectives when chance alone makes one later than another: each computes before each
 * collective, and all leave it together.
 *
 * @param words what it is called in tables
 * @param ranks number of ranks
 * @param steps number of steps
 * @param alike correlation of what a rank takes in neighbouring steps
 * @param scatter standard deviation of what a rank takes in a step, as a share of it
 * @param hiccup by what share one rank, another in each step, takes longer
 * @param tail by what share a rank takes longer at most in one of ten steps; each has its own
 */
record CourseOfRanks(String words, int ranks, int steps, double alike, double scatter, double hiccup, double tail) {
    private static final int LATE = 1;
    private static final int CALLS = 3;
    private static final int KERNELS = 4;
    private static final long KERNEL = 100_000;
    private static final long GAP = 20_000;
    private static final long TRANSFER = 50_000;

    /** What the host takes for a call, a kernel to begin, and a waiting call to return. */
    private static final long CALL = 5_000;

    private static final long BEGIN = 8_000;
    private static final long RETURN = 2_000;

    /** Of a rank that waits between its kernels, by what share it takes longer. */
    private static final double IDLE = 0.05;

    /** Of four kernels of 1, 2, 3 and 4 parts the last takes two fifths of the time. */
    private static final double ALL_OF_IT = 2.5;

    private static final int IN_ONE_OF = 10;

    static List<CourseOfRanks> all() {
        return List.of(
                new CourseOfRanks("independent steps", 8, 20, 0, 0.02, 0, 0),
                new CourseOfRanks("neighbouring steps alike", 8, 20, 0.5, 0.02, 0, 0),
                new CourseOfRanks("ranks take turns", 8, 20, 0, 0.005, 0.1, 0),
                new CourseOfRanks("few steps, alike", 8, 6, 0.5, 0.02, 0, 0),
                new CourseOfRanks("three steps, alike", 4, 3, 0.5, 0.02, 0, 0),
                new CourseOfRanks("three steps, little scatter", 8, 3, 0, 0.002, 0, 0),
                new CourseOfRanks("three steps, much scatter, alike", 8, 3, 0.5, 0.06, 0, 0),
                new CourseOfRanks("4 ranks, 6 steps, much scatter, alike", 4, 6, 0.5, 0.06, 0, 0),
                new CourseOfRanks("4 ranks, three steps, some far longer", 4, 3, 0, 0.005, 0, 0.3));
    }

    /** What is kept of a rank. */
    private record Kept(KeptRank rank, List<Steps.Step> steps) {
        static Kept of(Trace trace) {
            DerivedCache cache = new DerivedCache(trace);
            return new Kept(KeptRank.of(cache), cache.get(new Steps.Key(null)).steps());
        }
    }

    /** What makes the late rank late. */
    private enum Slow {
        /** All its kernels take longer. */
        ALL_KERNELS,
        /** One of its kernels takes longer, by as much as all of them would. */
        ONE_KERNEL,
        /** It waits between its kernels. */
        WAITS
    }

    /** By verdict, whether it is claimed when one rank takes so much longer. */
    Map<String, Boolean> claims(RandomGenerator random, double slower, Path scratch) {
        Map<String, Boolean> claims = new LinkedHashMap<>();
        List<Kept> run = run(random, slower, Slow.ALL_KERNELS, scratch);
        MatchedRanks matched = matched(run);
        claims.put(
                "`report`, `collectives`: a rank is slow",
                !matched.slow().slow().isEmpty());
        claims.put("`stragglers`: most of it lies in single ranks", liesInSingleRanks(run));
        Set<Cause> causes = slower > 0 ? causes(matched) : causesOf(run(random, IDLE, Slow.WAITS, scratch));
        claims.put("`collectives`: at a lower clock", causes.contains(Cause.CLOCK));
        if (slower > 0) {
            causes = causesOf(run(random, slower, Slow.ONE_KERNEL, scratch));
        }
        claims.put(
                "`collectives`: certain kernels take longer, or there are more",
                causes.contains(Cause.SLOWER_KERNELS) || causes.contains(Cause.MORE_WORK));
        return claims;
    }

    private static Set<Cause> causesOf(List<Kept> run) {
        return causes(matched(run));
    }

    private static Set<Cause> causes(MatchedRanks run) {
        Set<Cause> causes = EnumSet.noneOf(Cause.class);
        LateKernels.of(run.present(), run.slow().slow()).forEach(late -> causes.add(late.cause()));
        return causes;
    }

    private static boolean liesInSingleRanks(List<Kept> run) {
        return RankStragglerReport.of(
                        matched(run), run.stream().map(Kept::steps).toList(), false, StragglerOptions.THRESHOLD)
                .findings()
                .stream()
                .anyMatch(finding ->
                        finding.code().equals("straggler_workers") && finding.severity() == Finding.Severity.PROBLEM);
    }

    private static MatchedRanks matched(List<Kept> run) {
        return MatchedRanks.of(run.stream().map(Kept::rank).toList(), "", CollectiveOptions.standard());
    }

    /** By rank: how many times as long it takes in a step. */
    private double[] longTail(RandomGenerator random) {
        double[] times = new double[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            times[rank] = tail > 0 && random.nextInt(IN_ONE_OF) == 0 ? 1 + tail * random.nextDouble() : 1;
        }
        return times;
    }

    /** @param longer by what share one rank takes longer */
    private List<Kept> run(RandomGenerator random, double longer, Slow slow, Path scratch) {
        List<MadeRank> made = new ArrayList<>();
        double[] course = new double[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            made.add(new MadeRank(rank));
            course[rank] = random.nextGaussian();
        }
        long now = 1_000_000;
        for (int step = 0; step < steps; step++) {
            int unlucky = random.nextInt(ranks);
            double[] longTail = longTail(random);
            long begin = now - GAP;
            for (int call = 0; call < CALLS; call++) {
                long[] arrives = new long[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    double factor = (1 + scatter * course[rank])
                            * (rank == unlucky ? 1 + hiccup : 1)
                            * longTail[rank]
                            * (rank == LATE && slow == Slow.ALL_KERNELS ? 1 + longer : 1);
                    long at = now + BEGIN;
                    for (int kernel = 0; kernel < KERNELS; kernel++) {
                        boolean one = rank == LATE && slow == Slow.ONE_KERNEL && kernel == KERNELS - 1;
                        long takes = Math.round((kernel + 1)
                                * KERNEL
                                * factor
                                * (one ? 1 + longer * ALL_OF_IT : 1)
                                * (1 + 0.002 * random.nextGaussian()));
                        made.get(rank).multiply(kernel, now + kernel * CALL, at, takes);
                        at += takes + (rank == LATE && slow == Slow.WAITS ? Math.round(longer * takes) : 0);
                    }
                    arrives[rank] = at;
                }
                long last = 0;
                for (long at : arrives) {
                    last = Math.max(last, at);
                }
                for (int rank = 0; rank < ranks; rank++) {
                    long launched = now + KERNELS * CALL;
                    made.get(rank).communicate(launched, arrives[rank], last + TRANSFER - arrives[rank]);
                    made.get(rank).await(launched + CALL, last + TRANSFER + RETURN);
                }
                now = last + TRANSFER + GAP;
            }
            for (int rank = 0; rank < ranks; rank++) {
                made.get(rank).step(step, begin, now - GAP);
                course[rank] = alike * course[rank] + Math.sqrt(1 - alike * alike) * random.nextGaussian();
            }
        }
        return made.stream().map(rank -> Kept.of(rank.trace(scratch))).toList();
    }
}
