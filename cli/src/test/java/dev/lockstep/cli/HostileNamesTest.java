// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that would break files of other formats go through whole chains: what one step writes, the next can read. */
class HostileNamesTest {
    /** As JSON writes them, one for each name of a kernel. */
    private static final List<String> ENDINGS = List.of(
            "\\u0000",
            "\\u0001",
            "\\n",
            "\\r\\n",
            "\\\"q\\\"",
            ",;\\t",
            "=cmd|x",
            "</script><b>",
            "\\ud800",
            "\\u202e",
            "\\\\",
            "'",
            "_x0041_",
            "\\ufeff",
            "L".repeat(40_000));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path sweep() throws IOException {
        Path sweep = folder.resolve("sweep");
        SyntheticSweep.write(
                sweep,
                SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28)),
                Layout.torchProfiler("trace.json"),
                Workers.none());
        try (Stream<Path> files = Files.walk(sweep)) {
            for (Path file : files.filter(f -> f.endsWith("trace.json")).toList()) {
                Files.writeString(file, hostile(Files.readString(file)));
            }
        }
        return sweep;
    }

    private static String hostile(String trace) {
        return Pattern.compile("(\"name\": \")((?:Cijk|aten::)[^\"]*|[^\"]*(?:gemm|elementwise)[^\"]*)\"")
                .matcher(trace)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + match.group(2)
                        + ENDINGS.get(Math.floorMod(match.group(2).hashCode(), ENDINGS.size())) + "\""));
    }

    /** A folder's {@code *.json} may hold a name that begins so: no file's content becomes options. */
    @Test
    void aNameThatBeginsWithAnAtSignIsAName() throws IOException {
        Path options = Files.writeString(folder.resolve("options.json"), "--help");

        assertThat(run("info", "@" + options)).isEqualTo(ExitStatus.UNREADABLE);

        assertThat(err.toString()).contains("@" + options);
    }

    /** What is no file and, with its open bracket, no pattern. */
    @Test
    void aNameThatIsNoPatternIsNotFound() {
        for (String name : List.of("a[b", "a[z-a]", "a{b", "a{b,{c}}", "[!", "*[")) {
            for (String command : List.of("info", "report", "merge", "dataset", "fleet", "aiu -i")) {
                assertThat(run((Object[]) (command + " " + name + " -o " + folder.resolve("o")).split(" ")))
                        .as("%s %s: %s", command, name, err)
                        .isBetween(ExitStatus.USAGE, ExitStatus.PARTIAL);
            }
        }
    }

    @Test
    void aSweepIsReportedComparedAndMeasured() throws IOException {
        Path sweep = sweep();
        assertThat(Files.readString(sweep.resolve("256thread/nccl_28channels/torch_profiler/rank0/trace.json")))
                .contains("\\u0000", "=cmd|x");

        assertThat(run("sweep", "all", sweep)).as("%s", err).isZero();

        Path reports = sweep.resolve("lockstep_reports");
        assertThat(reports.resolve("sweep.html")).exists();
        Path variance = reports.resolve("gemm_variance.csv");
        assertThat(run("gemm", "timestamps", "--input-csv", variance, "--base-path", sweep))
                .as("%s", err)
                .isZero();
        assertThat(run("gemm", "plot", "--csv-path", variance, "--output-dir", folder.resolve("plots")))
                .as("%s", err)
                .isZero();
        Path one = sweep.resolve("256thread/nccl_28channels/torch_profiler");
        Path other = sweep.resolve("1024thread/nccl_28channels/torch_profiler");
        assertThat(run(
                        "config",
                        "compare",
                        "--baseline",
                        one,
                        "--test",
                        other,
                        "--output",
                        folder.resolve("c"),
                        "--all"))
                .as("%s%s", out, err)
                .isZero();
    }

    @Test
    void oneTraceGoesThroughEveryFormat() throws IOException {
        Path trace = sweep().resolve("256thread/nccl_28channels/torch_profiler/rank0/trace.json");
        Path a = folder.resolve("a");
        Path b = folder.resolve("b.xlsx");

        assertThat(run("report", trace, "--csv", a, "--xlsx", b)).as("%s", err).isZero();
        assertThat(run("compare", a, b, "--csv", folder.resolve("compared")))
                .as("%s", err)
                .isZero();
        for (String name : List.of("m.json", "m.pftrace")) {
            assertThat(run("merge", trace, "-o", folder.resolve(name), "--allow-partial"))
                    .as("%s", err)
                    .isZero();
            assertThat(run("report", folder.resolve(name), "--csv", folder.resolve(name + "_csv")))
                    .as("%s", err)
                    .isZero();
            assertThat(folder.resolve(name + "_csv/kernel_summary.csv"))
                    .hasSameTextualContentAs(a.resolve("kernel_summary.csv"));
        }
        assertThat(run("aiu", "-i", trace, "-o", folder.resolve("aiu.json")))
                .as("%s", err)
                .isZero();
        assertThat(run("kernels", "extract", trace, "-o", folder.resolve("k")))
                .as("%s", err)
                .isZero();
    }

    /** Sequences that clear screens, name windows, turn the direction of text, or feign a line of the program. */
    @Test
    void noNameSteersTheTerminal() throws IOException {
        String name = "n\\u001b]0;title\\u0007\\u001b[2J\\u009b31m\\u202e\\r\\nlockstep: feigned";
        Path run = Files.createDirectory(folder.resolve("run\u001b[2J\u009b"));
        for (int rank = 0; rank < 2; rank++) {
            Files.writeString(run.resolve("rank" + rank + "_trace.json"), """
                {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NAME"}], "NAME": "NAME",
                 "distributedInfo": {"rank": RANK, "world_size": 2, "backend": "NAME"}, "traceEvents": [
                 {"ph": "M", "name": "process_name", "pid": "NAME", "tid": "NAME", "args": {"name": "NAME"}},
                 {"ph": "X", "cat": "cpu_op", "name": "aten::NAME", "pid": "NAME", "tid": "NAME", "ts": 10, "dur": 50,
                  "args": {"External id": 1}},
                 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelNAME", "pid": "NAME", "tid": "NAME",
                  "ts": 15, "dur": 5, "args": {"correlation": 1, "External id": 1}},
                 {"ph": "X", "cat": "kernel", "name": "NAME", "pid": 0, "tid": 7, "ts": 20, "dur": 40,
                  "args": {"stream": 7, "device": 0, "correlation": 1, "External id": 1}},
                 {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduceNAME", "pid": 0, "tid": 8, "ts": 20,
                  "dur": 40, "args": {"stream": 8, "device": 0, "Process Group Name": "NAME"}},
                 {"ph": "NAME", "name": "NAME", "cat": "NAME", "ts": "NAME"},
                 {"ph": "X", "cat": "NAME", "name": "NAME", "pid": 1, "tid": 1, "ts": 70, "dur": 1}
                ]}
                """.replace("NAME", name)
                    .replace("RANK", Integer.toString(rank)));
        }
        Path trace = run.resolve("rank0_trace.json");
        for (List<?> line : List.of(
                List.of("info", run),
                List.of("report", trace, "-o", folder.resolve("report\u001b[2J")),
                List.of("report", run, "-o", folder.resolve("reports")),
                List.of("collectives", run, "-o", folder.resolve("collectives")),
                List.of("fleet", run, "-o", folder.resolve("fleet")),
                List.of("diff", trace, run.resolve("rank1_trace.json"), "-o", folder.resolve("diff")),
                List.of("merge", run, "-o", folder.resolve("merged.json")),
                List.of("kernels", "extract", trace, "-o", folder.resolve("kernels")),
                List.of("replay", "plan", trace, "-o", folder.resolve("plan.json")),
                List.of("stragglers", run, "-o", folder.resolve("stragglers")),
                List.of("memory", run),
                List.of("split", trace, "-o", folder.resolve("split")),
                List.of("info", run.resolve("none\u001b[2J\u009b.json")))) {
            run(line.toArray());
            assertThat(out.toString() + err)
                    .as("%s", line)
                    .isNotEmpty()
                    .doesNotContainPattern("[\\p{Cntrl}\u009b\u202e&&[^\n\t]]");
            assertThat(out.toString() + err).as("%s", line).doesNotContainPattern("(?m)^lockstep: feigned");
        }
    }
}
