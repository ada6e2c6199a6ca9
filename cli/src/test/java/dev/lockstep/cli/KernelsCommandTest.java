// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.NodeText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path trace = Path.of("");

    @BeforeEach
    void writeTrace() throws IOException {
        EventText events = new EventText()
                .op("aten::mm", 0, 100_000, "\"Input Dims\": [[8, 64]], \"Input type\": [\"float\"]")
                .launch("gemm", 10_000, 200_000, 30_000, 1, 7)
                .kernel("gemm", 210_000, 30_000, 2, 7)
                .kernel("ncclDevKernel_AllReduce", 150_000, 100_000, 3, 9);
        trace = Files.writeString(folder.resolve("trace.json"), TestTraces.document(events.toString()));
    }

    private int run(Object... arguments) {
        return Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                java.util.Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    }

    @Test
    void extractWritesSheetsListsAndASummary() throws IOException {
        assertThat(run("kernels", "extract", trace, "-o", folder.resolve("out"), "--launches"))
                .isZero();
        assertThat(out.toString()).contains("unique kernels 3");
        Path csv = folder.resolve("out/csv");
        assertThat(Files.readAllLines(csv.resolve("unique_kernels.jsonl"))).hasSize(3);
        assertThat(Files.readString(csv.resolve("summary.json"))).contains("\"unique_count\" : 3");
        assertThat(Files.readAllLines(csv.resolve("kernel_launches.csv"))).hasSize(4);
        assertThat(folder.resolve("out/report.html")).exists();
    }

    @Test
    void whatWasExtractedCanBeReadBack() {
        Path first = folder.resolve("first");
        assertThat(run("kernels", "extract", trace, "--csv", first, "--sig-fields", "grid,block"))
                .isZero();
        assertThat(run("kernels", "extract", first.resolve("unique_kernels.jsonl"), "--csv", folder.resolve("second")))
                .isZero();
        assertThat(out.toString()).contains("unique kernels 2 · calls 3");
    }

    @Test
    void ganttOfANamedFileAsksForNoOtherRank() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Path one = Files.writeString(
                run.resolve("rank0.json"),
                Files.readString(trace).replaceFirst("\\{", "{\"distributedInfo\": {\"rank\": 0, \"world_size\": 2},"));

        assertThat(run("kernels", "gantt", one, "-o", folder.resolve("one.svg")))
                .isZero();
        assertThat(run("kernels", "gantt", run, "-o", folder.resolve("all.svg")))
                .isEqualTo(4);
    }

    @Test
    void ganttDrawsAndLists() throws IOException {
        for (String name : new String[] {"a.png", "a.svg", "a.html"}) {
            assertThat(run("kernels", "gantt", trace, "-o", folder.resolve(name), "--csv", folder.resolve("list")))
                    .isZero();
            assertThat(folder.resolve(name)).isNotEmptyFile();
        }
        assertThat(out.toString()).contains("in 3 lanes");
        assertThat(Files.readAllLines(folder.resolve("list/kernels_rank0_gpu0.csv")))
                .contains("ncclDevKernel_AllReduce,0,0.1,0,9,communication");
        assertThat(run("kernels", "gantt", trace, "-o", folder.resolve("a.pdf")))
                .isEqualTo(2);
        assertThat(run("kernels", "gantt", trace, "-o", folder.resolve("a.png"), "--window", "1s.."))
                .isEqualTo(2);
    }

    @Test
    void rareCommunicationAmongManyKernelsIsDrawnAndNamesAreEscaped() throws IOException {
        EventText events = new EventText().kernel("<b>&long</b>", 0, 50_000_000, 0, 3);
        for (int i = 0; i < 20_000; i++) {
            events.kernel(i % 50 == 0 ? "ncclDevKernel_AllReduce" : "gemm", i * 2_500L, 2_000, i + 1, 7);
        }
        Path dense = Files.writeString(folder.resolve("dense.json"), TestTraces.document(events.toString()));
        assertThat(run("kernels", "gantt", dense, "-o", folder.resolve("dense.svg")))
                .isZero();
        String svg = Files.readString(folder.resolve("dense.svg"));
        assertThat(svg.split("<path[^>]*fill=\"#e69f00\""))
                .as("legend and stack")
                .hasSize(3);
        assertThat(svg).contains("&lt;b&gt;&amp;long&lt;/b&gt;").hasSizeLessThan(200_000);
    }

    @Test
    void kindsOfKernelsCanBeChosen() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.txt"), "# mine\nmatrices gemm|mm\n");
        assertThat(run("kernels", "extract", trace, "--csv", folder.resolve("k"), "--categories", rules))
                .isZero();
        assertThat(Files.readString(folder.resolve("k/kernel_categories.csv")))
                .contains("matrices,")
                .contains("other,");
        assertThat(run("kernels", "extract", trace, "--csv", folder.resolve("l"), "--categories", "piep"))
                .isZero();
        Files.writeString(rules, "broken (");
        assertThat(run("kernels", "extract", trace, "--csv", folder.resolve("m"), "--categories", rules))
                .isEqualTo(2);
        assertThat(err.toString()).contains("rules.txt, line 1");
        assertThat(run("kernels", "extract", trace, "--csv", folder.resolve("m"), "--categories", "absent.txt"))
                .isEqualTo(3);
    }

    @Test
    void whereNothingIsLeftTheReasonIsNamedAndNoOther() throws IOException {
        Path picture = folder.resolve("p.png");
        assertThat(run(
                        "kernels",
                        "extract",
                        trace,
                        "--devices",
                        "0",
                        "--exclude",
                        "gemm,nccl",
                        "--csv",
                        folder.resolve("x")))
                .isEqualTo(5);
        assertThat(said())
                .contains("no kernels are left of 3", "Hint: --exclude leaves out 3.")
                .doesNotContain("--devices");
        assertThat(run("kernels", "extract", trace, "--devices", "7", "--csv", folder.resolve("x")))
                .isEqualTo(5);
        assertThat(said()).contains("--devices leaves out 3.").doesNotContain("--exclude", "ProfilerActivity");
        assertThat(run("kernels", "gantt", trace, "--devices", "7", "-o", picture))
                .isEqualTo(5);
        assertThat(said()).contains("--devices leaves out all of 3.").doesNotContain("ProfilerActivity");

        Path host = Files.writeString(
                folder.resolve("host.json"),
                TestTraces.document(new EventText().op("aten::mm", 0, 10).toString()));
        assertThat(run("kernels", "extract", host, "--devices", "0", "--csv", folder.resolve("x")))
                .isEqualTo(5);
        assertThat(said())
                .contains("host.json: there are no kernels", "ProfilerActivity.CUDA")
                .doesNotContain("--devices");
        assertThat(run("kernels", "gantt", host, "--devices", "0", "-o", picture))
                .isEqualTo(5);
        assertThat(said())
                .contains("there is no device activity to draw", "ProfilerActivity.CUDA")
                .doesNotContain("--devices");
    }

    /** What was said on standard error since the last time. */
    private String said() {
        String text = err.toString();
        err.getBuffer().setLength(0);
        return text;
    }

    @Test
    void logsOfLocalTimeAreJoinedWithAZone() throws IOException {
        Path result = Files.writeString(folder.resolve("result.json"), """
            {"format": "lockstep-replay-result", "version": 1, "steps": 0, "operators": [
            {"id": 0, "name": "aten::mm", "status": "ran", "executed": 30, "device": {"median_ns": 20000},
             "window": {"start_ns": 1700000001000000000, "end_ns": 1700000003000000000},
             "calls": 2, "recorded_device_ns": 60000}]}
            """);
        Path power = Files.writeString(
                folder.resolve("smi.csv"),
                "timestamp, index, power.draw [W]\n"
                        + "2023/11/14 23:13:20.000, 0, 50.00 W\n"
                        + "2023/11/14 23:13:24.000, 0, 50.00 W\n");
        assertThat(run("replay", "energy", result, "--power", power, "--csv", folder.resolve("z")))
                .isEqualTo(5);
        assertThat(err.toString()).contains("--zone");
        assertThat(run("replay", "energy", result, "--power", power, "--zone", "+01:00", "--csv", folder.resolve("z")))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("z/replay_energy.csv")).get(1))
                .contains(",interpolated,0.03,100,");
        assertThat(run("replay", "energy", result, "--power", power, "--zone", "Moon", "--csv", folder.resolve("z")))
                .isEqualTo(2);
    }

    @Test
    void compatibleFilesHaveTheNamesOfTheTool() {
        assertThat(run(
                        "kernels",
                        "extract",
                        trace,
                        "--compat",
                        "piep",
                        "--prefix",
                        "bloom_",
                        "-o",
                        folder.resolve("p")))
                .isZero();
        assertThat(folder.resolve("p/bloom_unique_kernels_compute.jsonl")).exists();
        assertThat(run("kernels", "gantt", trace, "--compat", "piep", "-o", folder.resolve("g")))
                .isZero();
        assertThat(folder.resolve("g/kernels_gantt_rank0_gpu0.png")).exists();
        assertThat(run("kernels", "extract", trace, "--compat", "other")).isEqualTo(2);
        Path out = folder.resolve("q");
        assertThat(run("kernels", "extract", trace, "--compat", "piep", "--prefix", "../p_", "-o", out))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'../p_' is a path");
        assertThat(out).doesNotExist();
    }

    @Test
    void compareSaysWhatIsMissing() throws IOException {
        Path result = Files.writeString(folder.resolve("result.json"), """
            {"format": "lockstep-replay-result", "version": 1, "steps": 0, "operators": [
            {"id": 0, "name": "aten::mm", "status": "ran", "executed": 30, "device": {"median_ns": 20000},
             "window": {"start_ns": 1700000001000000000, "end_ns": 1700000003000000000},
             "calls": 2, "recorded_device_ns": 60000}]}
            """);
        assertThat(run("replay", "compare", result, "--trace", trace, "--json", folder.resolve("c.json")))
                .isZero();
        assertThat(Files.readString(folder.resolve("c.json")))
                .contains("launch gaps")
                .contains("overlap");
        assertThat(run("replay", "energy", result)).isEqualTo(2);
        Path power = Files.writeString(
                folder.resolve("power.csv"),
                "timestamp,gpu,power_w\n1700000000,0,10\n1700000002,0,50\n1700000004,0,50\n");
        assertThat(run("replay", "energy", result, "--power", power, "--csv", folder.resolve("e")))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("e/replay_energy.csv")).get(1))
                .startsWith("0,aten::mm,,,,ran,2,30,30,2,1,trapezoid,0.03,90,");
    }

    private Path executed() throws IOException {
        String mm = "\"Tensor(float)\", \"Tensor(float)\"";
        String tensors = NodeText.tensor(1, 32, "cuda:0") + ", " + NodeText.tensor(2, 64, "cuda:0");
        NodeText nodes = new NodeText("1.1.1-chakra.0.0.4")
                .node(1, 0, "thread")
                .node(2, 1, "ProfilerStep#1")
                .op(3, 2, "aten::mm", tensors, "[4, 8], [8, 8]", mm)
                .op(4, 2, "aten::mm", tensors, "[2, 8], [8, 8]", mm);
        return Files.writeString(folder.resolve("et.json"), nodes.toString());
    }

    @Test
    void extractListsTheOperatorsOfAnExecutionTrace() throws IOException {
        Path csv = folder.resolve("o/csv");
        assertThat(run("kernels", "extract", executed(), "-o", folder.resolve("o"), "--launches"))
                .isZero();
        assertThat(out.toString()).contains("unique operators 2 · calls 2 · times none");
        assertThat(Files.readAllLines(csv.resolve("unique_kernels.csv")))
                .startsWith("kernel,name,category,class,tier,shapes,types,bytes,calls,calls per forward,calls per step,"
                        + "calls per step min,calls per step max,devices");
        assertThat(Files.readAllLines(csv.resolve("unique_kernels.jsonl"))).hasSize(2);
        assertThat(Files.readString(csv.resolve("summary.json")))
                .contains("\"content\" : \"operators\"", "\"times\" : false", "\"schema\" : \"1.1.1-chakra.0.0.4\"");
        assertThat(Files.readAllLines(csv.resolve("kernel_launches.csv")))
                .containsExactly("kernel,device,step,thread,node", "2,cuda:0,1,1,3", "1,cuda:0,1,1,4");
        assertThat(folder.resolve("o/report.xlsx")).exists();
    }

    @Test
    void aCutExecutionTraceIsListedAsFarAsItGoes() throws IOException {
        String text = Files.readString(executed());
        Path cut = Files.writeString(folder.resolve("cut.json"), text.substring(0, text.indexOf("{\"id\": 4") + 30));

        assertThat(run("kernels", "extract", cut, "--csv", folder.resolve("a"))).isEqualTo(4);
        assertThat(err.toString()).contains("cut.json: 1 x et_damaged");
        assertThat(out.toString()).contains("unique operators 1 · calls 1");
        assertThat(run("kernels", "extract", cut, "--csv", folder.resolve("b"), "--allow-partial"))
                .isZero();
        assertThat(run("kernels", "extract", cut, "--csv", folder.resolve("c"), "--strict"))
                .isEqualTo(3);
        assertThat(folder.resolve("c")).doesNotExist();
    }

    @Test
    void whatDoesNotGoWithAnExecutionTraceIsRefused() throws IOException {
        Path et = executed();
        for (Object[] arguments : new Object[][] {
            {et, "--compat", "piep", "-o", folder.resolve("r")},
            {et, "--categories", "piep", "-o", folder.resolve("r")},
            {et, "--rank", "0", "-o", folder.resolve("r")},
            {et, "--execution-trace", et, "-o", folder.resolve("r")},
            {trace, "--compat", "piep", "--execution-trace", et, "-o", folder.resolve("r")}
        }) {
            Object[] all = new Object[arguments.length + 2];
            all[0] = "kernels";
            all[1] = "extract";
            System.arraycopy(arguments, 0, all, 2, arguments.length);
            assertThat(run(all)).isEqualTo(2);
        }
        assertThat(err.toString()).contains("no execution traces", "holds operators", "single rank");
        assertThat(run("kernels", "extract", et, "--devices", "cpu", "-o", folder.resolve("r")))
                .isEqualTo(5);
        assertThat(err.toString()).contains("no operators are left of 2");
        assertThat(run("kernels", "extract", trace, "--execution-trace", trace, "-o", folder.resolve("r")))
                .isEqualTo(3);
        assertThat(folder.resolve("r")).doesNotExist();
    }

    @Test
    void shapesThatATraceLacksComeFromAnExecutionTrace() throws IOException {
        EventText events = new EventText()
                .op("aten::mm", 0, 5_000, "\"External id\": 1, \"Record function id\": 3")
                .launch("gemm", 1_000, 20_000, 3_000, 1, 7)
                .op("aten::mm", 10_000, 5_000, "\"External id\": 2, \"Record function id\": 4")
                .launch("gemm", 11_000, 40_000, 3_000, 2, 7);
        Path bare = Files.writeString(folder.resolve("bare.json"), TestTraces.document(events.toString()));
        assertThat(run("kernels", "extract", bare, "--csv", folder.resolve("a")))
                .isZero();
        assertThat(out.toString()).contains("unique kernels 1 · calls 2");
        assertThat(run("kernels", "extract", bare, "--execution-trace", executed(), "--csv", folder.resolve("b")))
                .isZero();
        assertThat(out.toString()).contains("unique kernels 2 · calls 2", "joined 2 of 4", "with inputs 2 of 2");
        assertThat(Files.readString(folder.resolve("b/summary.json"))).contains("\"with_inputs\" : 2");
    }

    @Test
    void anExecutionTraceOfAnotherRunIsSaidToBeOne() throws IOException {
        EventText events = new EventText().op("aten::relu", 0, 5_000).launch("relu", 1_000, 20_000, 3_000, 1, 7);
        Path other = Files.writeString(folder.resolve("other.json"), TestTraces.document(events.toString()));

        assertThat(run("kernels", "extract", other, "--execution-trace", executed(), "--csv", folder.resolve("a")))
                .isEqualTo(4);
        assertThat(err.toString()).contains("et.json: none of its calls is in");
        assertThat(out.toString()).contains("is it of the same");
    }

    @Test
    void otherCommandsSayWhichTakeAnExecutionTrace() throws IOException {
        assertThat(run("report", executed(), "-o", folder.resolve("r"))).isEqualTo(3);
        assertThat(err.toString()).contains("execution trace of PyTorch", "'lockstep kernels extract'");
    }

    @Test
    void aLinkedExecutionTraceGivesKernels() throws IOException {
        NodeText nodes =
                new NodeText("1.0.3-chakra.0.0.4").node(1, 0, "aten::mm").linked(2, 1, "sgemm", "kernel", "2", 7);
        Path linked = Files.writeString(folder.resolve("linked.json"), nodes.toString());

        assertThat(run("kernels", "extract", linked, "--csv", folder.resolve("a"), "--categories", "piep"))
                .isZero();
        assertThat(out.toString()).contains("unique kernels 1 · calls 1 · time 0.002 ms");
        assertThat(folder.resolve("a/kernel_durations.csv")).exists();
    }
}
