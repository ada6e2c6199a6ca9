// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IterationTimeline;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServingFindingsTest {
    private static List<String> said(EventText events) {
        return Said.all(ServingFindings.of(
                new IterationTimeline(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(events)))));
    }

    /** A prefill of 6 tokens that works 600 us, and a decode of 4 that works 200 us, this long after it. */
    private static EventText twoIterations(long gap) {
        return new EventText()
                .annotation("execute_context_1(6)_generation_0(0)", 0, 10_000)
                .launch("prefill", 1_000, 20_000, 600_000, 1, 7)
                .annotation("execute_context_0(0)_generation_4(4)", 10_000, 10_000)
                .launch("decode", 11_000, 620_000 + gap, 200_000, 2, 7);
    }

    @Test
    void phasesAreNamedWithTheirShareAndTheirRate() {
        // 6 tokens in 600 us are 10,000 a second; 4 tokens in 200 us are 20,000.
        assertThat(said(twoIterations(0)))
                .containsExactly(
                        "INFO phases: Prefill takes 75 % of the time: 1 iteration of 600 µs, 10,000 tokens per "
                                + "second. The first token takes at least as long (TTFT ≥ 600 µs). Decode takes 25 % of the "
                                + "time: 1 iteration of 200 µs, 20,000 tokens per second. A request waits 200 µs for each "
                                + "further token (TPOT), with 4 requests at a time.");
    }

    @Test
    void waitingIsWorthALookFromATenthOfTheTime() {
        assertThat(said(twoIterations(88_000))).hasSize(1);
        assertThat(said(twoIterations(200_000)))
                .containsExactly(
                        "INFO phases: Prefill takes 60 % of the time: 1 iteration of 600 µs, 10,000 tokens per second. "
                                + "The first token takes at least as long (TTFT ≥ 600 µs). Decode takes 40 % of the "
                                + "time: 1 iteration of 400 µs, 10,000 tokens per second. A request waits 400 µs for each "
                                + "further token (TPOT), with 4 requests at a time.",
                        "NOTICE iteration_gaps: The device is idle for 20 % of iteration time before iterations "
                                + "begin, and for 0 % inside them.");
    }

    @Test
    void waitingInsideAnIterationCountsApart() {
        EventText events = new EventText()
                .annotation("execute_context_0(0)_generation_4(4)", 0, 10_000)
                .launch("decode", 1_000, 20_000, 300_000, 1, 7)
                .launch("decode", 3_000, 420_000, 100_000, 2, 7);
        assertThat(said(events))
                .contains("NOTICE iteration_gaps: The device is idle for 0 % of iteration time before iterations "
                        + "begin, and for 20 % inside them.");
    }

    @Test
    void withoutIterationsNothingIsSaid() {
        assertThat(said(new EventText().launch("a", 1_000, 20_000, 600, 1, 7))).isEmpty();
    }
}
