// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.SlowRanks.Course;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How often chance alone makes a rank slow, in all steps, in some, or more and more; and how often a rank that is slow is found.
 * {@code -Dchance.seeds=400} makes the rows of docs/concepts/chance.md.
 */
class SlowRanksChanceTest {
    private static final int SEEDS = Integer.getInteger("chance.seeds", 80);

    /** What a true rate of 5 % stays under in 95 of 100 trials, 27 of 400; with fewer seeds, in all of the 144 trials here. */
    private static final double DEVIATIONS = SEEDS < 400 ? 2.5 : 1.645;

    private static final int MOST_FALSE = (int) (0.05 * SEEDS + DEVIATIONS * Math.sqrt(0.05 * 0.95 * SEEDS));
    private static final double STEP = 10_000_000;

    /** What makes steps of a rank longer than others by chance. */
    private enum Noise {
        INDEPENDENT,
        /** Neighbouring steps are alike by half. */
        ALIKE,
        /** A host that is late by little mostly, and by much now and then. */
        LOG_NORMAL,
        /** The same with no bound on how much. */
        PARETO,
        /** One step of twelve meets a pause of any length up to a third of a step. */
        PAUSES,
        /** One step of twelve meets a pause of one length. */
        EQUAL_PAUSES,
        /** In each step another rank pauses. */
        TURNS,
        /** All get slower by a quarter over the run, neighbours are alike. */
        ALL_THROTTLE;

        double[][] draw(RandomGenerator random, int ranks, int steps, double scatter) {
            double[][] own = new double[ranks][steps];
            double[] common = random.doubles(steps, 0.9, 1.2).toArray();
            for (double[] of : own) {
                double lasting = 1 + 0.002 * random.nextGaussian();
                double course = random.nextGaussian();
                double alike = this == ALIKE || this == ALL_THROTTLE ? 0.5 : 0;
                for (int s = 0; s < steps; s++) {
                    double more = switch (this) {
                        case LOG_NORMAL -> scatter * Math.exp(1.5 * random.nextGaussian());
                        case PARETO -> scatter * Math.pow(1 - random.nextDouble(), -1 / 1.5);
                        case PAUSES -> random.nextInt(12) == 0 ? random.nextDouble() / 3 : 0;
                        case EQUAL_PAUSES -> random.nextInt(12) == 0 ? 0.25 : 0;
                        default -> 0;
                    };
                    double rise = this == ALL_THROTTLE ? 1 + 0.25 * s / steps : 1;
                    of[s] = STEP * common[s] * rise * lasting * (1 + scatter * course + more);
                    course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
                }
            }
            for (int s = 0; s < steps && this == TURNS; s++) {
                own[random.nextInt(ranks)][s] *= 1.2;
            }
            return own;
        }
    }

    private static SlowRanks of(double[][] own) {
        int ranks = own.length;
        int steps = own[0].length;
        double[] longest = new double[steps];
        Arrays.setAll(
                longest, s -> Arrays.stream(own).mapToDouble(of -> of[s]).max().orElse(0));
        double[][] period = new double[ranks][];
        Arrays.fill(period, longest);
        return SlowRanks.of(new FleetSteps(
                IntStream.range(0, ranks).toArray(),
                new int[ranks],
                LongStream.range(0, steps).toArray(),
                period,
                own,
                own,
                new double[ranks][steps]));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 8, 0.02", "2, 20, 0.005", "3, 8, 0.02", "4, 4, 0.02", "4, 6, 0.005", "4, 9, 0.005", "4, 9, 0.02",
                "4, 12, 0.06", "8, 4, 0.02",
        "8, 6, 0.02", "8, 9, 0.005", "8, 12, 0.02", "8, 20, 0.06", "16, 6, 0.02", "4, 8, 0.005", "2, 6, 0.005",
                "2, 9, 0.005", "8, 8, 0.005"
    })
    void chanceAloneMakesNobodySlow(int ranks, int steps, double scatter) {
        StringBuilder all = new StringBuilder();
        int worst = 0;
        for (Noise noise : Noise.values()) {
            Map<Course, Integer> wrong = new EnumMap<>(Course.class);
            int any = 0;
            for (int seed = 1; seed <= SEEDS; seed++) {
                SlowRanks found = of(noise.draw(new SplittableRandom(seed), ranks, steps, scatter));
                any += found.slow().isEmpty() ? 0 : 1;
                found.slow().stream().map(Slow::course).distinct().forEach(c -> wrong.merge(c, 1, Integer::sum));
            }
            worst = Math.max(worst, any);
            all.append(noise).append(": ").append(any).append(' ').append(wrong).append("; ");
        }
        assertThat(worst).as(all.toString()).isLessThanOrEqualTo(MOST_FALSE);
    }

    /** What makes one rank slow, and in how many of a hundred runs it is found at least. */
    private enum Cause {
        STALL_3(95),
        CHECKPOINT_4(95),
        THROTTLE(98),
        LOADER(95),
        DEVICE(98);

        private final int least;

        Cause(int least) {
            this.least = least;
        }

        void plant(double[] own, RandomGenerator random) {
            for (int s = 0; s < own.length; s++) {
                own[s] += STEP
                        * switch (this) {
                            case STALL_3 -> s % 3 == 0 ? 0.3 : 0;
                            case CHECKPOINT_4 -> s % 4 == 3 ? 0.5 : 0;
                            case THROTTLE -> 0.25 * s / (own.length - 1);
                            case LOADER -> -0.1 * Math.log(1 - random.nextDouble());
                            case DEVICE -> 0.1;
                        };
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 8, 0.005", "4, 12, 0.01", "8, 8, 0.005", "16, 8, 0.005"})
    void slowRanksAreFound(int ranks, int steps, double scatter) {
        for (Cause cause : Cause.values()) {
            for (Noise noise : List.of(Noise.INDEPENDENT, Noise.ALIKE)) {
                int found = 0;
                for (int seed = 1; seed <= SEEDS; seed++) {
                    double[][] own = noise.draw(new SplittableRandom(seed), ranks, steps, scatter);
                    cause.plant(own[1], new SplittableRandom(-seed));
                    SlowRanks slow = of(own);
                    found += slow.slow().size() == 1 && slow.slow().getFirst().rank() == 1 ? 1 : 0;
                }
                assertThat(100.0 * found / SEEDS).as("%s, %s", cause, noise).isGreaterThanOrEqualTo(cause.least);
            }
        }
    }
}
