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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void olderTracesSayDurationAndStreamElsewhere() throws IOException {
        ExecutionTrace trace = read(new NodeText("1.0.1")
                .node(1, 0, "aten::mm", 1, "", "", "", ", \"dur\": 12, \"ts\": 90", "")
                .node(
                        2,
                        1,
                        "sgemm",
                        1,
                        "",
                        "",
                        "",
                        ", \"cat\": \"kernel\", \"ph\": \"X\", \"ts\": 200, \"dur\": 10.5, \"args\": {\"stream\": 7}",
                        "")
                .toString());

        assertThat(trace.nodes()).extracting(Node::hostNs).containsExactly(12_000L);
        assertThat(trace.activities())
                .containsExactly(new Activity(2, 1, "sgemm", SliceKind.KERNEL, "7", 200_000, 10_500));
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

    @ParameterizedTest
    @ValueSource(strings = {"1.0.1", "1.1.1-chakra.0.0.4"})
    void damageCostsTheNodeThatItLiesIn(String schema) throws IOException {
        String whole = nodes(schema, 300).toString();
        String damaged = whole;
        for (int id = 50; id <= 250; id += 50) {
            damaged = damaged.replace("{\"id\": " + id + ", ", "{\"id\": " + id + " @ ");
        }

        ExecutionTrace trace = read(damaged);

        assertThat(trace.schema()).isEqualTo(schema);
        assertThat(trace.nodes()).hasSize(295).extracting(Node::id).doesNotContain(50L, 100L, 150L, 200L, 250L);
        assertThat(odd.problems()).singleElement().satisfies(e -> {
            assertThat(e.code()).isEqualTo("et_damaged");
            assertThat(e.count()).isEqualTo(5);
            assertThat(e.position())
                    .isBetween((long) whole.indexOf("{\"id\": 50"), (long) whole.indexOf("{\"id\": 51"));
        });
    }

    private static NodeText nodes(String schema, int count) {
        NodeText nodes = new NodeText(schema);
        for (int id = 1; id <= count; id++) {
            nodes.node(id, id - 1, "aten::mm");
        }
        return nodes;
    }

    @Test
    void positionsBehindDamageAreThoseOfTheFile() throws IOException {
        String text = nodes("1.1.1", 4)
                .toString()
                .replace("{\"id\": 1,", "{\"id\": 1 1,")
                .replace("{\"id\": 3, \"ctrl_deps\": 2, \"name\": \"aten::mm\"", "{\"id\": 3, \"ctrl_deps\": 2");

        assertThat(read(text).nodes()).extracting(Node::id).containsExactly(2L, 4L);
        assertThat(odd.problems())
                .filteredOn(e -> e.code().equals("et_node"))
                .singleElement()
                .satisfies(e -> assertThat(e.position()).isEqualTo(text.indexOf("{\"id\": 3")));
    }

    @Test
    void nodesThatBeginWithTheirNamesAreFoundBehindDamage() throws IOException {
        String text = "{\"schema\": \"1.0.1\", \"nodes\": [{\"name\": \"a\", \"id\": 1},\n"
                + "  {\"name\": \"b\", \"id\": },\n"
                + "  { \"name\": \"a \\\"quoted\\\" one\" , \"id\": 3}], \"finish_ts\": 7 }";

        assertThat(read(text).nodes()).extracting(Node::name).containsExactly("a", "a \"quoted\" one");
    }

    @Test
    void whatFollowsTheNodesIsReadBehindDamage() {
        String text = "{\"nodes\": [{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\"}, {\"id\": 3, \"name\": \"c\"}],"
                + " \"schema\": \"2.0\"}";

        assertThatThrownBy(() -> read(text)).hasMessageContaining("the schema '2.0'");
    }

    @Test
    void aTraceWithoutAnySoundNodeIsCorrupt() {
        assertThatThrownBy(() ->
                        read("{\"schema\": \"1.1.1\", \"nodes\": [{\"id\": 1, \"name\" \"a\"}, {\"id\": , \"name\":"
                                + " \"b\"}]}"))
                .isInstanceOfSatisfying(TraceFormatException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.FORMAT_CORRUPT);
                    assertThat(e.position()).isBetween(31L, 60L);
                });
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
