// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionTraceTest {
    private static final String OLD = """
            {"schema": "1.0.1", "pid": 1, "nodes": [
            {"name": "aten::add_", "id": 5, "rf_id": 3, "parent": 2, "tid": 1, "op_schema": "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
             "inputs": [[7,8,4,6,4,"cuda:0"],[9,8,0,3,4,"cuda:0"],0.5], "input_shapes": [[2,3],[3],[]], "input_types": ["Tensor(float)","Tensor(float)","Double"],
             "outputs": [], "output_shapes": [], "output_types": []},
            {"name": "Optimizer.step", "id": 2, "rf_id": 1, "parent": 1, "tid": 1, "op_schema": "", "inputs": [], "input_shapes": [], "input_types": []}
            ], "finish_ts": 4}
            """;
    private static final String NEW = """
            {"schema": "1.1.1-chakra.0.0.4", "nodes": [
            {"id": 2, "name": "ProfilerStep#4", "ctrl_deps": 1, "inputs": {"values": [], "shapes": [], "types": [], "strides": []},
             "outputs": {"values": [], "shapes": [], "types": []}, "attrs": [{"name": "rf_id", "type": "uint64", "value": 1}, {"name": "op_schema", "type": "string", "value": ""}]},
            {"id": 3, "name": "aten::cat", "ctrl_deps": 2,
             "inputs": {"values": [[[4,5,0,6,4,"cuda:0"],[6,7,0,6,4,"cuda:0"]],1], "shapes": [[[2,3],[2,3]],[]], "types": ["GenericList[Tensor(float),Tensor(c10::BFloat16)]","Int"], "strides": [[[1,2],[3,1]],[]]},
             "outputs": {"values": [], "shapes": [], "types": []},
             "attrs": [{"name": "rf_id", "type": "uint64", "value": 2}, {"name": "tid", "type": "uint64", "value": 1}, {"name": "op_schema", "type": "string", "value": "aten::cat(Tensor[] tensors, int dim=0) -> Tensor"}]}
            ]}
            """;

    @TempDir
    Path folder;

    private ExecutionTrace read(String text, Diagnostics odd) throws IOException {
        Path file = Files.writeString(folder.resolve("et.json"), text);
        assertThat(ExecutionTraceReader.matches(TraceInput.of(file))).isTrue();
        return ExecutionTraceReader.read(TraceInput.of(file), odd);
    }

    private ReplayPlan plan(String text) throws IOException {
        Diagnostics odd = new Diagnostics();
        ReplayPlan plan = ExecutionTracePlan.of(read(text, odd), null);
        assertThat(odd.problems()).isEmpty();
        assertThat(odd.observations()).isEmpty();
        return plan;
    }

    @Test
    void readsTheOldLayoutAndKeepsSharedMemory() throws IOException {
        PlannedOperator add = plan(OLD).operators().getFirst();

        assertThat(add.call().overload()).isEqualTo("Tensor");
        assertThat(add.call().arguments())
                .containsExactly(
                        tensor(4, 0, 10),
                        new Argument.Tensor(new TensorSpec(
                                java.util.List.of(3L), ElementType.FLOAT32, false, null, 0, 0, 3, "cuda:0")),
                        new Argument.Real(0.5));
    }

    @Test
    void listsInListsEndSomewhere() throws IOException {
        String deep = "[".repeat(900) + "1" + "]".repeat(900);

        assertThat(plan(NEW.replace(",1], \"shapes\"", "," + deep + "], \"shapes\""))
                        .operators()
                        .getFirst()
                        .gap())
                .isEqualTo(ReplayGap.ARGUMENTS);
        assertThatThrownBy(
                        () -> read("{\"schema\": \"1.1.1\", \"nodes\": [" + "[".repeat(2000) + "]}", new Diagnostics()))
                .hasMessageContaining("nesting depth")
                .hasMessageNotContaining("`");
    }

    private static Argument tensor(long offset, int storage, long elements) {
        return new Argument.Tensor(new TensorSpec(
                java.util.List.of(2L, 3L), ElementType.FLOAT32, false, null, offset, storage, elements, "cuda:0"));
    }

    @Test
    void readsTheNewLayoutWithListsAndStrides() throws IOException {
        ReplayPlan plan = plan(NEW);
        PlannedOperator cat = plan.operators().getFirst();

        assertThat(plan.steps()).isEqualTo(new ReplayPlan.StepCount(1, "annotation"));
        assertThat(plan.order()).containsExactly(0);
        assertThat(Argument.tensors(cat.call().arguments()))
                .extracting(TensorSpec::type, TensorSpec::strides, TensorSpec::storage)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(ElementType.FLOAT32, java.util.List.of(1L, 2L), 0),
                        org.assertj.core.groups.Tuple.tuple(ElementType.BFLOAT16, java.util.List.of(3L, 1L), 1));
        assertThat(cat.counts().inSteps()).isEqualTo(1);
        assertThat(ReplayCoverage.planned(plan).timePercent()).isNaN();
    }

    @Test
    void aCutTraceYieldsWhatIsBeforeTheCut() throws IOException {
        Diagnostics odd = new Diagnostics();
        ExecutionTrace trace = read(OLD.substring(0, OLD.indexOf("{\"name\": \"Optimizer") + 20), odd);

        assertThat(trace.nodes()).extracting(ExecutionTrace.Node::name).containsExactly("aten::add_");
        assertThat(odd.hasLoss()).isTrue();
        assertThat(odd.problems()).extracting(Diagnostics.Entry::code).containsExactly("et_damaged");
    }

    @Test
    void nodesWithoutNumbersAndUnknownSchemasAreSaid() throws IOException {
        Diagnostics odd = new Diagnostics();
        read(OLD.replace("1.0.1", "1.7.0").replace("\"id\": 2, ", ""), odd);

        assertThat(odd.problems()).extracting(Diagnostics.Entry::code).containsExactly("et_node");
        assertThat(odd.observations()).extracting(Diagnostics.Entry::code).containsExactly("et_schema");
    }

    @Test
    void aTraceOfTheProfilerIsNoExecutionTrace() throws IOException {
        Path file = Files.writeString(folder.resolve("t.json"), TestTraces.document("{\"ph\":\"X\"}"));

        assertThat(ExecutionTraceReader.matches(TraceInput.of(file))).isFalse();
        assertThatThrownBy(() -> ExecutionTraceReader.read(TraceInput.of(file), new Diagnostics()))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("t.json");
    }

    @Test
    void theNumberOfTheRecordFunctionTellsEqualNamesApart() throws IOException {
        String event = "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add_\",\"pid\":1,\"tid\":1,\"ts\":%d,"
                + "\"dur\":%d,\"args\":{\"External id\": %d, \"Record function id\": %d}},\n";
        ReplayPlan plan = ExecutionTracePlan.of(
                read(OLD, new Diagnostics()),
                new DerivedCache(TestTraces.of(event.formatted(1, 5, 3, 8) + event.formatted(20, 7, 4, 3))));

        assertThat(plan.operators().getFirst().recorded().cpuNs()).isEqualTo(7_000);
    }

    @Test
    void timesComeFromTheProfilersTraceOfTheSameRun() throws IOException {
        String call =
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add_\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":7,\"args\":{";
        for (String ids : new String[] {
            "\"External id\": 99, \"Record function id\": 3",
            "\"External id\": 3, \"Record function id\": 0",
            "\"External id\": 99, \"Record function id\": 0" // by the order of names where numbers do not fit
        }) {
            ReplayPlan plan = ExecutionTracePlan.of(
                    read(OLD, new Diagnostics()), new DerivedCache(TestTraces.of(call + ids + "}}")));

            assertThat(plan.source().joined()).isEqualTo(1);
            assertThat(plan.operators().getFirst().recorded().cpuNs()).isEqualTo(7_000);
            assertThat(ReplayCoverage.planned(plan).timePercent()).isEqualTo(100);
        }
    }

    @Test
    void aLinkedTraceBringsItsOwnTimes() throws IOException {
        String linked = NEW.replace("\"name\": \"aten::cat\",", "\"name\": \"aten::cat\", \"inclusive_dur\": 9, ")
                .replace(
                        "]}\n]}",
                        "]},\n{\"id\": 4, \"name\": \"CatArrayBatchedCopy\", \"ctrl_deps\": 3, \"cat\": \"kernel\","
                                + " \"ts\": 5, \"inclusive_dur\": 2.5, \"stream\": 7}\n]}");
        ReplayPlan plan = plan(linked);

        assertThat(plan.source().basis()).isEqualTo(ReplayPlan.TimeBasis.DEVICE);
        assertThat(plan.operators()).hasSize(1);
        assertThat(plan.operators().getFirst().recorded())
                .isEqualTo(new PlannedOperator.Recorded(
                        9_000,
                        2_500,
                        java.util.List.of(new PlannedOperator.Kernel("CatArrayBatchedCopy", null, null, 1, 2_500))));
    }
}
