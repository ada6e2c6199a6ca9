// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.replay.plan.Timing;
import org.junit.jupiter.api.Test;

class TimeSamplesTest {
    private static final int MANY = 40 * TimeSamples.MOST;

    @Test
    void fewAreAllKept() {
        TimeSamples samples = new TimeSamples();
        for (long ns : new long[] {50, 10, 40, 20, 30}) {
            samples.add(ns);
        }

        assertThat(samples.seen()).isEqualTo(5);
        assertThat(samples.timing()).isEqualTo(Timing.of(new long[] {50, 10, 40, 20, 30}));
    }

    @Test
    void ofManyAChoiceIsKeptThatIsLikeAll() {
        TimeSamples samples = new TimeSamples();
        for (int i = 0; i < MANY; i++) {
            samples.add(i); // that they come in order must not matter
        }
        Timing timing = samples.timing();

        assertThat(samples.seen()).isEqualTo(MANY);
        assertThat(timing.runs()).isEqualTo(TimeSamples.MOST);
        assertThat(timing.min()).isZero();
        assertThat(timing.median()).isBetween(MANY * 48L / 100, MANY * 52L / 100);
        assertThat(timing.p10()).isBetween(MANY * 9L / 100, MANY * 11L / 100);
        assertThat(timing.p90()).isBetween(MANY * 89L / 100, MANY * 91L / 100);
    }

    @Test
    void aPeriodOfExecutionsDoesNotFalsifyTheChoice() {
        TimeSamples samples = new TimeSamples();
        for (int i = 0; i < MANY; i++) {
            samples.add(i % 32 == 0 ? 1000 : 10);
        }

        assertThat(samples.timing().median()).isEqualTo(10);
        assertThat(samples.timing().p90()).isEqualTo(10);
    }

    @Test
    void theyBeginAnew() {
        TimeSamples samples = new TimeSamples();
        samples.add(3);
        samples.clear();
        samples.add(7);

        assertThat(samples.timing()).isEqualTo(Timing.of(new long[] {7}));
    }
}
