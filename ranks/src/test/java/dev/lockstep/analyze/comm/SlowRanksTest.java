// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.SlowRanks.Where;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowRanksTest {
    private static final double STEP = 10_000_000;
    private static final double SCATTER = 0.01;

    /** Steps of ranks that differ by chance: ranks by a little all along, steps more, some steps by much. */
    private static double[][] chance(long seed, int ranks, int steps) {
        Random random = new Random(seed);
        double[][] own = new double[ranks][steps];
        double[] common = random.doubles(steps, 0.9, 1.3).toArray();
        for (double[] of : own) {
            double offset = 1 + 0.2 * SCATTER * random.nextGaussian();
            for (int s = 0; s < steps; s++) {
                double tail = random.nextInt(100) == 0 ? 3 * SCATTER * random.nextDouble() : 0;
                of[s] = STEP * common[s] * (offset + SCATTER * random.nextGaussian() + tail);
            }
        }
        return own;
    }

    private static FleetSteps run(double[][] own, double[][] computation) {
        int ranks = own.length;
        int steps = own[0].length;
        double[] longest = new double[steps];
        for (double[] of : own) {
            for (int s = 0; s < steps; s++) {
                longest[s] = Math.max(longest[s], of[s]);
            }
        }
        double[][] period = new double[ranks][];
        Arrays.fill(period, longest);
        return new FleetSteps(
                IntStream.range(0, ranks).toArray(),
                new int[ranks],
                IntStream.range(0, steps).mapToLong(s -> 100 + s).toArray(),
                period,
                own,
                computation,
                new double[ranks][steps]);
    }

    private static SlowRanks of(double[][] own) {
        return SlowRanks.of(run(own, own));
    }

    private static List<Integer> ranks(SlowRanks found) {
        return found.slow().stream().map(Slow::rank).sorted().toList();
    }

    /** Of as many runs as docs/concepts/chance.md counts, 27 of 400 would be wrong more often than once in twenty. */
    @ParameterizedTest
    @CsvSource({"8, 6, 400", "64, 4, 400", "64, 6, 400", "64, 30, 100", "1000, 6, 20"})
    void chanceAloneSeldomMakesARankSlow(int ranks, int steps, int runs) {
        int wrong = 0;
        for (int seed = 1; seed <= runs; seed++) {
            wrong += of(chance(seed, ranks, steps)).slow().isEmpty() ? 0 : 1;
        }
        assertThat(wrong).isLessThanOrEqualTo(runs / 50);
    }

    /** With single steps that are far longer, two of a few may meet one rank among many. */
    @ParameterizedTest
    @CsvSource({"256, 5, 0.03", "256, 4, 0.01", "1024, 4, 0.02", "64, 8, 0.05"})
    void longStepsThatMeetARankTwiceDoNotMakeItSlow(int ranks, int steps, double often) {
        int wrong = 0;
        for (int seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            double[][] own = chance(seed, ranks, steps);
            for (double[] of : own) {
                for (int s = 0; s < steps; s++) {
                    of[s] += random.nextDouble() < often ? 0.3 * STEP * random.nextDouble() : 0;
                }
            }
            wrong += of(own).slow().isEmpty() ? 0 : 1;
        }
        assertThat(wrong).isLessThanOrEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({"64, 6, 1.08", "1000, 6, 1.08", "300, 30, 1.04", "10000, 6, 1.1"})
    void slowRanksAreFoundAndNoOthers(int ranks, int steps, double factor) {
        for (int seed = 1; seed <= 2; seed++) {
            double[][] own = chance(seed, ranks, steps);
            List<Integer> planted = List.of(3, ranks / 2, ranks / 2 + 1, ranks - 1);
            for (int r : planted) {
                own[r] = Arrays.stream(own[r]).map(v -> v * factor).toArray();
            }
            SlowRanks found = of(own);
            assertThat(ranks(found)).isEqualTo(planted);
            assertThat(found.slow()).allSatisfy(slow -> {
                assertThat(slow.since()).isZero();
                assertThat(slow.ratio()).isCloseTo(factor, within(0.03));
            });
        }
    }

    @Test
    void theStepIsFoundFromWhichOnARankIsSlow() {
        for (int seed = 1; seed <= 20; seed++) {
            double[][] own = chance(seed, 200, 20);
            for (int s = 12; s < 20; s++) {
                own[7][s] *= 1.15;
            }
            assertThat(of(own).slow()).singleElement().satisfies(slow -> {
                assertThat(slow.rank()).isEqualTo(7);
                assertThat(slow.since()).isEqualTo(12);
            });
        }
    }

    @Test
    void aSingleLongStepIsAnIncident() {
        double[][] own = chance(1, 100, 10);
        own[5][3] *= 2;
        SlowRanks found = of(own);
        assertThat(found.slow()).isEmpty();
        assertThat(found.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.rank()).isEqualTo(5);
            assertThat(incident.step()).isEqualTo(3);
        });
    }

    @Test
    void whereTheTimeGoesIsTold() {
        double[][] computation = chance(1, 50, 8);
        double[][] own = new double[50][];
        for (int r = 0; r < 50; r++) {
            double host = r == 9 ? 2_000_000 : 500_000;
            own[r] = Arrays.stream(computation[r]).map(v -> v + host).toArray();
        }
        for (int s = 0; s < 8; s++) {
            own[20][s] += 1_500_000;
            computation[20][s] += 1_500_000;
        }
        SlowRanks found = SlowRanks.of(run(own, computation));
        assertThat(found.slow())
                .extracting(Slow::rank, Slow::where)
                .containsExactlyInAnyOrder(tuple(9, Where.HOST), tuple(20, Where.DEVICE));
    }

    @Test
    void slowRanksAreInOrderOfTheirExcess() {
        double[][] own = new double[20][5];
        for (double[] of : own) {
            Arrays.fill(of, STEP);
        }
        Arrays.fill(own[2], 1.3 * STEP);
        Arrays.fill(own[4], 1.2 * STEP);
        SlowRanks found = of(own);
        assertThat(found.slow()).extracting(Slow::rank).containsExactly(2, 4);
        assertThat(found.totalNs()).isCloseTo(5 * 1.3 * STEP, within(1.0));
    }

    /** Rank 3 was recorded later, where all ranks take longer; where it is alone, it is compared with nobody. */
    @ParameterizedTest
    @CsvSource({"4, 1", "40, 1", "4, 1.3", "40, 1.3"})
    void ranksAreComparedInTheStepsThatTheyShare(int ranks, double factor) {
        double[][] own = chance(1, ranks, 25);
        for (int r = 0; r < ranks; r++) {
            for (int s = 0; s < 25; s++) {
                boolean has = r == 3 ? s >= 10 : s < 15;
                own[r][s] = has ? own[r][s] * (s >= 10 ? 2 : 1) * (r == 3 ? factor : 1) : Double.NaN;
            }
        }
        SlowRanks found = of(own);
        assertThat(ranks(found)).isEqualTo(factor > 1 ? List.of(3) : List.of());
        assertThat(found.slow()).allSatisfy(slow -> {
            assertThat(slow.since()).isZero();
            assertThat(slow.ratio()).isCloseTo(factor, within(0.03));
            assertThat(slow.steps()).isEqualTo(5);
        });
        assertThat(run(own, own).withOtherSteps()).containsExactly(3);
        assertThat(run(own, own).compared()).isEqualTo(15);
    }

    @Test
    void aRankBesideThoseThatTakeNothingHasNoRatio() {
        double[][] own = new double[4][6];
        Arrays.fill(own[3], STEP);
        assertThat(of(own).slow()).singleElement().satisfies(slow -> {
            assertThat(slow.rank()).isEqualTo(3);
            assertThat(slow.ratio()).isNaN();
            assertThat(slow.times("others")).isEqualTo("longer than others, which take nothing");
        });
    }

    @Test
    void twoStepsTellNothing() {
        double[][] own = chance(1, 20, 2);
        own[3] = new double[] {5 * STEP, 5 * STEP};
        assertThat(of(own).slow()).isEmpty();
        assertThat(SlowRanks.canTell(run(own, own))).isFalse();
    }
}
