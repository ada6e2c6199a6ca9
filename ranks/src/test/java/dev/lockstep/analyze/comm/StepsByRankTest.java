// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.StepsByRank.Step;
import org.junit.jupiter.api.Test;

class StepsByRankTest {
    private static final double NONE = Double.NaN;

    private final StepsByRank steps = new StepsByRank();

    /** A step of 100 ns, 70 of them the rank's own. */
    private void add(int rank, int index, long number) {
        steps.add(rank, new Step(number, index, 100, 70, 50, 5));
    }

    private FleetSteps found() {
        return steps.sideBySide(new int[steps.ranks().length]);
    }

    /** Rank 2 begins with the third step, whose beginning it does not know as the others do. */
    @Test
    void numbersOfStepsAreMatched() {
        for (int i = 0; i < 3; i++) {
            add(0, i, 5_000_000_000L + i);
            add(1, i, 5_000_000_000L + i);
            add(2, i, 5_000_000_002L + i);
        }
        FleetSteps found = found();
        assertThat(found.ranks()).containsExactly(0, 1, 2);
        assertThat(found.steps())
                .containsExactly(5_000_000_000L, 5_000_000_001L, 5_000_000_002L, 5_000_000_003L, 5_000_000_004L);
        assertThat(found.own()[0]).containsExactly(70, 70, 70, NONE, NONE);
        assertThat(found.own()[2]).containsExactly(NONE, NONE, NONE, 70, 70);
        assertThat(found.withOtherSteps()).containsExactly(2);
    }

    /** It would hold the step without a mark as well. */
    @Test
    void aStepBehindALostMarkIsNotCompared() {
        for (int i = 0; i < 4; i++) {
            for (int rank = 0; rank < 3; rank++) {
                if (rank < 2 || i != 2) {
                    add(rank, rank == 2 && i == 3 ? 2 : i, 10 + i);
                }
            }
        }
        FleetSteps found = found();
        assertThat(found.period()[0]).containsExactly(100, 100, 100, 100);
        assertThat(found.period()[2]).containsExactly(100, 100, NONE, NONE);
    }

    @Test
    void whereARankHasNoNumbersOrOneTwicePlacesAreMatched() {
        add(0, 0, 7);
        add(0, 1, 8);
        add(1, 0, 9);
        add(1, 1, 9);
        assertThat(found().steps()).containsExactly(7, 8);
        add(1, 2, -1);
        FleetSteps found = found();
        assertThat(found.steps()).containsExactly(7, 8, -1);
        assertThat(found.own()[1]).containsExactly(70, 70, 70);
    }
}
