// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void quartilesLieBetweenTheNearestValues() {
        Statistics values = new Statistics(new double[] {4, 1, 3, 2});

        assertThat(values.quantile(0.25)).isEqualTo(1.75);
        assertThat(values.quantile(0.5)).isEqualTo(2.5);
        assertThat(values.quantile(0.75)).isEqualTo(3.25);
        assertThat(values.mean()).isEqualTo(2.5);
    }

    /** Quartiles 2 and 4: the fences are -1 and 7. */
    @Test
    void whiskersEndAtTheFarthestValuesWithinTheFences() {
        Statistics values = new Statistics(new double[] {-5, 2, 2, 3, 3, 4, 4, 6.5, 20});

        assertThat(values.quantile(0.25)).isEqualTo(2);
        assertThat(values.quantile(0.75)).isEqualTo(4);
        assertThat(values.lowerWhisker()).isEqualTo(2);
        assertThat(values.upperWhisker()).isEqualTo(6.5);
    }

    @Test
    void whatIsNotFiniteDoesNotCount() {
        Statistics values = new Statistics(new double[] {Double.NaN, 5, Double.POSITIVE_INFINITY});

        assertThat(values.count()).isEqualTo(1);
        assertThat(values.max()).isEqualTo(5);
    }

    @Test
    void theMeanOfHugeValuesIsFinite() {
        assertThat(new Statistics(new double[] {1.5e308, 1.5e308}).mean()).isEqualTo(1.5e308);
    }
}
