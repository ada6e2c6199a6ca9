// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

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
}
