// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LongRunMeansTest {
    /** Of 400 tests at 5 %, with 95 %. */
    private static final int MOST_FALSE = 27;

    private static Confidence mean(double... values) {
        return LongRunMeans.of(List.of(values)).mean(0);
    }

    private static double[] series(RandomGenerator random, int n, double alike, double throttle) {
        double[] values = new double[n];
        double course = random.nextGaussian();
        for (int t = 0; t < n; t++) {
            values[t] = 100 + course + throttle * t / n;
            course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
        }
        return values;
    }

    /** Values that swing: one cosine of weights 0.924, 0.383, -0.383, -0.924, of which twice the squared sum over 4 counts. */
    @Test
    void fewValuesAreJudgedByTheirSlowCourse() {
        double sum = 0.9238795 * (1 - 6) + 0.3826834 * (5 - 2);

        Confidence mean = mean(1, 5, 2, 6);

        assertThat(mean.mean()).isEqualTo(3.5);
        assertThat(mean.reach()).isCloseTo(12.70620 * Math.sqrt(sum * sum / 2 / 4), within(1e-3));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(mean(1).isKnown()).isFalse();
        assertThat(mean().mean()).isNaN();
        assertThat(LongRunMeans.of(List.of(new double[] {1}, new double[] {2}))
                        .difference(1, 0, 1)
                        .mean())
                .isEqualTo(1);
    }

    @Test
    void whatIsMissingIsLeftOut() {
        assertThat(mean(1, Double.NaN, 3).count()).isEqualTo(2);
        Confidence difference = LongRunMeans.of(List.of(new double[] {1, Double.NaN, 2, 3}, new double[] {2, 5, 3, 4}))
                .difference(1, 0, 1);
        assertThat(difference.count()).isEqualTo(3);
        assertThat(difference.low()).isEqualTo(1);
    }

    @Test
    void aCourseThatAllShareCancelsOut() {
        double[] one = {10, 12, 14, 16, 18.1, 20};
        double[] other = {11, 13, 15.1, 17, 19, 21};
        Confidence paired = LongRunMeans.of(List.of(one, other)).difference(1, 0, 1);

        assertThat(paired.mean()).isCloseTo(1, within(1e-9));
        assertThat(paired.excludesZero()).isTrue();
        assertThat(mean(one).reach()).isGreaterThan(10);
    }

    @ParameterizedTest
    @CsvSource({
        "20, 20, 0, 0",
        "20, 20, 0.5, 0",
        "60, 60, 0.6, 0",
        "6, 6, 0.5, 0",
        "20, 20, 0.3, 20",
        "30, 12, 0.5, 0",
        "30, 12, 0.3, 20"
    })
    void runsWithoutADifferenceAreToldApartInNoMoreThanOneOfTwenty(int n, int m, double alike, double throttle) {
        int told = 0;
        for (int seed = 1; seed <= 400; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            List<double[]> two = List.of(series(random, n, alike, throttle), series(random, m, alike, throttle));
            told += LongRunMeans.of(two).difference(1, 0, 1).excludesZero() ? 1 : 0;
        }
        assertThat(told).isLessThanOrEqualTo(MOST_FALSE);
    }

    /** One of the series scatters five times as much as the others. */
    @Test
    void ofSeveralSeriesNoneIsToldApartByChance() {
        int told = 0;
        for (int seed = 1; seed <= 400; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            List<double[]> several = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                double[] values = series(random, 24, 0.4, 0);
                for (int t = 0; t < values.length && i == 0; t++) {
                    values[t] = 100 + 5 * (values[t] - 100);
                }
                several.add(values);
            }
            LongRunMeans means = LongRunMeans.of(several);
            boolean any = false;
            for (int i = 0; i < several.size(); i++) {
                for (int k = 0; k < i; k++) {
                    any |= means.difference(i, k, 15).excludesZero();
                }
            }
            told += any ? 1 : 0;
        }
        assertThat(told).isLessThanOrEqualTo(MOST_FALSE);
    }
}
