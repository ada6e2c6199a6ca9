// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code --quiet}, a command that writes files prints nothing. */
class QuietTest {
    /** Every command that writes files, in an order in which each finds what it reads. */
    private static final List<String> LINES = List.of(
            "synth -o D/run --ranks 2 --steps 2 --layers 1 --memory",
            "synth -o D/sweep --sweep 256x28,42 --ranks 2 --steps 3 --layers 1",
            "report D/run/rank0_trace.json -o D/report",
            "report D/run -o D/whole",
            "collectives D/run -o D/collectives",
            "stragglers D/run -o D/stragglers",
            "fleet D/run -o D/fleet",
            "memory D/run/rank0_trace.json -o D/memory",
            "completion -o D/share",
            "dataset D/run -o D/data",
            "merge D/run -o D/all.pftrace --align collectives",
            "compare D/report D/report --names a,b -o D/compared",
            "diff D/run/rank0_trace.json D/run/rank1_trace.json -o D/diff",
            "split D/run/rank0_trace.json -o D/split",
            "kernels extract D/run/rank0_trace.json -o D/kernels",
            "kernels gantt D/run -o D/gantt.png",
            "replay plan D/run/rank0_trace.json -o D/plan.json",
            "replay export D/plan.json --to python -o D/replay.py",
            "goal -i D/run -o D/schedule --gpus-per-node 1",
            "goal report D/schedule/output.goal -o D/simulated",
            "goal export --chakra D/run -o D/chakra",
            "aiu -i D/run/rank0_trace.json -o D/aiu.json",
            "synth -o D/dumps --hang none --ranks 8",
            "hangs D/dumps -o D/hangs",
            "synth -o D/logs --inspector none --ranks 8",
            "links D/logs -o D/links",
            "sweep report D/sweep",
            "sweep merge D/sweep",
            "sweep all D/sweep",
            "sweep html --sweep1 D/sweep --sweep2 D/sweep --output D/sweeps.html",
            "config report D/sweep/256thread/nccl_28channels",
            "config compare --baseline D/sweep/256thread/nccl_28channels --test D/sweep/256thread/nccl_42channels -o"
                    + " D/c",
            "gemm variance --base-path D/sweep/lockstep_reports --output-file D/gemm.csv",
            "gemm plot --csv-path D/gemm.csv --output-dir D/plots",
            "gemm timestamps --input-csv D/gemm.csv --base-path D/sweep --output-csv D/times.csv",
            "gemm overlap --input-csv D/times.csv --reports D/sweep/lockstep_reports --output-csv D/overlap.csv",
            "config run -c D/run.json -p 56,256 --nproc 1 --pause 0 --launcher command -o D/c1 -- true",
            "sweep run -f D/run.json -c 28 -t 256 --nproc 1 --pause 0 --launcher command -o D/s1 -- true");

    /** Those whose result is what they print, or whose work needs a device, or that go on until they are ended. */
    private static final Set<String> PRINTING = Set.of(
            "ask",
            "demo",
            "goal algorithms",
            "goal simulate",
            "goal verify",
            "gate",
            "info",
            "mcp",
            "record",
            "replay compare",
            "replay energy",
            "replay power",
            "replay run",
            "sql",
            "version",
            "view");

    @TempDir
    private Path folder;

    @Test
    void nothingIsPrinted() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> loud = new ArrayList<>();
        Files.writeString(folder.resolve("run.json"), "{\"training\": {\"max_steps\": 2}}");
        for (String line : LINES) {
            String quiet = line.contains(" -- ") ? line.replace(" -- ", " --quiet -- ") : line + " --quiet";
            int status = TestProgram.run(
                    out, err, (Object[]) quiet.replace("D/", folder + "/").split(" "));
            if (status != 0 && !line.contains(" run ") || !out.toString().isEmpty()) {
                loud.add(line + " = " + status + ": " + out + err);
            }
        }
        assertThat(loud).isEmpty();
    }

    @Test
    void whatIsAssumedOfASchedulesCostsIsNotSaid() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Object[] line = {
            "goal", "-i", folder.resolve("run"), "-o", folder.resolve("quiet"), "--gpus-per-node", "1", "--quiet"
        };
        assertThat(TestProgram.run(
                        out,
                        err,
                        "synth",
                        "-o",
                        folder.resolve("run"),
                        "--ranks",
                        2,
                        "--steps",
                        2,
                        "--layers",
                        1,
                        "--quiet"))
                .isZero();

        assertThat(TestProgram.run(out, err, line)).as(err::toString).isZero();
        assertThat(out.toString() + err).isEmpty();
        assertThat(TestProgram.run(out, err, Arrays.copyOf(line, line.length - 1)))
                .isZero();
        assertThat(err.toString()).contains("reducing and copying cost");
    }

    @Test
    void everyCommandThatWritesIsTried() {
        Set<String> tried = LINES.stream()
                .flatMap(line -> Commands.runnable()
                        .map(CommandEntry::name)
                        .filter(name -> line.startsWith(name + " ")
                                || name.equals("goal generate") && line.startsWith("goal -")))
                .collect(Collectors.toSet());

        assertThat(Stream.concat(tried.stream(), PRINTING.stream()))
                .containsExactlyInAnyOrderElementsOf(
                        Commands.runnable().map(CommandEntry::name).toList());
    }
}
