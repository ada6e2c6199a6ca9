// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepReportCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path sweep() throws IOException {
        Path sweep = folder.resolve("sweep");
        SyntheticSweep.write(
                sweep, SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28, 42)));
        return sweep;
    }

    private Path configuration(String name, Layout layout) throws IOException {
        Path run = folder.resolve(name);
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(3), layout);
        return run;
    }

    private static Path profiler(Path sweep, String cell) {
        return sweep.resolve(cell).resolve("torch_profiler");
    }

    private static Path only(Path rank) throws IOException {
        try (Stream<Path> files = Files.list(rank)) {
            return files.findFirst().orElseThrow();
        }
    }

    private static void cut(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length * 6 / 10));
    }

    private static SheetSet read(Path workbook) throws IOException {
        return ReportFiles.read(workbook, "report", SheetTable.PLAIN, ReportFiles::isTable);
    }

    private static List<String> heads(Table table) {
        return table.schema().columns().stream().map(ColumnSpec::header).toList();
    }

    @Test
    void everyRankConfigurationAndThreadCountIsReported() throws IOException {
        Path sweep = sweep();
        Map<String, String> before = TestProgram.files(sweep);

        assertThat(run("sweep", "report", sweep)).as(err.toString()).isZero();

        assertThat(out.toString()).contains("coverage: 8 of 8 ranks in 4 configurations\n");
        Map<String, String> after = TestProgram.files(sweep);
        assertThat(after).containsAllEntriesOf(before);
        after.keySet().removeAll(before.keySet());
        String analysis = "lockstep_reports/";
        for (String threads : List.of("256thread/", "1024thread/")) {
            for (String channels : List.of("28ch", "42ch")) {
                assertThat(after)
                        .containsKeys(
                                analysis + threads + "individual_reports/perf_" + channels + "_rank0.xlsx",
                                analysis + threads + "individual_reports/perf_" + channels + "_rank1.xlsx",
                                analysis + threads + "collective_reports/collective_" + channels + ".xlsx",
                                analysis + "comparisons/compare_" + channels + "_rank1_across_threads.xlsx");
            }
        }
        assertThat(after).hasSize(8 + 4 + 4 + 2);
    }

    @Test
    void noByteDependsOnTheNumberOfThreadsOrOnTheCaller() throws IOException {
        Path sweep = sweep();
        run("sweep", "report", sweep, "--jobs", 1);
        Map<String, String> one = TestProgram.files(sweep);
        run("sweep", "report", sweep, "--jobs", 4);
        assertThat(TestProgram.files(sweep).equals(one)).isTrue();
    }

    @Test
    void theSmallestThreadCountIsTheBaselineButForAortaTheFirstByName() throws IOException {
        Path sweep = sweep();
        String compared = "comparisons/compare_28ch_rank0_across_threads.xlsx";

        run("sweep", "report", sweep, "--compat", "aorta");
        SheetSet theirs = read(sweep.resolve("tracelens_analysis").resolve(compared));
        Table timeline = Objects.requireNonNull(theirs.sheet("gpu_timeline"));
        assertThat(heads(timeline))
                .containsExactly(
                        "type",
                        "time ms__256thread_diff",
                        "time ms__256thread_pct",
                        "1024thread::time ms",
                        "1024thread::percent",
                        "256thread::time ms",
                        "256thread::percent");

        run("sweep", "report", sweep);
        SheetSet own = read(sweep.resolve("lockstep_reports").resolve(compared));
        assertThat(heads(Objects.requireNonNull(own.sheet("gpu_timeline"))))
                .anyMatch(head -> head.contains("1024thread") && head.contains("diff"));
    }

    @Test
    void aortaGetsTheSheetsAndColumnsThatItsScriptsRead() throws IOException {
        Path sweep = sweep();
        assertThat(run("sweep", "report", sweep, "--compat", "aorta")).isZero();

        Path reports = sweep.resolve("tracelens_analysis/256thread");
        SheetSet rank = read(reports.resolve("individual_reports/perf_28ch_rank0.xlsx"));
        assertThat(rank.sheet("unified_perf_summary")).isNull();
        assertThat(heads(Objects.requireNonNull(rank.sheet("ops_summary"))))
                .containsExactly(
                        "name",
                        "total_direct_kernel_time_sum",
                        "Count",
                        "total_direct_kernel_time_ms",
                        "Percentage (%)",
                        "Cumulative Percentage (%)");
        SheetSet across = read(reports.resolve("collective_reports/collective_28ch.xlsx"));
        assertThat(across.tables())
                .extracting(Table::name)
                .filteredOn(name -> name.contains("summary"))
                .containsExactly("nccl_summary_implicit_sync", "nccl_summary_long");
        assertThat(heads(Objects.requireNonNull(across.sheet("nccl_long"))))
                .hasSize(17)
                .endsWith("stream", "ts", "dur");
    }

    @Test
    void whatIsMissingIsNamedAndTheRestIsReported() throws IOException {
        Path sweep = sweep();
        Files.delete(only(profiler(sweep, "256thread/nccl_28channels").resolve("rank1")));
        cut(only(profiler(sweep, "256thread/nccl_42channels").resolve("rank0")));
        Files.move(sweep.resolve("1024thread/nccl_28channels"), folder.resolve("elsewhere"));

        assertThat(run("sweep", "report", sweep)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .contains("coverage: 5 of 8 ranks in 4 configurations, not all whole")
                .containsPattern("256thread_28ch +rank 1 +missing")
                .containsPattern("256thread_42ch +rank 0 +partial .*cut")
                .containsPattern("1024thread_28ch +all ranks missing");
        Path analysis = sweep.resolve("lockstep_reports");
        assertThat(analysis.resolve("coverage.csv")).content().contains("256thread_28ch,1,missing,");
        assertThat(analysis.resolve("256thread/individual_reports"))
                .isDirectoryContaining("glob:**/perf_42ch_rank0.xlsx")
                .isDirectoryNotContaining("glob:**/perf_28ch_rank1.xlsx");
        assertThat(analysis.resolve("comparisons"))
                .as("a cut trace is not compared with a whole one")
                .isDirectoryNotContaining("glob:**/compare_42ch_rank0_*")
                .isDirectoryContaining("glob:**/compare_42ch_rank1_*");

        assertThat(run("sweep", "report", sweep, "--allow-partial")).isZero();
        assertThat(run("sweep", "report", sweep, "--strict")).isEqualTo(ExitStatus.UNREADABLE);
    }

    @Test
    void nothingAtAllIsAnError() throws IOException {
        Files.createDirectories(folder.resolve("empty/256thread/nccl_28channels/torch_profiler/rank0"));
        assertThat(run("sweep", "report", folder.resolve("empty"))).isEqualTo(ExitStatus.NOTHING);
        assertThat(run("sweep", "report", folder)).isEqualTo(ExitStatus.NOTHING);
        assertThat(run("sweep", "report", folder.resolve("nowhere"))).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(folder.resolve("empty/lockstep_reports")).doesNotExist();
    }

    @Test
    void severalTracesOfARankAreAQuestion() throws IOException {
        Path sweep = sweep();
        Path trace = only(profiler(sweep, "256thread/nccl_28channels").resolve("rank1"));
        Files.copy(trace, trace.resolveSibling("trace_step99.json"));

        assertThat(run("sweep", "report", sweep)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("trace_step99.json").contains("--latest");
        assertThat(run("sweep", "report", sweep, "--latest")).isZero();
        assertThat(run("sweep", "report", sweep, "--step", 99)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("none of its 2 traces is among those that were asked for");
    }

    @Test
    void aRunIsReportedIntoItsOwnFolder() throws IOException {
        Path run = configuration(
                "56cu_256threads", Layout.torchProfiler("trace.json").gzip().only(0, 2));

        assertThat(run("config", "report", run)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).containsPattern("56cu_256threads +rank 1 +missing");
        Path analysis = run.resolve("lockstep_reports");
        assertThat(analysis.resolve("individual_reports/perf_rank2.xlsx")).isRegularFile();
        assertThat(analysis.resolve("collective_reports/collective_all_ranks.xlsx"))
                .isRegularFile();
        SheetSet summary = read(analysis.resolve("gpu_timeline_summary_mean.xlsx"));
        Table means = Objects.requireNonNull(summary.sheet("Summary"));
        assertThat(means.longs(means.schema().indexOf("num_ranks")).get(0)).isEqualTo(2);
        assertThat(heads(Objects.requireNonNull(summary.sheet("Per_Rank_Time_ms"))))
                .containsExactly("type", "0", "2");

        assertThat(run("config", "report", run.resolve("torch_profiler"), "--geo-mean", "--compat", "aorta"))
                .isEqualTo(ExitStatus.PARTIAL);
        Path theirs = run.resolve("tracelens_analysis");
        assertThat(read(theirs.resolve("gpu_timeline_summary_geomean.xlsx")).tables())
                .extracting(Table::name)
                .containsExactly("Summary", "All_Ranks_Combined", "Per_Rank_Time_ms", "Per_Rank_Percent");
    }

    @Test
    void anUnknownToolIsRefusedAndOneThatReportsNoSweepsToo() throws IOException {
        assertThat(run("sweep", "report", sweep(), "--compat", "nobody")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("unknown tool for --compat: nobody", "known: aorta");
        assertThat(run("sweep", "report", folder.resolve("sweep"), "--compat", "tracelens"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--compat tracelens", "known: aorta");
    }
}
