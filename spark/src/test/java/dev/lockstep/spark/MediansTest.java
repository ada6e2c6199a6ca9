// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MediansTest {
    @Test
    void ofTwoInTheMiddleTheMeanOrTheLower() {
        assertThat(Medians.between(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThat(Medians.between(new long[] {5, 1, 9})).isEqualTo(5);
        assertThat(Medians.lower(new long[] {4, 1, 3, 2})).isEqualTo(2);
        assertThat(Medians.lower(new long[] {7})).isEqualTo(7);
    }

    @Test
    void theDeviationIsTheMedianDistanceFromTheMedian() {
        // distances from 3 of 1 2 3 4 100: 2 1 0 1 97
        assertThat(Medians.deviation(new double[] {1, 2, 3, 4, 100})).isEqualTo(1);
    }
}
