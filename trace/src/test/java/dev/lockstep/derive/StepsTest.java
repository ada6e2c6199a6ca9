// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.Steps.Source;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StepsTest {
    private final EventText events = new EventText();

    private static Steps steps(Trace trace, @Nullable String annotation) {
        return new DerivedCache(trace).get(new Steps.Key(annotation));
    }

    @Test
    void theProfilersMarksAreSteps() {
        events.annotation("ProfilerStep#12", 0, 1_000)
                .annotation("ProfilerStep#13", 1_000, 500)
                .annotation("other", 0, 1_000);
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.ANNOTATION);
        assertThat(steps.steps()).containsExactly(new Step(12, 0, 1_000), new Step(13, 1_000, 1_500));
        assertThat(steps.at(0)).isZero();
        assertThat(steps.at(999)).isZero();
        assertThat(steps.at(1_000)).isEqualTo(1);
        assertThat(steps.at(1_500)).isEqualTo(-1);
        assertThat(steps.at(-1)).isEqualTo(-1);
    }

    @Test
    void otherAnnotationsMayMarkSteps() {
        events.annotation("train", 0, 10)
                .annotation("train", 20, 10)
                .annotation("train 7", 40, 10)
                .annotation("training", 60, 10);
        Steps steps = steps(TestTraces.of(events), "train");
        assertThat(steps.steps()).containsExactly(new Step(0, 0, 10), new Step(1, 20, 30), new Step(7, 40, 50));
        assertThat(steps(TestTraces.of(events), "absent").source()).isEqualTo(Source.NONE);
    }

    @Test
    void marksOnTheDeviceAreNoSteps() {
        events.complete("gpu_user_annotation", "ProfilerStep#1", "0", "7", 0, 10, "")
                .op("a", 0, 5);
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
    }

    @Test
    void ofOverlappingMarksTheFirstStays() {
        events.annotation("ProfilerStep#1", 0, 100)
                .complete("user_annotation", "ProfilerStep#1", "1", "2", 10, 100, "");
        events.annotation("ProfilerStep#2", 100, 100);
        assertThat(steps(TestTraces.of(events), null).steps())
                .containsExactly(new Step(1, 0, 100), new Step(2, 100, 200));
    }

    @Test
    void withoutMarksTheKernelsThatRepeatTell() {
        for (int step = 0; step < 5; step++) {
            for (int i = 0; i < 6; i++) {
                long at = step * 10_000L + i * 1_000L;
                events.launch(i == 2 ? "often" : i == 4 ? "often" : "k" + i, at, at + 500, 100, step * 10 + i + 1, 7);
            }
        }
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.INFERRED);
        assertThat(steps.steps()).hasSize(4);
        assertThat(steps.steps().get(1)).isEqualTo(new Step(1, 10_000, 20_000));
    }

    @Test
    void whatDoesNotRepeatHasNoSteps() {
        for (int i = 0; i < 20; i++) {
            events.launch("k" + i, i * 1_000, i * 1_000 + 500, 100, i + 1, 7);
        }
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
        assertThat(steps(TestTraces.parse("[{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}]"), null)
                        .steps())
                .isEmpty();
    }
}
