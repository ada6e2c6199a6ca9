// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IterationTimeline.PhaseRow;
import dev.lockstep.analyze.time.IterationTimeline.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.IterationAnnotation.Phase;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class IterationTimelineTest {
    private final EventText events = new EventText();

    private IterationTimeline.Result result() {
        return new IterationTimeline(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void workBelongsToTheIterationThatLaunchedItAndWaitingToTheOneBehind() {
        events.annotation("execute_context_1(6)_generation_0(0)", 0, 10_000)
                .launch("prefill", 1_000, 20_000, 600, 1, 7)
                .annotation("execute_context_0(0)_generation_4(4)", 10_000, 10_000)
                .launch("decode", 11_000, 20_900, 100, 2, 7)
                .launch("decode", 13_000, 21_100, 100, 3, 7)
                .annotation("execute_context_0(0)_generation_4(4)", 20_000, 1_000)
                .launch("elsewhere", 50_000, 51_000, 100, 4, 7);
        IterationTimeline.Result result = result();
        assertThat(result.rows())
                .extracting(
                        Row::phase,
                        Row::tokens,
                        Row::gap,
                        Row::activities,
                        r -> r.parts().total(),
                        r -> r.parts().busy())
                .containsExactly(
                        tuple(Phase.PREFILL, 6L, 0L, 1, 600L, 600L), tuple(Phase.DECODE, 4L, 300L, 2, 300L, 200L));
        assertThat(result.phases())
                .extracting(PhaseRow::phase, PhaseRow::iterations, PhaseRow::period)
                .containsExactly(tuple(Phase.PREFILL, 1, 600L), tuple(Phase.DECODE, 1, 600L));
        assertThat(result.period()).isEqualTo(1_200);
    }

    @Test
    void overlappingWorkHasNoGap() {
        events.annotation("step[DECODE bs=1]", 0, 10_000)
                .launch("a", 1_000, 20_000, 600, 1, 7)
                .annotation("step[DECODE bs=1]", 10_000, 10_000)
                .launch("b", 11_000, 20_500, 50, 2, 8)
                .annotation("step[DECODE bs=1]", 20_000, 10_000)
                .launch("c", 21_000, 30_600, 50, 3, 8);
        assertThat(result().rows()).extracting(Row::gap).containsExactly(0L, 0L, 10_000L);
    }

    @Test
    void withoutMarksThereAreNone() {
        events.launch("a", 1_000, 20_000, 600, 1, 7);
        assertThat(result().tables()).isEmpty();
        assertThat(result().notApplicable()).contains("no annotation");
    }
}
