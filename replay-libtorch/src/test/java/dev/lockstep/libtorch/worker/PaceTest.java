// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private long now = 5_000;

    @Test
    void executionsGoOnUntilThreeQuartersOfTheTimeAreOver() {
        Pace pace = new Pace(1000, () -> now);
        for (int execution = 1; execution <= 75; execution++) {
            assertThat(isOverAfter(pace, 10)).as("execution %d", execution).isFalse();
        }
        assertThat(isOverAfter(pace, 1)).isTrue();
    }

    @Test
    void anotherExecutionMustFitIntoNineTenthsOfTheTime() {
        assertThat(isOverAfter(new Pace(1000, () -> now), 450)).isFalse();
        assertThat(isOverAfter(new Pace(1000, () -> now), 451)).isTrue();
    }

    @Test
    void theLongestExecutionCountsNotTheLast() {
        Pace pace = new Pace(1000, () -> now);
        assertThat(isOverAfter(pace, 400)).isFalse();
        assertThat(isOverAfter(pace, 100)).isFalse();
        assertThat(isOverAfter(pace, 1)).isTrue();
    }

    @Test
    void whatWasDoneBeforeALapIsNoExecution() {
        Pace pace = new Pace(1000, () -> now);
        now += 700;
        pace.lap();
        assertThat(isOverAfter(pace, 10)).isFalse();
    }

    @Test
    void theClockOfTheMachineIsTheDefault() {
        assertThat(new Pace(3_600_000_000_000L).isOver()).isFalse();
        assertThat(new Pace(-1).isOver()).isTrue();
    }

    private boolean isOverAfter(Pace pace, long execution) {
        now += execution;
        return pace.isOver();
    }
}
