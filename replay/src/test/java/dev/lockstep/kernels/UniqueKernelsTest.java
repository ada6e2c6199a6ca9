// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.NodeText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UniqueKernelsTest {
    @TempDir
    Path folder;

    private static final String SHAPES = "\"Input Dims\": [[8, %d]], \"Input type\": [\"float\"]";

    /** Two products of different shapes under one kernel name, the first of them twice and on two streams. */
    private static EventText events() {
        return new EventText()
                .op("aten::mm", 0, 9_000, SHAPES.formatted(64))
                .launch("gemm", 1_000, 20_000, 30_000, 1, 7)
                .op("aten::mm", 10_000, 9_000, SHAPES.formatted(64))
                .launch("gemm", 11_000, 60_000, 50_000, 2, 8)
                .op("aten::mm", 20_000, 9_000, SHAPES.formatted(32))
                .launch("gemm", 21_000, 120_000, 10_000, 3, 7)
                .device("gpu_memcpy", "Memcpy HtoD", 500_000, 5_000, 4, 7, "\"bytes\": 8")
                .device("gpu_memcpy", "Memcpy HtoD", 510_000, 5_000, 5, 7, "\"bytes\": 16");
    }

    private static Result run(EventText events, Selection selection) {
        return new UniqueKernels(AnalysisRules.standard(), selection).run(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void shapesTellKernelsApartStreamsDoNot() {
        Result result = run(events(), Selection.standard());

        assertThat(result.kernels())
                .extracting(k -> k.identity().name(), UniqueKernel::calls)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("gemm", 2L),
                        org.assertj.core.groups.Tuple.tuple("gemm", 1L),
                        org.assertj.core.groups.Tuple.tuple("Memcpy HtoD", 1L),
                        org.assertj.core.groups.Tuple.tuple("Memcpy HtoD", 1L));
        UniqueKernel first = result.kernels().getFirst();
        assertThat(first.identity().operator().shapes()).isEqualTo("[[8, 64]]");
        assertThat(first.places()).hasSize(2);
        assertThat(first.durations().sum()).isEqualTo(80_000);
        assertThat(first.durations().median()).isEqualTo(40_000);
        assertThat(result.totals().kept()).isEqualTo(result.calls()).isEqualTo(5);
    }

    @Test
    void fieldsOfTheKeyCanBeChosen() {
        Selection byStream =
                new Selection(KeyField.parse(List.of("stream", "shared_memory")), Set.of(), List.of(), null, 0);
        assertThat(run(events(), byStream).kernels())
                .hasSize(4)
                .extracting(UniqueKernel::calls)
                .contains(2L);
        assertThat(run(events(), byStream)
                        .kernels()
                        .getFirst()
                        .identity()
                        .operator()
                        .shapes())
                .isNull();
    }

    @Test
    void whatIsLeftOutIsCounted() {
        Selection selection = new Selection(KeyField.standard(), Set.of("0"), List.of("MEMCPY"), null, 0);
        Result result = run(events(), selection);
        assertThat(result.totals()).isEqualTo(new UniqueKernels.Totals(5, 3, 2, 0));
        assertThat(run(events(), new Selection(KeyField.standard(), Set.of("1"), List.of(), null, 0))
                        .kernels())
                .isEmpty();
    }

    @Test
    void theOrderOfEventsLeavesNoMark() {
        List<UniqueKernel> kernels = run(events(), Selection.standard()).kernels();
        for (int seed = 0; seed < 5; seed++) {
            assertThat(run(events().shuffled(seed), Selection.standard()).kernels())
                    .isEqualTo(kernels);
        }
    }

    @Test
    void anExecutionTraceTellsShapesThatTheRecordingLacks() throws IOException {
        String ids = "\"External id\": 9, \"Record function id\": %d";
        EventText events = new EventText()
                .op("aten::mm", 0, 9_000, ids.formatted(3))
                .launch("gemm", 1_000, 20_000, 3_000, 1, 7)
                .op("aten::mm", 10_000, 9_000, ids.formatted(4))
                .launch("gemm", 11_000, 60_000, 2_000, 2, 7)
                .op("aten::mm", 20_000, 9_000, ids.formatted(5) + ", " + SHAPES.formatted(32))
                .launch("gemm", 21_000, 120_000, 1_000, 3, 7);
        String nodes = new NodeText("1.0.1")
                .op(3, 1, "aten::mm", NodeText.tensor(1, 32, "cuda:0"), "[4, 8]", "\"Tensor(float)\"")
                .op(4, 1, "aten::mm", NodeText.tensor(1, 16, "cuda:0"), "[2, 8]", "\"Tensor(float)\"")
                .op(5, 1, "aten::mm", NodeText.tensor(1, 16, "cuda:0"), "[1, 1]", "\"Tensor(float)\"")
                .toString();
        ExecutionTrace executed = ExecutionTraceReader.read(
                TraceInput.of(Files.writeString(folder.resolve("et.json"), nodes)), new Diagnostics());

        DerivedCache cache = new DerivedCache(TestTraces.of(events));
        Result alone = new UniqueKernels(AnalysisRules.standard(), Selection.standard()).run(cache);
        Result joined = new UniqueKernels(AnalysisRules.standard(), Selection.standard(), executed).run(cache);

        assertThat(alone.kernels()).extracting(UniqueKernel::calls).containsExactly(2L, 1L);
        assertThat(joined.kernels())
                .extracting(k -> k.identity().operator().shapes())
                .containsExactly("[[4, 8]]", "[[2, 8]]", "[[8, 32]]");
        assertThat(joined.kernels())
                .extracting(k -> k.identity().operator().types())
                .containsOnly("[\"float\"]");
        assertThat(joined.content().joined())
                .isEqualTo(new Content.Joined(folder.resolve("et.json").toString(), 3, 3, 3, 3, 3));
    }

    @Test
    void callsAreCountedByStep() {
        EventText events = new EventText()
                .annotation("ProfilerStep#1", 0, 100)
                .launch("k", 10, 20, 5, 1, 7)
                .launch("k", 30, 40, 5, 2, 7)
                .annotation("ProfilerStep#2", 100, 100)
                .launch("k", 110, 120, 5, 3, 7);
        UniqueKernel kernel = run(events, Selection.standard()).kernels().getFirst();
        assertThat(kernel.steps()).isEqualTo(new UniqueKernel.StepCalls(1.5, 1, 2));
    }

    @Test
    void layersOfAPassThatNothingMarksAreNotCountedAsPasses() {
        EventText events = new EventText();
        for (int layer = 0; layer < 8; layer++) {
            for (int k = 0; k < 4; k++) {
                long at = layer * 100_000L + k * 20_000L;
                events.launch("kernel" + k, at, at + 5_000, 10_000, layer * 4 + k + 1, 7);
            }
        }
        Result result = run(events, Selection.standard());
        assertThat(result.steps()).isZero();
        assertThat(result.forwards()).isNull();
    }
}
