// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.gemm.Slowdown.Verdict;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ContrastTest {
    private static LogMoments moments(long... durations) {
        LogMoments moments = new LogMoments();
        for (long duration : durations) {
            moments.add(duration);
        }
        return moments;
    }

    private static Slowdown slowdown(LogMoments with, LogMoments without) {
        Contrast contrast = new Contrast();
        contrast.add(with, without);
        return contrast.slowdown();
    }

    /** Computed apart, with 8.1637 degrees of freedom. */
    @Test
    void oneStratumIsWelchsTestOnLogarithms() {
        Slowdown slowdown = slowdown(moments(112, 118, 121, 109, 115, 124), moments(100, 96, 103, 99, 105, 101, 98));

        assertThat(slowdown.percent()).isCloseTo(16.1011733, within(1e-6));
        assertThat(slowdown.low()).isCloseTo(10.1825001, within(1e-5));
        assertThat(slowdown.high()).isCloseTo(22.3377798, within(1e-5));
        assertThat(slowdown.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(slowdown.words()).isEqualTo("slowed by 16.1 % (95 % CI 10.2 to 22.3), 6 runs beside 7 without");
    }

    /** Computed apart, with 5 degrees of freedom. */
    @Test
    void smallGroupsAreComparedByTheirCommonScatter() {
        Slowdown slowdown = slowdown(moments(110, 120, 115), moments(100, 104, 99, 101));

        assertThat(slowdown.percent()).isCloseTo(13.8089580, within(1e-6));
        assertThat(slowdown.low()).isCloseTo(6.8645134, within(1e-5));
        assertThat(slowdown.high()).isCloseTo(21.2046777, within(1e-5));
    }

    @Test
    void levelsOfStrataDoNotPassForAnEffect() {
        Contrast mixed = new Contrast();
        Contrast apart = new Contrast();
        // The long shape is nearly always overlapped, the short one hardly ever; communication changes nothing.
        LogMoments shortOnes = moments(100, 101, 99, 100, 102, 98);
        LogMoments longOnes = moments(500, 505, 495, 500, 510, 490);
        apart.add(moments(100), shortOnes);
        apart.add(longOnes, moments(500));
        mixed.add(moments(100, 500, 505, 495, 500, 510, 490), moments(500, 100, 101, 99, 100, 102, 98));

        assertThat(apart.slowdown().verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(apart.slowdown().percent()).isCloseTo(0, within(0.5));
        assertThat(mixed.slowdown().percent()).isGreaterThan(100);
    }

    @Test
    void sumsOfRanksMayBeAdded() {
        Contrast whole = new Contrast();
        Contrast one = new Contrast();
        Contrast other = new Contrast();
        whole.add(moments(110, 112, 115, 111), moments(100, 101, 99));
        whole.add(moments(220, 230, 225, 221), moments(200, 201, 202));
        one.add(moments(110, 112, 115, 111), moments(100, 101, 99));
        other.add(moments(220, 230, 225, 221), moments(200, 201, 202));
        one.add(other);

        assertThat(one.slowdown()).isEqualTo(whole.slowdown());
    }

    @Test
    void whatCannotBeComparedIsSaid() {
        assertThat(slowdown(moments(), moments(1, 2, 3)).verdict()).isEqualTo(Verdict.NEVER_OVERLAPPED);
        assertThat(slowdown(moments(1, 2, 3), moments()).verdict()).isEqualTo(Verdict.NO_CONTROL);
        Slowdown few = slowdown(moments(10, 11, 12), moments(10, 11));
        assertThat(few.verdict()).isEqualTo(Verdict.TOO_FEW);
        assertThat(few.percent()).isNotNaN();
        assertThat(few.low()).isNaN();
        Contrast apart = new Contrast();
        apart.add(moments(1, 2, 3, 4), moments());
        apart.add(moments(), moments(1, 2, 3, 4));
        assertThat(apart.slowdown().verdict()).isEqualTo(Verdict.TOO_FEW);
        assertThat(apart.slowdown().percent()).isNaN();
    }

    @Test
    void equalDurationsHaveAnIntervalOfNoWidth() {
        Slowdown slowdown = slowdown(moments(120, 120, 120, 120), moments(100, 100, 100, 100));

        assertThat(slowdown.percent()).isCloseTo(20, within(1e-9));
        assertThat(slowdown.low()).isEqualTo(slowdown.high());
    }

    /** Of many intervals about nineteen in twenty hold the truth; the seed is fixed. */
    @Test
    void intervalsHoldTheTruthAsOftenAsTheySay() {
        SplittableRandom random = new SplittableRandom(11);
        int held = 0;
        int runs = 1_000;
        for (int run = 0; run < runs; run++) {
            Contrast contrast = new Contrast();
            for (int stratum = 0; stratum < 4; stratum++) {
                double level = 50_000 * (1 + stratum);
                contrast.add(sample(random, 5, level * 1.12, 0.05), sample(random, 4, level, 0.02));
            }
            Slowdown slowdown = contrast.slowdown();
            held += slowdown.low() <= 12 && slowdown.high() >= 12 ? 1 : 0;
        }

        assertThat(held).isBetween(925, 975);
    }

    private static LogMoments sample(SplittableRandom random, int n, double level, double sigma) {
        LogMoments moments = new LogMoments();
        for (int i = 0; i < n; i++) {
            moments.add(Math.round(level * Math.exp(sigma * random.nextGaussian())));
        }
        return moments;
    }
}
