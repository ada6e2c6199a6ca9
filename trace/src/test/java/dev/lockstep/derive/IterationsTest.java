// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.Iterations.Iteration;
import dev.lockstep.model.IterationAnnotation.Format;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class IterationsTest {
    private static final String DETAILED = "execute_1_context_0(sq0sk0sqsq0sqsk0)_generation_1(sq1sk7sqsq1sqsk7)";

    private final EventText events = new EventText();

    private static Iterations iterations(Trace trace) {
        return new DerivedCache(trace).get(new Iterations.Key());
    }

    @Test
    void detailedAnnotationsWinOverNativeOnes() {
        events.annotation("step[DECODE bs=1]", 0, 100)
                .annotation(DETAILED, 10, 80)
                .annotation("step[DECODE bs=1]", 200, 100);
        assertThat(iterations(TestTraces.of(events)).all())
                .extracting(i -> i.annotation().format(), Iteration::start, Iteration::duration)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(Format.VLLM_DETAILED, 10L, 80L));
    }

    @Test
    void withoutDetailedAnnotationsNativeOnesCount() {
        events.annotation("step[DECODE bs=1]", 0, 100)
                .annotation("warm up", 100, 50)
                .annotation("step[EXTEND bs=1 toks=9]", 200, 100);
        Iterations iterations = iterations(TestTraces.of(events));
        assertThat(iterations.all()).extracting(Iteration::start).containsExactly(0L, 200L);
        assertThat(iterations.at(99)).isZero();
        assertThat(iterations.at(100)).isEqualTo(-1);
        assertThat(iterations.at(299)).isEqualTo(1);
        assertThat(iterations.at(300)).isEqualTo(-1);
    }

    @Test
    void ofNestedAnnotationsTheOuterOneCounts() {
        events.annotation("step[DECODE bs=1]", 0, 100).annotation("execute_context_0(0)_generation_1(1)", 20, 40);
        assertThat(iterations(TestTraces.of(events)).all())
                .extracting(i -> i.annotation().format())
                .containsExactly(Format.SGLANG_NATIVE);
    }

    /** By rounding the first ends 1 ns behind the second's start, which lost the second. */
    @Test
    void anIterationThatReachesIntoTheNextByRoundingEndsThere() {
        events.annotation("step[DECODE bs=1]", 0, 5_001).annotation("step[DECODE bs=1]", 5_000, 5_000);
        assertThat(iterations(TestTraces.of(events)).all())
                .extracting(Iteration::start, Iteration::end)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0L, 5_000L),
                        org.assertj.core.groups.Tuple.tuple(5_000L, 10_000L));
    }

    @Test
    void theOrderInTheFileDoesNotMatter() {
        for (int i = 0; i < 6; i++) {
            events.annotation("step[DECODE bs=" + i + "]", i * 100, 90);
        }
        assertThat(iterations(TestTraces.of(events.shuffled(7))).all())
                .isEqualTo(iterations(TestTraces.of(events)).all());
    }

    @Test
    void anOpLiesInTheFirstAnnotationThatOutlastsIt() {
        events.annotation("short", 0, 50)
                .annotation("outer", 10, 1_000)
                .annotation("inner", 100, 400)
                .op("a", 120, 100)
                .op("b", 20, 10)
                .op("c", 990, 20)
                .op("d", 2_000, 5);
        Trace trace = TestTraces.of(events);
        AnnotationScopes scopes = new DerivedCache(trace).get(new AnnotationScopes.Key(false));
        assertThat(TestTraces.name(trace, scopes.around(TestTraces.slice(trace, "a"))))
                .isEqualTo("outer");
        assertThat(TestTraces.name(trace, scopes.around(TestTraces.slice(trace, "b"))))
                .isEqualTo("short");
        assertThat(TestTraces.name(trace, scopes.around(TestTraces.slice(trace, "c"))))
                .isEqualTo("-");
        assertThat(TestTraces.name(trace, scopes.around(TestTraces.slice(trace, "d"))))
                .isEqualTo("-");
    }

    @Test
    void annotationsOnTheDeviceCountOnlyWhenAsked() {
        events.complete("gpu_user_annotation", "device", "0", "7", 0, 100, "").op("a", 10, 10);
        Trace trace = TestTraces.of(events);
        DerivedCache cache = new DerivedCache(trace);
        int op = TestTraces.slice(trace, "a");
        assertThat(cache.get(new AnnotationScopes.Key(false)).around(op)).isEqualTo(-1);
        assertThat(TestTraces.name(
                        trace, cache.get(new AnnotationScopes.Key(true)).around(op)))
                .isEqualTo("device");
    }
}
