// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Packing;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path trace;

    @BeforeEach
    void writeATrace() throws IOException {
        EventText events = new EventText();
        for (int i = 0; i < 20; i++) {
            events.op("aten::mm", i * 100_000L, 50_000)
                    .launch("gemm", i * 100_000L + 10_000, i * 100_000L + 60_000, 30_000, i + 1, 7);
        }
        trace = write("rank0.pt.trace.json", TestTraces.document(events.toString()));
    }

    private Path write(String name, String content) throws IOException {
        return Files.write(folder.resolve(name), content.getBytes(UTF_8));
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path cut() throws IOException {
        String text = Files.readString(trace);
        return write("cut.json", text.substring(0, text.length() * 2 / 3));
    }

    @Test
    void everythingIsWrittenAndSummarised() throws IOException {
        Path into = folder.resolve("out");
        assertThat(run("report", trace, "-o", into)).isZero();
        assertThat(TestProgram.files(into))
                .containsKeys("report.html", "report.xlsx", "csv/gpu_timeline.csv", "csv/ops_summary.csv");
        assertThat(out.toString())
                .contains("Launch-bound: ", "Kernels  gemm 100 %", "wrote " + into.resolve("report.html"))
                .doesNotContain("aten::mm");
        assertThat(out.toString().lines().count()).isLessThanOrEqualTo(15);
        assertThat(run("report", trace, "-v", "-o", folder.resolve("all"))).isZero();
        assertThat(out.toString()).contains("aten::mm", "gemm", "Kernels");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theScreenAnswersWhatWasAskedOfThePath() {
        Object[] asked = {
            "report",
            trace,
            "--critical-path=all",
            "--what-if",
            "host=x0.5",
            "--what-if",
            "class:copy=x0",
            "--csv",
            folder.resolve("csv")
        };
        assertThat(run(asked)).isZero();
        assertThat(out.toString())
                .contains("Critical path of all: ", "What if host=x0.5: ")
                .containsPattern("What if host=x0.5: [0-9.]+ ms become [0-9.]+ ms, [0-9.]+ % less")
                .contains("What if class:copy=x0: nothing in the recording is what this changes.");
        assertThat(run("report", trace, "--csv", folder.resolve("bare"))).isZero();
        assertThat(out.toString()).doesNotContain("Critical path", "What if");
    }

    @Test
    void aDirectoryInPlaceOfATraceSaysWhatItHolds() throws IOException {
        assertThat(run("split", folder)).isEqualTo(3);
        assertThat(err.toString())
                .contains(folder + ": this is a directory; one trace is needed")
                .contains("It holds the trace rank0.pt.trace.json.");

        Path more = Files.createDirectories(folder.resolve("more"));
        Files.copy(trace, more.resolve("rank1.json"));
        assertThat(run("split", folder)).isEqualTo(3);
        assertThat(err.toString())
                .contains("It holds the traces " + Path.of("more", "rank1.json") + ", rank0.pt.trace.json.")
                .contains("'lockstep collectives' compares all ranks: lockstep collectives " + folder);

        for (int rank = 2; rank < 5; rank++) {
            Files.copy(trace, more.resolve("rank" + rank + ".json"));
        }
        assertThat(run("split", folder)).isEqualTo(3);
        assertThat(err.toString()).contains("It holds 5 traces, such as " + Path.of("more", "rank1.json") + ".");

        assertThat(run("split", Files.createDirectories(folder.resolve("empty"))))
                .isEqualTo(5);
        assertThat(err.toString()).contains("empty: this folder is empty");
    }

    @Test
    void aPartOfATraceIsExplainedAlone() throws IOException {
        Path csv = folder.resolve("part");

        assertThat(run("report", trace, "--filter", "time=0us..950us", "--drop", "time=0us..450us", "--csv", csv))
                .isZero();

        assertThat(out.toString()).contains("Filter time=0us..950us, not time=0us..450us (15 of 60 slices)");
        assertThat(Files.readString(csv.resolve("ops_summary.csv"))).contains("aten::mm,", ",4,");
        assertThat(run("report", trace, "--filter", "name=nothing")).isEqualTo(ExitStatus.NOTHING);
        assertThat(run("report", trace, "--filter", "rank=0")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("Name the traces of the ranks.");
        assertThat(run("report", trace, "--filter", "step=1", "--overlay", folder.resolve("o.json")))
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void partsOfAllRanksAreExplained() throws IOException {
        Path run = Files.createDirectories(folder.resolve("run"));
        for (int rank = 0; rank < 2; rank++) {
            Files.copy(trace, run.resolve("rank" + rank + ".json"));
        }
        Path csv = folder.resolve("parts");

        run("report", run, "--filter", "time=0us..450us", "--csv", csv);

        for (int rank = 0; rank < 2; rank++) {
            assertThat(Files.readString(csv.resolve("rank" + rank + "/ops_summary.csv")))
                    .contains(",4,")
                    .doesNotContain(",20,");
        }
    }

    @Test
    void onlyWhatIsNamedIsWritten() throws IOException {
        Path csv = folder.resolve("sheets");
        assertThat(run("report", trace, "--csv", csv, "--quiet")).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(TestProgram.files(folder).keySet())
                .allMatch(name -> name.startsWith("sheets/") || name.equals("rank0.pt.trace.json"));
    }

    @Test
    void devicesAreBundledOrDescribedInFiles() throws IOException {
        Path json = write("device.json", """
            {"name": "Lab", "mem_bw_gbps": 100, "max_achievable_tflops": {"matrix_fp32": 1}}
            """);
        Path yaml = write("device.yaml", """
            name: Lab
            mem_bw_gbps: 100
            max_achievable_tflops:
              matrix_fp32: 1
            """);
        for (Object device : new Object[] {"MI300X", "h100", json, yaml}) {
            assertThat(run("report", trace, "-v", "--arch", device, "--json", folder.resolve("r.json")))
                    .isZero();
            assertThat(out.toString()).contains("Measured against " + (device instanceof Path ? "Lab" : ""));
        }
    }

    @Test
    void unknownDevicesNameTheKnownOnes() throws IOException {
        assertThat(run("report", trace, "--arch", "MI300Z", "--json", folder.resolve("r.json")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("MI300Z", "MI300X");
        assertThat(run("report", trace, "--arch", folder.resolve("none.json"), "--json", folder.resolve("r.json")))
                .isNotZero();
        assertThat(err.toString()).contains("none.json");
        Path broken = write("broken.yaml", "name: [1, 2");
        assertThat(run("report", trace, "--arch", broken, "--json", folder.resolve("r.json")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("broken.yaml");
    }

    @Test
    void ownOperatorsAreModelledAndHaveASheet() throws IOException {
        EventText events = new EventText();
        events.op("lab::twice", 0, 50_000, "\"Input Dims\": [[4, 8]], \"Input type\": [\"float\"]")
                .launch("twice", 10_000, 60_000, 30_000, 1, 7);
        Path own = write("own.json", TestTraces.document(events.toString()));
        Path models = write("models.yaml", """
            models:
              - ops: [\"lab::twice\"]
                family: Lab
                category: Lab
                unit: vector
                define: {n: prod(shape(0))}
                parameters: [n]
                precision: type(0)
                flops: 2 * n
                bytes: 2 * n * size(type(0))
            """);
        Path csv = folder.resolve("own");
        assertThat(run("report", own, "--models", models, "--csv", csv))
                .as(err.toString())
                .isZero();
        assertThat(Files.readString(csv.resolve("Lab_fwd.csv"))).contains("lab::twice,32,");
        assertThat(Files.readString(csv.resolve("ops_summary_by_category.csv"))).contains("Lab,1,");
    }

    @Test
    void withoutAnOutputTheFolderIsNamedAfterTheTrace() throws IOException {
        String unique = "report-command-test-" + ProcessHandle.current().pid();
        Path elsewhere = write(unique + ".pt.trace.json", Files.readString(trace));
        Path expected = Path.of(unique + "_report");
        try {
            assertThat(run("report", elsewhere)).isZero();
            assertThat(expected.resolve("report.html")).exists();
        } finally {
            if (Files.exists(expected)) {
                try (Stream<Path> walk = Files.walk(expected)) {
                    walk.sorted(java.util.Comparator.reverseOrder())
                            .forEach(p -> p.toFile().delete());
                }
            }
        }
    }

    @Test
    void sameBytesForAnyNumberOfJobs() throws IOException {
        Path synthetic = Files.write(
                folder.resolve("synthetic.json"),
                SyntheticRun.bytes(SyntheticTraces.smallRecipe(2).withSteps(6), 0));
        Files.write(folder.resolve("synthetic.json.gz"), Packing.GZIP.pack(Files.readAllBytes(synthetic)));
        Map<String, String> wanted = null;
        for (int jobs : new int[] {1, 2, 8}) {
            Path into = folder.resolve("jobs" + jobs);
            assertThat(run("report", synthetic, "-o", into, "--json", into.resolve("all.json"), "--jobs", jobs))
                    .isZero();
            Map<String, String> found = TestProgram.files(into);
            wanted = wanted == null ? found : wanted;
            assertThat(found.keySet()).isEqualTo(wanted.keySet()).hasSizeGreaterThan(10);
            for (Map.Entry<String, String> file : wanted.entrySet()) {
                assertThat(found.get(file.getKey()).equals(file.getValue()))
                        .as(file.getKey())
                        .isTrue();
            }
        }
        assertThat(run("report", folder.resolve("synthetic.json.gz"), "--csv", folder.resolve("packed")))
                .isZero();
        assertThat(TestProgram.files(folder.resolve("packed")).get("kernel_summary.csv"))
                .isEqualTo(wanted.get("csv/kernel_summary.csv"));
    }

    @Test
    void compatReproducesTheOtherToolsSheets() throws IOException {
        Path csv = folder.resolve("sheets");
        assertThat(run("report", trace, "--csv", csv, "--compat", "tracelens")).isZero();
        assertThat(TestProgram.files(csv))
                .containsOnlyKeys(
                        "gpu_timeline.csv",
                        "ops_summary.csv",
                        "ops_summary_by_category.csv",
                        "ops_unique_args.csv",
                        "unified_perf_summary.csv");
        assertThat(TestProgram.files(csv).get("ops_unique_args.csv"))
                .startsWith("name,op category,")
                .contains("ex_UID");
        assertThat(run("report", trace, "--csv", csv, "--compat", "other")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("other").contains("tracelens");
    }

    @Test
    void theJsonOutputIsStrict() throws IOException {
        Path json = folder.resolve("all.json");
        assertThat(run("report", trace, "--json", json)).isZero();
        try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
            int tokens = 0;
            while (parser.nextToken() != null) {
                tokens++;
            }
            assertThat(tokens).isGreaterThan(100);
        }
    }

    @Test
    void whatIsCutIsPartialAndSaid() throws IOException {
        Path csv = folder.resolve("sheets");
        assertThat(run("report", cut(), "--csv", csv)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("cut.json", "truncated", "byte");
        assertThat(TestProgram.files(csv).get("coverage.csv")).contains("truncated");
        assertThat(run("report", cut(), "--csv", csv, "--allow-partial")).isZero();
    }

    @Test
    void strictRefusesDamageAndWritesNothing() throws IOException {
        Path csv = folder.resolve("sheets");
        assertThat(run("report", cut(), "--csv", csv, "--strict")).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("cut.json", "truncated");
        assertThat(csv).doesNotExist();
        assertThat(run("report", trace, "--csv", csv, "--strict")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "null", "hello", "{}", "<html>", "{\"traceEvents\": 1}"})
    void whatIsNoTraceIsUnreadableAndLeavesNothing(String content) throws IOException {
        Path bad = write("bad.json", content);
        Map<String, String> before = TestProgram.files(folder);
        int status = run(
                "report",
                bad,
                "--csv",
                folder.resolve("c"),
                "--html",
                folder.resolve("h.html"),
                "--xlsx",
                folder.resolve("x.xlsx"));
        assertThat(status).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("bad.json").doesNotContain("\tat ");
        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }

    @Test
    void aSoundFileWithoutEventsIsNothingToDo() throws IOException {
        Path empty = write("empty.json", "{\"traceEvents\": []}");
        assertThat(run("report", empty, "--csv", folder.resolve("c"))).isEqualTo(ExitStatus.NOTHING);
        assertThat(folder.resolve("c")).doesNotExist();
        assertThat(run("info", empty)).isEqualTo(ExitStatus.NOTHING);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(run("report", folder.resolve("gone.json"))).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("gone.json").contains("no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--html", "--xlsx", "--json", "--csv"})
    void anOutputNeverOverwritesTheInput(String option) throws IOException {
        byte[] before = Files.readAllBytes(trace);
        assertThat(run("report", trace, option, trace)).isEqualTo(ExitStatus.USAGE);
        assertThat(run("report", trace, option, folder.resolve(".").resolve(trace.getFileName())))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(trace).hasBinaryContent(before);
    }

    @Test
    void anInputInsideTheOutputFolderStays() throws IOException {
        byte[] before = Files.readAllBytes(trace);
        assertThat(run("report", trace, "--csv", folder)).isIn(ExitStatus.COMPLETE, ExitStatus.USAGE);
        assertThat(trace).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--short-kernels=0", "--short-kernel-bins=0", "--short-kernel-bins=x", "--nonsense"})
    void wrongOptionsAreUsageErrors(String option) {
        assertThat(run("report", trace, option, "--csv", folder.resolve("c"))).isEqualTo(ExitStatus.USAGE);
        assertThat(folder.resolve("c")).doesNotExist();
    }
}
