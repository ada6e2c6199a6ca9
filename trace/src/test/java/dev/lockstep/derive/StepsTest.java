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

    /** By rounding the first ends 1 ns behind the second's start, which lost the second; by 2 us it is no rounding. */
    @Test
    void aMarkThatReachesIntoTheNextByRoundingEndsThere() {
        events.annotation("ProfilerStep#1", 0, 5_001)
                .annotation("ProfilerStep#2", 5_000, 5_000)
                .annotation("ProfilerStep#3", 10_000, 5_000)
                .annotation("ProfilerStep#4", 13_000, 5_000);
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.steps())
                .containsExactly(new Step(1, 0, 5_000), new Step(2, 5_000, 10_000), new Step(3, 10_000, 15_000));
        assertThat(steps.marks()).hasSize(3);
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
    void everyMarkIsKnownEvenWhereMarksOverlap() {
        events.annotation("outer", 0, 100).annotation("forward", 0, 90).annotation("forward 8", 10, 20);
        events.op("forward", 90, 10).annotation("forward", 95, 0);
        Trace trace = TestTraces.of(events);

        assertThat(Steps.marks(trace, "forward")).containsExactly(1, 2, 3);
        assertThat(steps(trace, "forward").marks()).containsExactly(1, 3);
        assertThat(steps(trace, "forward").steps()).containsExactly(new Step(0, 0, 90), new Step(2, 90, 100));
    }

    @Test
    void marksOfServingEnginesAreSteps() {
        events.annotation("step[EXTEND bs=1 toks=1024]", 0, 95)
                .annotation("schedule", 95, 5)
                .annotation("step[DECODE bs=4]", 100, 95)
                .annotation("step[DECODE bs=5]", 120, 10)
                .annotation("step[DECODE bs=8]", 200, 95);
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.SERVING);
        assertThat(steps.steps()).containsExactly(new Step(0, 0, 95), new Step(1, 100, 195), new Step(2, 200, 295));
        assertThat(steps.marks()).containsExactly(0, 2, 4);
        assertThat(steps.name()).isEqualTo("step");
    }

    @Test
    void batchesOfVllmAreSteps() {
        events.annotation("execute_new_1_cached_0", 0, 10)
                .annotation("execute_new_0_cached_1", 20, 10)
                .annotation("execute_model", 40, 10);
        assertThat(steps(TestTraces.of(events), null).steps()).containsExactly(new Step(0, 0, 10), new Step(1, 20, 30));
    }

    @Test
    void marksOfTheProfilerComeBeforeThoseOfServingEngines() {
        events.annotation("ProfilerStep#3", 0, 100)
                .annotation("step[DECODE bs=4]", 5, 40)
                .annotation("step[DECODE bs=4]", 50, 40);
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.ANNOTATION);
        assertThat(steps.steps()).containsExactly(new Step(3, 0, 100));
        assertThat(steps.name()).isEqualTo("ProfilerStep");
    }

    /** XLA's ranges have no category; their argument says that they are steps. */
    @Test
    void rangesWithTheNumberOfAStepAreSteps() {
        for (int i = 0; i < 3; i++) {
            String at = "\"pid\": 701, \"tid\": 1, \"ts\": " + 100 * i;
            events.raw("{\"ph\": \"X\", \"name\": \"train\", " + at + ", \"dur\": 90, \"args\": {\"step_num\": \""
                    + (7 + i) + "\", \"_r\": \"1\"}}");
            events.raw("{\"ph\": \"X\", \"name\": \"PjitFunction(f)\", " + at + ", \"dur\": 80}");
        }
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.ANNOTATION);
        assertThat(steps.steps())
                .containsExactly(new Step(7, 0, 90_000), new Step(8, 100_000, 190_000), new Step(9, 200_000, 290_000));
        assertThat(steps.marks()).hasSize(3);
    }

    @Test
    void aPatternMarksStepsOfManyNames() {
        events.annotation("step[EXTEND bs=1]", 0, 10)
                .annotation("step[DECODE bs=4]", 20, 10)
                .annotation("stepping", 40, 10)
                .annotation("step_12", 60, 10)
                .annotation("a step", 80, 10);
        Trace trace = TestTraces.of(events);
        assertThat(steps(trace, "step*").steps())
                .containsExactly(new Step(0, 0, 10), new Step(1, 20, 30), new Step(2, 40, 50), new Step(12, 60, 70));
        assertThat(steps(trace, "step[*").steps()).containsExactly(new Step(0, 0, 10), new Step(1, 20, 30));
        assertThat(steps(trace, "*ep_*").steps()).containsExactly(new Step(0, 60, 70));
        assertThat(steps(trace, "step*").name()).isEqualTo("step");
        assertThat(steps(trace, "*batch").source()).isEqualTo(Source.NONE);
    }

    @Test
    void annotationsNamedForAPassThatRepeatAreInferred() {
        for (int i = 0; i < 5; i++) {
            events.annotation("batch " + (3 + i), 100 * i, 70).annotation("layer 1", 100 * i, 60);
        }
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.INFERRED);
        assertThat(steps.steps()).hasSize(5).first().isEqualTo(new Step(0, 0, 70));
        assertThat(steps.evidence()).contains("'batch #' run 5 times");
    }

    @Test
    void kernelsThatRepeatAreASectionAndNoStep() {
        for (int layer = 0; layer < 5; layer++) {
            for (int i = 0; i < 6; i++) {
                long at = layer * 10_000L + i * 1_000L;
                events.launch(i == 2 ? "often" : i == 4 ? "often" : "k" + i, at, at + 500, 100, layer * 10 + i + 1, 7);
            }
        }
        Trace trace = TestTraces.of(events);
        assertThat(steps(trace, null).source()).isEqualTo(Source.NONE);
        RepeatingSection section = new DerivedCache(trace).get(new RepeatingSection.Key());
        assertThat(section.count()).isEqualTo(5);
        assertThat(section.kernels()).isEqualTo(6);
        assertThat(section.duration()).isEqualTo(10_000);
        assertThat(section.kernel()).isEqualTo("k0");
    }

    private static final long STEP = 1_000_000;

    /** Passes of training: gradients to zero, a forward pass of some layers, a loss, a backward pass, the optimizer. */
    private void training(int passes, String optimizer, long gap) {
        for (int pass = 0; pass < passes; pass++) {
            long at = pass * STEP + pass * 7_000L;
            events.annotation("Optimizer.zero_grad#SGD.zero_grad", at, 10_000)
                    .annotation("## forward ##", at + 20_000, 300_000)
                    .op("aten::embedding", at + 30_000, 10_000);
            for (int layer = 0; layer < 8; layer++) {
                events.op("aten::mm", at + 50_000 + layer * 20_000L, 10_000);
            }
            events.op("aten::mse_loss", at + 340_000, 10_000)
                    .op("aten::ones_like", at + 360_000, 10_000)
                    .annotation(optimizer, at + 800_000, 200_000 - gap + 7_000);
        }
    }

    @Test
    void optimizersAndWhatRunsOnceShowSteps() {
        training(4, "Optimizer.step#SGD.step", 2_000);
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.INFERRED);
        assertThat(steps.steps())
                .containsExactly(
                        new Step(0, 1_007_000, 2_014_000),
                        new Step(1, 2_014_000, 3_021_000),
                        new Step(2, 3_021_000, 4_028_000));
        assertThat(steps.evidence())
                .contains("'Optimizer.step#SGD.step' ends each", "'Optimizer.zero_grad#SGD.zero_grad' begins the next")
                .contains("4 operators and annotations run once in each")
                .doesNotContain("aten::mm");
    }

    @Test
    void aBeginThatIsNotKnownToAPercentIsNone() {
        training(4, "Optimizer.step#SGD.step", 20_000);
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
    }

    @Test
    void twoPassesAreTooFew() {
        training(2, "Optimizer.step#SGD.step", 2_000);
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
    }

    @Test
    void severalOptimizersOfOnePassAreNoSteps() {
        training(1, "Optimizer.step#SGD.step", 2_000);
        for (int i = 1; i < 6; i++) {
            events.annotation("Optimizer.step#SGD.step", STEP + i * 100_000L, 99_000);
        }
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
    }

    @Test
    void somethingElseBehindTheOptimizerLeavesTheBeginUnknown() {
        training(4, "Optimizer.step#SGD.step", 2_000);
        for (int pass = 0; pass < 4; pass++) {
            events.annotation("metrics", (pass + 1) * (STEP + 7_000) - 1_500, 1_000);
        }
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
    }

    @Test
    void theHostComesBackToOneFrame() {
        training(3, "Optimizer.step#SGD.step", 2_000);
        events.python("train.py(12): loop", -1_000, 5 * STEP);
        for (int pass = 0; pass < 3; pass++) {
            events.python("optimizer.py(3): step", pass * (STEP + 7_000) + 799_000, 207_000);
        }
        Steps steps = steps(TestTraces.of(events), null);
        assertThat(steps.source()).isEqualTo(Source.INFERRED);
        assertThat(steps.evidence()).endsWith("the host returns to the frame train.py(12): loop");
    }

    @Test
    void otherFramesAreOtherWork() {
        training(3, "Optimizer.step#SGD.step", 2_000);
        events.python("train.py(12): loop", -1_000, 5 * STEP);
        for (int pass = 0; pass < 3; pass++) {
            events.python("train.py(" + pass + "): phase", pass * (STEP + 7_000), STEP + 6_000);
        }
        assertThat(steps(TestTraces.of(events), null).source()).isEqualTo(Source.NONE);
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
