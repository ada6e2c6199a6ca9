// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.gemm.GemmPool;
import dev.lockstep.analyze.gemm.GemmVariance;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How matrix multiplications of made ranks take their time, when communication begins at random, on all ranks at once, and
 * changes nothing: what slows them, slows the same calls on all ranks.
 *
 * @param words what it is called in tables
 * @param steps number of steps
 * @param calls multiplications of a step
 * @param alike correlation of neighbouring calls, within a step and across steps
 * @param scatter standard deviation of a call, as a share of it
 * @param throttle by what share clocks sink over the run, on all ranks alike
 */
record CourseOfKernels(String words, int steps, int calls, double alike, double scatter, double throttle) {
    private static final int RANKS = 4;
    private static final long KERNEL = 100_000;
    private static final long GAP = 20_000;
    private static final GemmVariance GEMMS = GemmVariance.standard();

    static List<CourseOfKernels> all() {
        return List.of(
                new CourseOfKernels("independent calls", 10, 6, 0, 0.02, 0),
                new CourseOfKernels("neighbouring calls alike, on all ranks", 10, 6, 0.7, 0.02, 0),
                new CourseOfKernels("clocks throttle by 20 %", 10, 6, 0.3, 0.02, 0.2),
                new CourseOfKernels("calls of one step", 1, 60, 0.5, 0.02, 0.05));
    }

    /** What the multiplications of all ranks show, when communication slows them by this share. */
    GemmPool.Result pool(RandomGenerator random, double slower, Path scratch) {
        GemmPool pool = new GemmPool();
        traces(random, slower, scratch).forEach(trace -> pool.add("", GEMMS.run(new DerivedCache(trace))));
        return pool.result();
    }

    /** The ranks of a run. */
    List<Trace> traces(RandomGenerator random, double slower, Path scratch) {
        List<MadeRank> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(new MadeRank(rank));
        }
        long now = 1_000_000;
        long free = now;
        double course = random.nextGaussian();
        for (int step = 0; step < steps; step++) {
            long begin = now - GAP;
            for (int call = 0; call < calls; call++) {
                long until = now + KERNEL + GAP;
                if (free < until && random.nextDouble() < 0.5) {
                    free = Math.max(free, now - GAP / 2) + (long) (random.nextDouble() * KERNEL);
                    long lasts = (long) ((0.3 + random.nextDouble()) * KERNEL);
                    for (MadeRank rank : ranks) {
                        rank.communicate(free, lasts);
                    }
                    free += lasts + GAP;
                }
                boolean runs = free - GAP > now;
                double clock = 1 + throttle * (step * calls + call) / (steps * calls);
                double takes = KERNEL * clock * (1 + scatter * course) * (runs ? 1 + slower : 1);
                for (MadeRank rank : ranks) {
                    rank.multiply(now, Math.round(takes * (1 + 0.2 * scatter * random.nextGaussian())));
                }
                course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
                now += Math.round(takes) + GAP;
            }
            for (MadeRank rank : ranks) {
                rank.step(step, begin, now - GAP);
            }
        }
        return ranks.stream().map(rank -> rank.trace(scratch)).toList();
    }
}
