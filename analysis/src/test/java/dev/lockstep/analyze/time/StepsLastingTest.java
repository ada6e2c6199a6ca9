// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepsLastingTest {
    @Test
    void aStepLastsUntilTheNextAndTheLastAsOthersDo() {
        assertThat(StepTimeline.lasting(new double[] {0, 10, 21}, new double[] {8, 9, 7}))
                .containsExactly(10, 11, 9);
    }

    @Test
    void withoutBeginningsAStepLastsForItsSpan() {
        assertThat(StepTimeline.lasting(new double[] {Double.NaN, Double.NaN}, new double[] {8, 9}))
                .containsExactly(8, 9);
        assertThat(StepTimeline.lasting(new double[] {}, new double[] {})).isEmpty();
    }
}
