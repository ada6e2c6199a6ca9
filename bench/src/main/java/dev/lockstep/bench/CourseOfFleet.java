// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.SlowRanks;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How steps of the ranks of large made runs take their time when chance alone sets ranks apart.
 *
 * @param words what it is called in tables
 * @param ranks number of ranks
 * @param steps number of steps
 * @param alike correlation of what a rank takes in neighbouring steps
 * @param scatter standard deviation of what a rank takes in a step, as a share of it
 * @param tail by what share at most one value of a hundred is longer
 */
record CourseOfFleet(String words, int ranks, int steps, double alike, double scatter, double tail) {
    private static final double STEP = 10_000_000;
    private static final int SLOW = 1;

    /** By what ranks differ all along, as a share of a step. */
    private static final double LASTING = 0.002;

    static List<CourseOfFleet> all() {
        return List.of(
                new CourseOfFleet("8 ranks, 20 steps, alike", 8, 20, 0.5, 0.02, 0),
                new CourseOfFleet("8 ranks, 6 steps, alike", 8, 6, 0.5, 0.02, 0),
                new CourseOfFleet("64 ranks, 20 steps, alike", 64, 20, 0.5, 0.02, 0),
                new CourseOfFleet("64 ranks, 6 steps, some long", 64, 6, 0, 0.01, 0.03),
                new CourseOfFleet("512 ranks, 6 steps, alike", 512, 6, 0.5, 0.02, 0),
                new CourseOfFleet("256 ranks, 5 steps, some far longer", 256, 5, 0, 0.01, 0.15));
    }

    /** By verdict, whether it is claimed when one rank takes so much longer. */
    Map<String, Boolean> claims(RandomGenerator random, double slower) {
        SlowRanks found = SlowRanks.of(run(random, slower));
        Map<String, Boolean> claims = new LinkedHashMap<>();
        claims.put("`fleet`: a rank is slow", !found.slow().isEmpty());
        claims.put("`fleet`: a rank takes long in a step", !found.incidents().isEmpty());
        return claims;
    }

    private FleetSteps run(RandomGenerator random, double slower) {
        double[] common = random.doubles(steps, 0.9, 1.3).toArray();
        double[][] own = new double[ranks][steps];
        for (int rank = 0; rank < ranks; rank++) {
            double lasting = (1 + LASTING * random.nextGaussian()) * (rank == SLOW ? 1 + slower : 1);
            double course = random.nextGaussian();
            for (int step = 0; step < steps; step++) {
                double more = random.nextInt(100) == 0 ? tail * random.nextDouble() : 0;
                own[rank][step] = STEP * common[step] * lasting * (1 + scatter * course + more);
                course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
            }
        }
        double[] period = IntStream.range(0, steps)
                .mapToDouble(step ->
                        Arrays.stream(own).mapToDouble(of -> of[step]).max().orElse(0))
                .toArray();
        double[][] periods = new double[ranks][];
        Arrays.fill(periods, period);
        return new FleetSteps(
                IntStream.range(0, ranks).toArray(),
                new int[ranks],
                LongStream.range(0, steps).toArray(),
                periods,
                own,
                own,
                new double[ranks][steps]);
    }
}
