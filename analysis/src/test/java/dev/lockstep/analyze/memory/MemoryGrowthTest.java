// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.Confidence;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryGrowthTest {
    private static final int RUNS = 400;
    private static final double MEBI = 1 << 20;

    @Test
    void slopeIsTheMedianOfAllPairs() {
        // slopes of pairs: 1, 4, 2, 7, 2.5, -2
        Confidence growth = MemoryGrowth.of(new long[] {0, 1, 8, 6});

        assertThat(growth.mean()).isEqualTo(2.25);
        assertThat(growth.low()).isLessThan(0);
        assertThat(growth.high()).isGreaterThan(4);
    }

    @Test
    void ofThreeValuesTheIntervalIsStudents() {
        // 0, 3, 4: slope 2, residuals -1/3, 2/3, -1/3 about the line; variance 2/3 over 1, spread 2; t of one degree is
        // 12.706
        Confidence growth = MemoryGrowth.of(new long[] {0, 3, 4});

        assertThat(growth.mean()).isEqualTo(2);
        double half = 12.7062047 * Math.sqrt(2.0 / 3 / 2);
        assertThat(growth.high() - growth.mean()).isCloseTo(half, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 20, 300})
    void anExactLineHasNoScatter(int steps) {
        long[] line =
                LongStream.range(0, steps).map(step -> (1L << 35) + step * 512).toArray();

        assertThat(MemoryGrowth.of(line))
                .extracting(Confidence::low, Confidence::mean, Confidence::high)
                .containsExactly(512.0, 512.0, 512.0);
        assertThat(MemoryGrowth.of(new long[steps]).high()).isZero();
    }

    @Test
    void ofManyValuesEquallyManyAreLookedAt() {
        long[] line = LongStream.range(0, 40_000).map(step -> step * 512).toArray();

        assertThat(MemoryGrowth.of(line).mean()).isEqualTo(512);
        assertThat(MemoryGrowth.of(line).count()).isEqualTo(MemoryGrowth.MOST);
        assertThat(MemoryGrowth.of(Arrays.copyOf(line, MemoryGrowth.MOST)).count())
                .isEqualTo(MemoryGrowth.MOST);
        assertThat(MemoryGrowth.of(Arrays.copyOf(line, MemoryGrowth.MOST + 1)).count())
                .isEqualTo(MemoryGrowth.MOST / 2);
    }

    @Test
    void memoryThatWarmsUpInTheFirstStepsDoesNotGrow() {
        for (int steps = 4; steps < 60; steps++) {
            long[] warm = new long[steps];
            Arrays.fill(warm, 1L << 30);
            warm[0] = 0;
            assertThat(MemoryGrowth.of(warm).low()).as("%d steps", steps).isNotPositive();
        }
    }

    @Test
    void twoStepsTellNothing() {
        assertThat(MemoryGrowth.of(new long[] {1, 5}).isKnown()).isFalse();
    }

    /** Steps that differ by chance alone are called a leak no more often than the upper side of 95 % allows: 10 of 400. */
    @ParameterizedTest
    @CsvSource({"3, 0", "4, 0", "5, 0", "8, 0", "20, 0", "100, 0", "5, 0.5", "8, 0.5", "20, 0.5", "100, 0.5"})
    void falseAlarmsAreAsRareAsTheIntervalSays(int steps, double alike) {
        assertThat(alarms(steps, alike, 0)).as("alarms of 400").isLessThanOrEqualTo(RUNS / 40);
    }

    @Test
    void aFirstStepThatIsNotWarmHidesNoLeak() {
        for (int steps = 6; steps < 40; steps++) {
            long[] values = LongStream.range(0, steps)
                    .map(step -> step == 0 ? 0 : (1L << 30) + (step << 20))
                    .toArray();
            assertThat(MemoryGrowth.of(values).low()).as("%d steps", steps).isPositive();
        }
    }

    @Test
    void aLeakOfHalfTheScatterIsFound() {
        assertThat(alarms(20, 0, MEBI / 2)).isGreaterThan(390);
    }

    private static int alarms(int steps, double alike, double leak) {
        int alarms = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            Random random = new Random(seed);
            long[] values = new long[steps];
            double rest = random.nextGaussian();
            for (int step = 0; step < steps; step++) {
                values[step] = Math.round(1e9 + leak * step + rest * MEBI);
                rest = alike * rest + Math.sqrt(1 - alike * alike) * random.nextGaussian();
            }
            alarms += MemoryGrowth.of(values).low() > 0 ? 1 : 0;
        }
        return alarms;
    }
}
