// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.StepsByRank.Step;
import org.junit.jupiter.api.Test;

class StepsByRankTest {
    private static final double NONE = Double.NaN;

    private final StepsByRank steps = new StepsByRank();

    /** Steps begin every 100 ns, end 10 ns before the next, and communicate for 30 ns. */
    private void add(int rank, int index, long number, long begin) {
        steps.add(rank, new Step(number, index, 1, new long[] {100 * begin, 90, 50, 30, 5}));
    }

    private FleetSteps found() {
        return steps.sideBySide(new int[steps.ranks().length]);
    }

    @Test
    void numbersOfStepsAreMatched() {
        for (int i = 0; i < 3; i++) {
            add(0, i, 5_000_000_000L + i, i);
            add(1, i, 5_000_000_000L + i, i);
            add(2, i, 5_000_000_002L + i, 2 + i);
        }
        FleetSteps found = found();
        assertThat(found.ranks()).containsExactly(0, 1, 2);
        assertThat(found.steps())
                .containsExactly(5_000_000_000L, 5_000_000_001L, 5_000_000_002L, 5_000_000_003L, 5_000_000_004L);
        assertThat(found.own()[0]).containsExactly(70, 70, 60, NONE, NONE);
        assertThat(found.own()[2]).containsExactly(NONE, NONE, 60, 70, 60);
        assertThat(found.withOtherSteps()).containsExactly(2);
    }

    @Test
    void aStepWhoseSuccessorLostItsMarkIsNotLonger() {
        for (int i = 0; i < 4; i++) {
            for (int rank = 0; rank < 3; rank++) {
                if (rank < 2 || i != 2) {
                    add(rank, rank == 2 && i == 3 ? 2 : i, 10 + i, i);
                }
            }
        }
        FleetSteps found = found();
        assertThat(found.period()[0]).containsExactly(100, 100, 100, 90);
        assertThat(found.period()[2]).containsExactly(100, 90, NONE, 90);
    }

    @Test
    void whereARankHasNoNumbersOrOneTwicePlacesAreMatched() {
        add(0, 0, 7, 0);
        add(0, 1, 8, 1);
        add(1, 0, 9, 0);
        add(1, 1, 9, 1);
        assertThat(found().steps()).containsExactly(7, 8);
        add(1, 2, -1, 2);
        FleetSteps found = found();
        assertThat(found.steps()).containsExactly(7, 8, -1);
        assertThat(found.own()[1]).containsExactly(70, 60, 60);
    }

    @Test
    void whatRunsIntoTheNextStepIsNotTakenOffTwice() {
        steps.add(0, new Step(1, 0, 1, new long[] {0, 140, 10, 130, 0}));
        steps.add(0, new Step(2, 1, 1, new long[] {100, 140, 10, 130, 0}));
        assertThat(found().own()[0]).containsExactly(10, 10);
    }
}
