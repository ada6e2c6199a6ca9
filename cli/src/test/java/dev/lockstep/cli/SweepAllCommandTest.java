// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepAllCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path sweep;
    private Path analysis;

    @BeforeEach
    void writeSweep() throws IOException {
        sweep = folder.resolve("sweep");
        analysis = sweep.resolve("lockstep_reports");
        SyntheticSweep.write(
                sweep,
                SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28, 42)),
                Layout.torchProfiler("trace.json"),
                Workers.none());
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path trace(String row, String column, int rank) {
        return sweep.resolve(row).resolve(column).resolve("torch_profiler/rank" + rank + "/trace.json");
    }

    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)) + "");
            }
        }
        return files;
    }

    @Test
    void oneCommandMakesEverythingAndLeavesInputsAsTheyWere() throws IOException {
        Map<String, String> before = files(sweep);

        assertThat(run("sweep", "all", sweep)).isZero();

        Map<String, String> after = files(sweep);
        assertThat(after).containsAllEntriesOf(before);
        assertThat(after.keySet())
                .contains(
                        "merged_traces/256thread_28ch_merged.pftrace",
                        "merged_traces/1024thread_42ch_merged.pftrace",
                        "lockstep_reports/256thread/individual_reports/perf_28ch_rank0.xlsx",
                        "lockstep_reports/256thread/individual_reports/perf_28ch_rank0.html",
                        "lockstep_reports/1024thread/collective_reports/collective_42ch.xlsx",
                        "lockstep_reports/comparisons/compare_42ch_rank1_across_threads.xlsx",
                        "lockstep_reports/gpu_timeline_all_configs_mean.xlsx",
                        "lockstep_reports/nccl_master_all_configs.xlsx",
                        "lockstep_reports/nccl_master_all_configs.csv",
                        "lockstep_reports/gemm_variance_with_collective_overlap.csv",
                        "lockstep_reports/plots/variance_violin_combined.png",
                        "lockstep_reports/coverage.csv",
                        "lockstep_reports/sweep.html");
        assertThat(out.toString()).contains(" is fastest: ", " is slowest: ", "8 of 8 ranks in 4 configurations");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void thePageNamesTheBestSettingAndLeadsToTheFiles() throws IOException {
        run("sweep", "all", sweep, "--no-merge");

        assertThat(Files.readString(analysis.resolve("sweep.html")))
                .contains(" is fastest: ", "./nccl_master_all_configs.xlsx", "Time of each configuration");
        assertThat(sweep.resolve("merged_traces")).doesNotExist();
    }

    @Test
    void outputsDoNotDependOnTheNumberOfThreads() throws IOException {
        run("sweep", "all", sweep, "--jobs", "1");
        Map<String, String> one = files(sweep);
        run("sweep", "all", sweep, "--jobs", "3");

        assertThat(files(sweep)).isEqualTo(one);
    }

    @Test
    void mergedTracesAreThoseOfTheCommandThatMerges() throws IOException {
        for (List<String> compat : List.of(List.<String>of(), List.of("--compat", "aorta"))) {
            assertThat(runWith(compat, "sweep", "merge", sweep)).isZero();
            Map<String, String> alone = files(sweep.resolve("merged_traces"));
            for (String jobs : List.of("1", "3")) {
                assertThat(runWith(compat, "sweep", "all", sweep, "--jobs", jobs))
                        .isZero();
                assertThat(files(sweep.resolve("merged_traces"))).isEqualTo(alone);
            }
        }
    }

    private int runWith(List<String> more, Object... args) {
        return run(Stream.concat(Arrays.stream(args), more.stream()).toArray());
    }

    @Test
    void finishedReportsGiveTheSameSummaries() throws IOException {
        run("sweep", "all", sweep, "--no-merge");
        String collectives = Files.readString(analysis.resolve("nccl_master_all_configs.csv"));
        String summary = out.toString();

        assertThat(run("sweep", "all", sweep, "--skip-reports")).isZero();
        assertThat(Files.readString(analysis.resolve("nccl_master_all_configs.csv")))
                .isEqualTo(collectives);
        assertThat(summary).contains(out.toString().lines().findFirst().orElseThrow());
    }

    @Test
    void whatIsMissingIsSaidAndTheRestIsReported() throws IOException {
        Files.delete(trace("256thread", "nccl_28channels", 1));
        Path cut = trace("256thread", "nccl_42channels", 0);
        String text = Files.readString(cut);
        Files.writeString(cut, text.substring(0, text.length() * 6 / 10));
        for (int rank = 0; rank < 2; rank++) {
            Files.delete(trace("1024thread", "nccl_28channels", rank));
            Files.delete(trace("1024thread", "nccl_28channels", rank).getParent());
        }
        Files.delete(sweep.resolve("1024thread/nccl_28channels/torch_profiler"));

        assertThat(run("sweep", "all", sweep)).isEqualTo(ExitStatus.PARTIAL);

        assertThat(err.toString())
                .containsPattern("256thread_28ch +rank 1 +missing")
                .containsPattern("256thread_42ch +rank 0 +partial")
                .containsPattern("1024thread_28ch +all ranks *missing");
        assertThat(Files.readString(analysis.resolve("coverage.csv")))
                .contains("256thread_28ch,1,missing", "256thread_42ch,0,partial", "1024thread_28ch,,missing");
        assertThat(analysis.resolve("256thread/individual_reports/perf_28ch_rank0.xlsx"))
                .exists();
        assertThat(analysis.resolve("256thread/individual_reports/perf_28ch_rank1.xlsx"))
                .doesNotExist();
        assertThat(out.toString()).contains("as no report has a device timeline:");
        assertThat(run("sweep", "all", sweep, "--allow-partial")).isZero();
    }

    @Test
    void aortasFilesAreWrittenWhenAsked() throws IOException {
        assertThat(run("sweep", "all", sweep, "--geo-mean", "--compat", "aorta"))
                .isZero();

        Path theirs = sweep.resolve("tracelens_analysis");
        assertThat(analysis).doesNotExist();
        assertThat(theirs.resolve("gpu_timeline_all_configs_geomean.xlsx")).exists();
        assertThat(theirs.resolve("top5_gemm_kernels_time_variance_with_collective_overlap.csv"))
                .exists();
        assertThat(theirs.resolve("sweep.html")).doesNotExist();
        assertThat(Files.readString(theirs.resolve("nccl_master_all_configs.csv")))
                .startsWith("operation_id,operation_name,Full msg size (MB),In msg nelems,threads_num,");
        String merged = Files.readString(sweep.resolve("merged_traces/256thread_28ch_merged.json"));
        assertThat(merged).contains("Rank 7 - CPU/CUDA Runtime", "\"[R1] ");
        assertThat(merged.getBytes(UTF_8)[0]).isEqualTo((byte) '{');
    }

    @Test
    void mergingHasItsOwnCommandAndFormats() throws IOException {
        assertThat(run("sweep", "merge", sweep, "--format", "json.gz,pftrace", "--gpu-only", "--filter", "rank=1"))
                .isZero();

        assertThat(files(sweep.resolve("merged_traces")).keySet())
                .hasSize(8)
                .contains("256thread_28ch_merged.json.gz", "1024thread_42ch_merged.pftrace");
        assertThat(out.toString()).contains("ranks 1,");
        assertThat(run("info", sweep.resolve("merged_traces/256thread_28ch_merged.json.gz")))
                .isIn(0, 4);
    }

    @Test
    void mergingSaysWhatIsMissing() throws IOException {
        Files.delete(trace("256thread", "nccl_28channels", 1));

        assertThat(run("sweep", "merge", sweep)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).containsPattern("256thread_28ch +rank 1 +missing");
    }

    @Test
    void wrongArgumentsAreSaid() {
        assertThat(run("sweep", "all", sweep, "--compat", "nobody")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("sweep", "merge", sweep, "--format", "png")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("json, json.gz, pftrace, pftrace.gz");
        assertThat(run("sweep", "merge", sweep, "--compat", "aorta", "--gpu-only"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("sweep", "all", folder.resolve("nowhere"))).isIn(ExitStatus.USAGE, ExitStatus.UNREADABLE);
    }

    @Test
    void aFolderWithoutASweepIsNothingToDo() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThat(run("sweep", "all", empty)).isEqualTo(ExitStatus.NOTHING);
        assertThat(run("sweep", "merge", empty)).isEqualTo(ExitStatus.NOTHING);
    }
}
