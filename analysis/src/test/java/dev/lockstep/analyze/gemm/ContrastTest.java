// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.gemm.Slowdown.Verdict;
import org.junit.jupiter.api.Test;

class ContrastTest {
    /** Kernels one after the other, each beside its neighbours: those with a plus meet communication. */
    private static Contrast of(String overlapped, double... logarithms) {
        Contrast contrast = new Contrast();
        for (int k = 0; k < logarithms.length; k++) {
            contrast.count(overlapped.charAt(k) == '+');
            int from = Math.max(0, k - 1);
            int to = Math.min(logarithms.length - 1, k + 1);
            double with = 0;
            double sum = 0;
            for (int other = from; other <= to; other++) {
                with += other != k && overlapped.charAt(other) == '+' ? 1.0 / (to - from) : 0;
                sum += other != k ? logarithms[other] / (to - from) : 0;
            }
            contrast.add(k, (overlapped.charAt(k) == '+' ? 1 : 0) - with, logarithms[k] - sum);
        }
        return contrast;
    }

    @Test
    void theEffectIsTheSlopeBetweenNeighbours() {
        double log = Math.log(1.2);
        Slowdown slowdown = of("+--+-++-", log, 0, 0, log, 0, log, log, 0).slowdown();

        assertThat(slowdown.percent()).isCloseTo(20, within(1e-9));
        assertThat(slowdown.isKnown()).isFalse();
        assertThat(slowdown.verdict()).isEqualTo(Verdict.REPEATS);
        assertThat(slowdown.words())
                .isEqualTo("times repeat exactly, no scatter to judge by: +20.0 %, 4 runs against 4 without");
        assertThat(of("+--+-++-", log, 0, 0, log + 0.001, 0, log, log, 0)
                        .slowdown()
                        .verdict())
                .isEqualTo(Verdict.SLOWER);
    }

    /** Clocks sink, and communication runs in the later half: only its first kernel has neighbours of both kinds. */
    @Test
    void aSlowCourseDoesNotPassForAnEffect() {
        double[] logarithms = new double[20];
        for (int k = 0; k < logarithms.length; k++) {
            logarithms[k] = 0.01 * k;
        }
        Slowdown slowdown = of("----------++++++++++", logarithms).slowdown();

        assertThat(slowdown.percent()).isLessThan(1.1);
        assertThat(slowdown.verdict()).isNotEqualTo(Verdict.SLOWER);
    }

    @Test
    void anEffectBelowOnePercentIsNoWarning() {
        double log = Math.log(1.005);
        Slowdown slowdown =
                of("+--+-++-", log, 0, 0, log + 1e-5, 0, log, log, 0).slowdown();

        assertThat(slowdown.verdict()).isEqualTo(Verdict.SLIGHT);
        assertThat(slowdown.words()).startsWith("differs by less than 1 %: +0.5 % (95 % CI 0.5 to 0.5)");
    }

    @Test
    void sumsOfRanksMayBeAdded() {
        Contrast sum = of("+-+-+-", 0.1, 0, 0.12, 0.01, 0.1, 0);
        Contrast twice = of("+-+-+-", 0.1, 0, 0.12, 0.01, 0.1, 0);
        Slowdown one = sum.slowdown();
        sum.add(twice);

        assertThat(sum.slowdown().overlapped()).isEqualTo(6);
        assertThat(sum.slowdown().percent()).isCloseTo(one.percent(), within(1e-9));
        // Two ranks that meet the same collectives are no two samples.
        assertThat(sum.slowdown().low()).isCloseTo(one.low(), within(1e-9));
    }

    @Test
    void whatCannotBeComparedIsSaid() {
        assertThat(of("---", 1, 2, 3).slowdown().verdict()).isEqualTo(Verdict.NEVER_OVERLAPPED);
        assertThat(of("+++", 1, 2, 3).slowdown().verdict()).isEqualTo(Verdict.NO_CONTROL);
        Slowdown few = of("+-+-+", 1, 2, 1, 2, 1).slowdown();
        assertThat(few.verdict()).isEqualTo(Verdict.TOO_FEW);
        assertThat(few.percent()).isNotNaN();
        assertThat(few.low()).isNaN();
    }
}
