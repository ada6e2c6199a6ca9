// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantilesTest {
    private static final double[] FOUR = {1, 2, 4, 9};
    private static final long[] FIVE = {-7, -4, 1, 6, 20};

    @Test
    void mediansAreTheMeanOfTheTwoInTheMiddle() {
        assertThat(Quantiles.median(FOUR, 4)).isEqualTo(3);
        assertThat(Quantiles.median(FOUR, 3)).isEqualTo(2);
        assertThat(Quantiles.median(FIVE, 5)).isEqualTo(1);
        assertThat(Quantiles.median(FIVE, 2)).isEqualTo(-5.5);
        assertThat(Quantiles.lowerMedian(FOUR, -1)).isEqualTo(2);
        assertThat(Quantiles.lowerMedian(new double[0], -1)).isEqualTo(-1);
    }

    @Test
    void mediansThatOccurredAreOneOfTheTwoInTheMiddle() {
        assertThat(Quantiles.lowerMedian(new long[] {1, 2, 4, 9}, -1)).isEqualTo(2);
        assertThat(Quantiles.lowerMedian(new long[0], -1)).isEqualTo(-1);
        assertThat(Quantiles.lowerMedianOf(new long[] {9, 2, 4, 1})).isEqualTo(2);
        assertThat(Quantiles.upperMedian(new long[] {1, 2, 4, 9}, -1)).isEqualTo(4);
        assertThat(Quantiles.upperMedian(FIVE, -1)).isEqualTo(1);
        assertThat(Quantiles.upperMedian(new long[0], -1)).isEqualTo(-1);
        assertThat(Quantiles.upperMedian(FOUR, -1)).isEqualTo(4);
        assertThat(Quantiles.upperMedian(new double[0], -1)).isEqualTo(-1);
    }

    @Test
    void valuesNeedNotBeSorted() {
        double[] values = {9, 1, 4, 2};
        assertThat(Quantiles.medianOf(values, -1)).isEqualTo(3);
        assertThat(values).containsExactly(1, 2, 4, 9);
        assertThat(Quantiles.medianOf(new double[0], -1)).isEqualTo(-1);
    }

    @Test
    void aShareOfTheValuesPrecedesTheOneThere() {
        assertThat(Quantiles.at(FIVE, 0, -1)).isEqualTo(-7);
        assertThat(Quantiles.at(FIVE, 0.2, -1)).isEqualTo(-4);
        assertThat(Quantiles.at(FIVE, 0.99, -1)).isEqualTo(20);
        assertThat(Quantiles.at(new long[0], 0.5, -1)).isEqualTo(-1);
    }

    @Test
    void deviationsAreThoseOfSamples() {
        assertThat(Quantiles.deviation(new double[] {1, 3, 5, 100}, 3, 3)).isEqualTo(2);
        assertThat(Quantiles.deviation(new long[] {1, 3, 5}, 3)).isEqualTo(2);
        assertThat(Quantiles.squares(new long[] {1, 3, 5}, 3)).isEqualTo(8);
        assertThat(Quantiles.deviation(new long[] {7}, 7)).isNaN();
        assertThat(Quantiles.deviation(FOUR, 0, 0)).isNaN();
    }

    @Test
    void wholeMediansRoundDownAndDoNotOverflow() {
        assertThat(Quantiles.wholeMedian(new long[] {-4, -1})).isEqualTo(-3);
        assertThat(Quantiles.wholeMedian(new long[] {3, 6})).isEqualTo(4);
        assertThat(Quantiles.wholeMedian(new long[] {Long.MAX_VALUE - 2, Long.MAX_VALUE}))
                .isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void quantilesLieBetweenTheNearestValuesOrAreOneOfThem() {
        assertThat(Quantiles.interpolated(FOUR, 0)).isEqualTo(1);
        assertThat(Quantiles.interpolated(FOUR, 0.5)).isEqualTo(3);
        assertThat(Quantiles.interpolated(FOUR, 1)).isEqualTo(9);
        assertThat(Quantiles.interpolated(FIVE, 0.875)).isEqualTo(13);
        assertThat(Quantiles.nearestRank(FIVE, 0)).isEqualTo(-7);
        assertThat(Quantiles.nearestRank(FIVE, 20)).isEqualTo(-7);
        assertThat(Quantiles.nearestRank(FIVE, 21)).isEqualTo(-4);
        assertThat(Quantiles.nearestRank(FIVE, 50)).isEqualTo(1);
        assertThat(Quantiles.nearestRank(FIVE, 100)).isEqualTo(20);
    }

    /** Against the plain median of values that stand as often as they weigh. */
    @Test
    void aWeightedMedianCountsEachValueAsOftenAsItWeighs() {
        Random random = new Random(5);
        for (int trial = 0; trial < 200; trial++) {
            int count = 1 + random.nextInt(9);
            double[] values = new double[count];
            double[] weights = new double[count];
            List<Double> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values[i] = random.nextInt(6) / 4.0;
                weights[i] = random.nextInt(4);
                all.addAll(Collections.nCopies((int) weights[i], values[i]));
            }
            double[] sorted = all.stream().mapToDouble(v -> v).sorted().toArray();
            assertThat(Quantiles.weightedMedian(values, weights))
                    .isEqualTo(Double.valueOf(Quantiles.lowerMedian(sorted, Double.NaN)));
        }
        assertThat(Quantiles.weightedMedian(new double[0], new double[0])).isNaN();
    }
}
