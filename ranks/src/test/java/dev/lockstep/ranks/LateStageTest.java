// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.SlowRanks.Course;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.SlowRanks.Where;
import dev.lockstep.analyze.comm.StepsByRank.HostTimes;
import dev.lockstep.analyze.comm.StepsByRank.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateStageTest {
    private static final int STEPS = 4;
    private static final int SLOW = 3;

    private static List<Step> steps(long data, long forward) {
        return IntStream.range(0, STEPS)
                .mapToObj(i -> new Step(i, i, 1_000, 1_000, 0, 0, new HostTimes(data, forward, 0, 0)))
                .toList();
    }

    /** What peers take is their median, whichever of them takes longest. */
    @ParameterizedTest
    @CsvSource({"500, 0, 0", "0, 500, 0", "0, 0, 500"})
    void aPeerThatTakesLongTooHidesNothing(long first, long second, long third) {
        Map<Integer, List<Step>> stepsOf = new TreeMap<>(
                Map.of(0, steps(first, 80), 1, steps(second, 80), 2, steps(third, 80), SLOW, steps(300, 100)));
        double[][] none = new double[stepsOf.size()][STEPS];
        FleetSteps run = new FleetSteps(
                new int[] {0, 1, 2, SLOW}, new int[SLOW + 1], new long[] {0, 1, 2, 3}, none, none, none, none);
        Slow slow = new Slow(SLOW, Course.THROUGHOUT, 0, List.of(), STEPS, 320, 1.3, Where.HOST);

        assertThat(new LateStage(run, stepsOf).of(slow)).isEqualTo(HostTimes.Stage.DATA);
    }
}
