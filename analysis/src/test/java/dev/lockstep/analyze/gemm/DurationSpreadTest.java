// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DurationSpreadTest {
    @Test
    void statisticsAreThoseComputedByHand() {
        DurationSpread spread = DurationSpread.of(new long[] {10, 50, 20, 30, 40});

        assertThat(spread.count()).isEqualTo(5);
        assertThat(spread.mean()).isEqualTo(30);
        assertThat(spread.sigma()).isCloseTo(Math.sqrt(250), within(1e-12));
        assertThat(spread.variation()).isCloseTo(Math.sqrt(250) / 30 * 100, within(1e-9));
        assertThat(spread.p50()).isEqualTo(30);
        assertThat(spread.p95()).isCloseTo(48, within(1e-9));
        assertThat(spread.p99()).isCloseTo(49.6, within(1e-9));
        assertThat(spread.mad()).isEqualTo(10);
        assertThat(spread.range()).isEqualTo(40);
        assertThat(spread.sum()).isEqualTo(150);
    }

    /** Above the median of 30 lie 10 and 20; the longest counts as the one before it: 10 and 10. */
    @Test
    void lostTimeIsWhatLiesAboveTheMedian() {
        assertThat(DurationSpread.of(new long[] {10, 20, 30, 40, 50}).lost()).isEqualTo(20);
        assertThat(DurationSpread.of(new long[] {10, 20, 30, 40, 5_000}).lost()).isEqualTo(20);
    }

    @Test
    void oneOutlierWeighsLessThanASlowHalf() {
        long[] outlier = new long[100];
        Arrays.fill(outlier, 1_000);
        outlier[99] = 50_000;
        long[] half = new long[100];
        for (int i = 0; i < half.length; i++) {
            half[i] = i % 5 < 2 ? 1_120 : 1_000;
        }

        assertThat(DurationSpread.of(outlier).range())
                .isGreaterThan(DurationSpread.of(half).range());
        assertThat(DurationSpread.of(outlier).lost()).isZero();
        assertThat(DurationSpread.of(half).lost()).isEqualTo(40 * 120);
    }

    @Test
    void oneDurationHasNoScatter() {
        DurationSpread spread = DurationSpread.of(new long[] {7});

        assertThat(spread.sigma()).isNaN();
        assertThat(spread.p99()).isEqualTo(7);
        assertThat(spread.mad()).isZero();
        assertThat(spread.lost()).isZero();
    }
}
