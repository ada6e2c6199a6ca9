// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GemmCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path sweep;

    private Path analysis;
    private Path variance;

    @BeforeEach
    void writeSweep() throws IOException {
        SyntheticSweep.write(sweep, SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 512), List.of(28)));
        analysis = sweep.resolve("lockstep_reports");
        variance = analysis.resolve("gemm_variance.csv");
    }

    private int gemm(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] texts = Stream.concat(Stream.of("gemm"), Stream.of(args).map(String::valueOf))
                .toArray(String[]::new);
        return Main.run(new PrintWriter(out), new PrintWriter(err), texts);
    }

    private static List<String> heads(Path csv) throws IOException {
        return Arrays.asList(Files.readAllLines(csv).getFirst().split(","));
    }

    private Path trace(int threads, int rank) throws IOException {
        Path folder = sweep.resolve(threads + "thread/nccl_28channels/torch_profiler/rank" + rank);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    @Test
    void theThreeStepsBuildOnEachOther() throws IOException {
        assertThat(gemm("variance", "--base-path", analysis, "--top-k", 2)).isZero();
        assertThat(out.toString()).contains("while communication runs", "8 rows", "wrote " + variance);
        assertThat(err.toString()).isEmpty();
        assertThat(Files.readAllLines(variance)).hasSize(1 + 2 * 2 * 2);
        assertThat(heads(variance))
                .startsWith(
                        "threads",
                        "channel",
                        "rank",
                        "kernel_name",
                        "kernel_time_min_us",
                        "kernel_time_max_us",
                        "time_diff_us",
                        "col_Concrete Inputs_first")
                .endsWith("lost_time_us", "configuration", "source");

        assertThat(gemm("timestamps", "--input-csv", variance, "--base-path", sweep))
                .isZero();
        Path times = analysis.resolve("gemm_variance_with_timestamps.csv");
        assertThat(out.toString()).contains("wrote " + times).doesNotContain("durations are not those");
        assertThat(heads(times))
                .startsWith(heads(variance).toArray(String[]::new))
                .endsWith("instances_found");

        assertThat(gemm("overlap", "--input-csv", times, "--reports", analysis)).isZero();
        Path overlap = analysis.resolve("gemm_variance_with_collective_overlap.csv");
        assertThat(heads(overlap))
                .startsWith(heads(times).toArray(String[]::new))
                .contains("overlapping_collective_count", "comm_slowdown_pct", "comm_verdict");
        assertThat(Files.readAllLines(overlap)).hasSize(9);
        assertThat(analysis.resolve("gemm_communication.csv")).exists();
        assertThat(Files.readAllLines(analysis.resolve("gemm_communication_by_configuration.csv")))
                .hasSize(4)
                .anyMatch(line -> line.startsWith("all,"))
                .anyMatch(line -> line.startsWith("512thread_28ch,"));
    }

    @Test
    void theNumberOfThreadsChangesNoByte() throws IOException {
        gemm("variance", "--base-path", analysis, "--jobs", 1);
        String one = Files.readString(variance);
        gemm("variance", "--base-path", analysis, "--jobs", 4);

        assertThat(Files.readString(variance)).isEqualTo(one);
    }

    @Test
    void listsChooseWhatIsRead() throws IOException {
        assertThat(gemm("variance", "--base-path", analysis, "--threads", 512, "--ranks", 0, 1, "--top-k", 3))
                .isZero();
        assertThat(Files.readAllLines(variance).stream().skip(1)).hasSize(6).allMatch(row -> row.startsWith("512,28,"));

        assertThat(gemm("variance", "--base-path", analysis, "--threads", 512, 1024, "--channels", 28, "--ranks", 1, 5))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .containsPattern("512thread_28ch +rank 5 +missing")
                .containsPattern("1024thread_28ch +all ranks +missing");
        assertThat(gemm("variance", "--base-path", analysis, "--threads", 7)).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("It has 256thread_28ch, 512thread_28ch.");
    }

    @Test
    void whatIsMissingOrDamagedIsSaid() throws IOException {
        Files.delete(trace(256, 0));
        byte[] whole = Files.readAllBytes(trace(512, 1));
        Files.write(trace(512, 1), Arrays.copyOf(whole, whole.length * 3 / 5));

        assertThat(gemm("variance", "--base-path", analysis)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .containsPattern("256thread_28ch +rank 0 +missing")
                .containsPattern("512thread_28ch +rank 1 +partial .*truncated");
        assertThat(gemm("variance", "--base-path", analysis, "--allow-partial")).isZero();
        assertThat(gemm("variance", "--base-path", analysis, "--strict")).isEqualTo(ExitStatus.UNREADABLE);
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThat(gemm("variance", "--base-path", analysis, "--threads", "many"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(gemm("variance", "--base-path", analysis, "--top-k", 0)).isEqualTo(ExitStatus.USAGE);
        assertThat(gemm("variance", "--base-path", analysis, "--compat", "other"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(gemm("variance")).isEqualTo(ExitStatus.USAGE);
        assertThat(gemm("variance", "--base-path", sweep.resolve("a/b"))).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(gemm("timestamps", "--input-csv", sweep.resolve("none.csv"), "--base-path", sweep))
                .isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("none.csv: there is no such file");
    }

    @Test
    void anOutputNeverOverwritesItsInput() {
        gemm("variance", "--base-path", analysis);

        assertThat(gemm("timestamps", "--input-csv", variance, "--base-path", sweep, "--output-csv", variance))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("is an input");
    }

    @Test
    void theFormerNameOfAnOptionIsTakenWithANote() throws IOException {
        gemm("variance", "--base-path", analysis);
        gemm("timestamps", "--input-csv", variance, "--base-path", sweep);
        Path times = analysis.resolve("gemm_variance_with_timestamps.csv");
        Path overlap = analysis.resolve("gemm_variance_with_collective_overlap.csv");
        assertThat(gemm("overlap", "--input-csv", times, "--reports", analysis)).isZero();
        assertThat(err.toString()).isEmpty();
        byte[] expected = Files.readAllBytes(overlap);
        Files.delete(overlap);

        assertThat(gemm("overlap", "--input-csv", times, "--tracelens-path=" + analysis))
                .isZero();

        assertThat(err.toString()).contains("note: --tracelens-path is called --reports now");
        assertThat(Files.readAllBytes(overlap)).isEqualTo(expected);
        gemm("overlap", "--input-csv", times, "--tracelens-path", analysis, "--compat", "aorta");
        assertThat(err.toString()).doesNotContain("note:");
    }

    @Test
    void compatibleStepsReadReportsAlone() {
        assertThat(gemm("variance", "--base-path", analysis, "--compat", "aorta"))
                .isEqualTo(ExitStatus.UNREADABLE);
        assertThat(gemm("variance", "--base-path", sweep, "--compat", "aorta")).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("individual_reports/perf_28ch_rank0.xlsx");
    }

    @Test
    void compatibleTimesAreAdded() throws IOException {
        gemm("variance", "--base-path", analysis);

        assertThat(gemm("timestamps", "--input-csv", variance, "--base-path", sweep, "--compat", "aorta"))
                .isZero();
        Path times = analysis.resolve("gemm_variance_with_timestamps.csv");
        assertThat(heads(times)).endsWith("min_duration_found_us", "max_duration_found_us");
    }
}
