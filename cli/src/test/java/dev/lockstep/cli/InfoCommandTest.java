// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.NodeText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path write(String name, String content) throws IOException {
        return Files.write(folder.resolve(name), content.getBytes(UTF_8));
    }

    /** The one document on standard output; fails where it is no strict JSON. */
    private String strict() throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(out.toString())) {
            parser.nextToken();
            parser.skipChildren();
            assertThat(parser.nextToken()).isNull();
        }
        return out.toString();
    }

    @Test
    void listsOfOtherRecordersAreNoKinetoAndListsOfOtherThingsNoTraces() throws IOException {
        String slice =
                "{\"cat\": \"Node\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2, \"name\": \"a\"}";
        Path list = Files.writeString(folder.resolve("onnx.json"), "[" + slice + "]");
        assertThat(run("info", list)).isZero();
        assertThat(out.toString()).contains("format       chrome-json");

        Path other = Files.writeString(folder.resolve("other.json"), "[{\"a\": 1}, {\"a\": 2}]");
        assertThat(run("info", other)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("a list, but not one of events");
    }

    @Test
    void nothingInAFolderIsPassedOver() throws IOException {
        Files.write(folder.resolve("rank0.json"), SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0));
        Files.write(folder.resolve("rank1.json.xz"), new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0});
        Files.writeString(folder.resolve("rank2.nsys-rep"), "NVIDIA Tegra Profiler Report 1.\n");
        Files.writeString(folder.resolve("rank3.json"), "version https://git-lfs.github.com/spec/v1\noid sha256:1\n");

        assertThat(run("info", folder)).isEqualTo(ExitStatus.PARTIAL);

        assertThat(err.toString())
                .contains("rank1.json.xz: byte 0: this is a file packed by xz", "xz -dk FILE")
                .contains("rank2.nsys-rep: byte 0: this is a recording of Nsight Systems", "nsys export")
                .contains("rank3.json: byte 0: this is a pointer of Git LFS", "git lfs pull");
    }

    @Test
    void saysWhatAFileIs() throws IOException {
        Path trace = Files.write(folder.resolve("t.json"), SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 1));
        assertThat(run("info", trace)).isZero();
        assertThat(out.toString())
                .contains("t.json", "kineto-json", "1 of 2 (from the trace)", "cpu_op", "problems     none");
        assertThat(err.toString()).isEmpty();
        assertThat(run("info", "--json", trace)).isZero();
        assertThat(strict()).contains("\"rank\":1", "\"world_size\":2", "\"steps\":[", "\"problems\":[]");
    }

    @Test
    void saysEveryProblem() throws IOException {
        Path damaged = write("d.json", TestTraces.document("""
            {"ph": "X", "cat": "kernel", "name": "a", "ts": 1, "dur": -1},
            {"ph": "X", "cat": "kernel", "name": "b", "ts": "x", "dur": 1},
            {"ph": "X", "cat": "kernel", "name": "c", "ts": 1, "dur": 1}
            """));
        assertThat(run("info", damaged)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString())
                .contains("1 x negative_duration", "1 x ts_invalid", "first at byte", "trust        limited");
        assertThat(run("info", "--strict", damaged)).isEqualTo(ExitStatus.UNREADABLE);
    }

    @Test
    void aRepairDoesNotHideALoss() throws IOException {
        Path damaged = write("d.json", TestTraces.document("""
            {"ph": "X", "name": "a", "ts": 1, "dur": 1},,
            {"ph": "X", "name": "b", {{{{ "ts": 2, "dur": 1},
            {"ph": "X", "name": "c", "ts": 3, "dur": 1}
            """));
        assertThat(run("info", damaged)).isEqualTo(ExitStatus.PARTIAL);
    }

    @Test
    void jsonIsStrictWhateverTheNamesAre() throws IOException {
        byte[] odd = TestTraces.document(
                        "{\"ph\": \"X\", \"cat\": \"a\\ud800\u0001\\u0000\", \"name\": \"\\udc00<>\\\"\", \"ts\": 1,"
                                + " \"dur\": NaN},\n"
                                + "{\"ph\": \"X\", \"cat\": \"\u00ff\u00fe\", \"name\": \"b\", \"ts\": 1, \"dur\": 1}")
                .getBytes(ISO_8859_1);
        Path file = Files.write(folder.resolve("odd.json"), odd);
        assertThat(run("info", "--json", file)).isZero();
        String document = strict();
        assertThat(document.chars().filter(c -> c >= 0xD800 && c <= 0xDFFF).count())
                .isZero();
    }

    @Test
    void jsonIsADocumentEvenWhenFilesFail() throws IOException {
        Path good = write("good.json", TestTraces.document("{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}"));
        Path bad = write("bad.json", "nonsense");
        assertThat(run("info", "--json", bad, good)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(strict()).contains("good.json").doesNotContain("nonsense");
        assertThat(err.toString()).contains("bad.json");
        assertThat(run("info", "--json", "--allow-partial", bad, good)).isZero();
        assertThat(run("info", "--json", "--strict", bad, good)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(run("info", "--json", bad)).isEqualTo(ExitStatus.UNREADABLE);
        strict();
        assertThat(run("info", "--json", write("settings.json", "{\"batch\": 8}"), good))
                .as("what is no trace loses none")
                .isZero();
        assertThat(err.toString()).contains("settings.json");
        assertThat(run("info", "--json", folder.resolve("gone.json"))).isEqualTo(ExitStatus.UNREADABLE);
        strict();
    }

    @Test
    void readsDirectoriesAndPatterns() throws IOException {
        Path runs = folder.resolve("run");
        SyntheticRun.write(runs, SyntheticTraces.smallRecipe(2), Layout.flat());
        Files.writeString(runs.resolve(".lockstep-12_trace.json"), "an output in the making");
        Files.writeString(
                Files.createDirectory(runs.resolve(".lockstep-12")).resolve("made_trace.json"),
                "an output in the making");
        assertThat(run("info", runs)).isZero();
        assertThat(out.toString())
                .contains("rank0_trace.json", "rank1_trace.json")
                .doesNotContain("truth.json", "lockstep-12");
        assertThat(run("info", runs + "/**_trace.json")).isZero();
        assertThat(out.toString()).doesNotContain("lockstep-12");
        assertThat(run("info", runs + "/rank1*.json")).isZero();
        assertThat(out.toString()).contains("rank1_trace.json").doesNotContain("rank0_trace.json");
        assertThat(run("info", runs + "/nothing*.json")).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(run("info", Files.createDirectory(folder.resolve("none")))).isEqualTo(ExitStatus.NOTHING);
    }

    @Test
    void saysWhatAnExecutionTraceHolds() throws IOException {
        NodeText nodes = new NodeText("1.0.1")
                .node(1, 1, "[pytorch|profiler|execution_graph|process]")
                .node(2, 1, "ProfilerStep#3")
                .op(3, 2, "aten::abs", NodeText.tensor(1, 32, "cuda:0"), "[4, 8]", "\"Tensor(float)\"");
        Path et = write("et.json", nodes.toString());

        assertThat(run("info", et)).isZero();
        assertThat(out.toString())
                .contains(
                        "pytorch-et, schema 1.0.1",
                        "calls        3: operators that do the work 1, within these 0, containers 2, marks 0",
                        "no: operators without times",
                        "1, 3 to 3",
                        "cuda:0");
        out.getBuffer().setLength(0);
        assertThat(run("info", "--json", et)).isZero();
        assertThat(strict()).contains("\"format\":\"pytorch-et\"", "\"operators\":1", "\"containers\":2");
        assertThat(run(
                        "info",
                        write(
                                "cut.json",
                                nodes.toString().substring(0, nodes.toString().length() - 20))))
                .isEqualTo(4);
    }
}
