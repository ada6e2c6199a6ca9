// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.LateKernels;
import dev.lockstep.analyze.comm.Mending;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 */
record CourseOfRanks(String words, int ranks, int steps, double alike, double scatter, double hiccup) {
    private static final int LATE = 1;
    private static final int CALLS = 3;
    private static final int KERNELS = 4;
    private static final long KERNEL = 100_000;
    private static final long GAP = 20_000;
    private static final long TRANSFER = 50_000;

    /** Of a rank that waits between its kernels, by what share it takes longer. */
    private static final double IDLE = 0.05;

    static List<CourseOfRanks> all() {
        return List.of(
                new CourseOfRanks("independent steps", 8, 20, 0, 0.02, 0),
                new CourseOfRanks("neighbouring steps alike", 8, 20, 0.5, 0.02, 0),
                new CourseOfRanks("ranks take turns", 8, 20, 0, 0.005, 0.1),
                new CourseOfRanks("few steps, alike", 8, 6, 0.5, 0.02, 0),
                new CourseOfRanks("three steps, alike", 4, 3, 0.5, 0.02, 0),
                new CourseOfRanks("three steps, little scatter", 8, 3, 0, 0.002, 0));
    }

    /** By verdict, whether it is claimed when the kernels of one rank take so much longer. */
    Map<String, Boolean> claims(RandomGenerator random, double slower, Path scratch) {
        Map<String, Boolean> claims = new LinkedHashMap<>();
        claims.put(
                "`collectives`: a rank comes late",
                !mending(run(random, slower, 0, scratch)).late().isEmpty());
        List<RankCollectives> idle = run(random, slower, slower > 0 ? 0 : IDLE, scratch);
        claims.put(
                "`collectives`: at a lower clock",
                LateKernels.of(idle, mending(idle).late()).stream()
                        .anyMatch(late -> late.cause() == LateKernels.Cause.CLOCK));
        return claims;
    }

    private static Mending mending(List<RankCollectives> run) {
        return Mending.of(Collectives.of(run, CollectiveOptions.standard()));
    }

    /** @param idle by what share one rank takes longer without that its kernels do */
    private List<RankCollectives> run(RandomGenerator random, double slower, double idle, Path scratch) {
        List<MadeRank> made = new ArrayList<>();
        double[] course = new double[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            made.add(new MadeRank(rank));
            course[rank] = random.nextGaussian();
        }
        long now = 1_000_000;
        for (int step = 0; step < steps; step++) {
            int unlucky = random.nextInt(ranks);
            long begin = now - GAP;
            for (int call = 0; call < CALLS; call++) {
                long[] arrives = new long[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    double factor = (1 + scatter * course[rank])
                            * (rank == unlucky ? 1 + hiccup : 1)
                            * (rank == LATE ? 1 + slower : 1);
                    long at = now;
                    for (int kernel = 0; kernel < KERNELS; kernel++) {
                        long takes = Math.round((kernel + 1) * KERNEL * factor * (1 + 0.002 * random.nextGaussian()));
                        made.get(rank).multiply(kernel, at, takes);
                        at += takes + (rank == LATE ? Math.round(idle * takes) : 0);
                    }
                    arrives[rank] = at;
                }
                long last = 0;
                for (long at : arrives) {
                    last = Math.max(last, at);
                }
                for (int rank = 0; rank < ranks; rank++) {
                    made.get(rank).communicate(arrives[rank], last + TRANSFER - arrives[rank]);
                }
                now = last + TRANSFER + GAP;
            }
            for (int rank = 0; rank < ranks; rank++) {
                made.get(rank).step(step, begin, now - GAP);
                course[rank] = alike * course[rank] + Math.sqrt(1 - alike * alike) * random.nextGaussian();
            }
        }
        return made.stream()
                .map(rank -> new DerivedCache(rank.trace(scratch)).get(RankCollectives.Key.standard()))
                .toList();
    }
}
