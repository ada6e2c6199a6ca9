// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.execution;

import static dev.lockstep.testkit.NodeText.tensor;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.SliceKind;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace.Activity;
import dev.lockstep.read.execution.ExecutionTrace.Compiled;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.testkit.NodeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionTraceReaderTest {
    @TempDir
    Path folder;

    private final Diagnostics odd = new Diagnostics();

    private ExecutionTrace read(String text) throws IOException {
        return ExecutionTraceReader.read(TraceInput.of(Files.writeString(folder.resolve("et.json"), text)), odd);
    }

    @Test
    void deviceWorkThatWasLinkedIsNoCall() throws IOException {
        ExecutionTrace trace = read(new NodeText("1.0.3-chakra.0.0.4")
                .node(1, 0, "aten::mm", 1, "", "", "", ", \"inclusive_dur\": 12, \"ts\": 90", "")
                .linked(2, 1, "sgemm", "kernel", "10.5", 7)
                .linked(3, 1, "Memset (Device)", "gpu_memset", "0.125", 7)
                .toString());

        assertThat(trace.nodes()).extracting(Node::name, Node::hostNs).containsExactly(tuple("aten::mm", 12_000L));
        assertThat(trace.activities())
                .containsExactly(
                        new Activity(2, 1, "sgemm", SliceKind.KERNEL, "7", 200_000, 10_500),
                        new Activity(3, 1, "Memset (Device)", SliceKind.MEMSET, "7", 300_000, 125));
        assertThat(odd.problems()).isEmpty();
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }

    @Test
    void deviceWorkWithoutDurationIsALoss() throws IOException {
        ExecutionTrace trace = read(new NodeText("1.0.3-chakra.0.0.4")
                .node(1, 0, "aten::mm")
                .linked(2, 1, "sgemm", "kernel", "\"long\"", 7)
                .toString());

        assertThat(trace.activities().getFirst().ns()).isZero();
        assertThat(odd.hasLoss()).isTrue();
        assertThat(odd.problems()).extracting(Diagnostics.Entry::code).containsExactly("et_duration");
    }

    @Test
    void theDeviceIsThatOfAnAcceleratorIfThereIsOne() throws IOException {
        ExecutionTrace trace = read(new NodeText("1.0.1")
                .op(1, 0, "aten::add", tensor(1, 1, "cpu") + "," + tensor(2, 1, "cuda:1"), "[],[]", "\"x\",\"x\"")
                .op(2, 0, "aten::cat", "[" + tensor(1, 1, "cpu") + "," + tensor(2, 1, "cpu") + "]", "[]", "\"x\"")
                .op(3, 0, "aten::abs", tensor(1, 1, "meta") + "," + tensor(1, 1, "xpu:0"), "[],[]", "\"x\",\"x\"")
                .op(4, 0, "aten::seed", "[1, 2, 3, 4, 5, 6]", "[]", "\"x\"")
                .toString());

        assertThat(trace.nodes()).extracting(Node::device).containsExactly("cuda:1", "cpu", "xpu:0", null);
    }

    @Test
    void compiledKernelsSayBywhomAndWhere() throws IOException {
        String backend = ", {\"name\": \"kernel_backend\", \"type\": \"string\", \"value\": \"triton\"}";
        ExecutionTrace trace = read(new NodeText("1.1.1-chakra.0.0.4")
                .node(1, 0, "triton_poi_fused_0", 1, "", "", "", "", backend)
                .node(2, 0, "aten::mm")
                .toString());

        assertThat(trace.nodes()).extracting(Node::kernel).containsExactly(new Compiled("triton", ""), null);
    }

    @Test
    void aSchemaOfAnotherAgeIsRefused() {
        assertThatThrownBy(
                        () -> read(new NodeText("2.0.0").node(1, 0, "aten::mm").toString()))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORMAT_UNKNOWN))
                .hasMessageContaining("'2.0.0'")
                .hasMessageContaining("1.0.1 to 1.1.1");
    }

    @Test
    void isRecognisedByItsBeginning() {
        assertThat(ExecutionTraceReader.recognises(
                        new NodeText("1.0.1").node(1, 0, "x").toString().getBytes(UTF_8)))
                .isTrue();
        assertThat(ExecutionTraceReader.recognises(
                        "{\"schemaVersion\": 1, \"nodes\": [], \"traceEvents\": []}".getBytes(UTF_8)))
                .isFalse();
    }
}
