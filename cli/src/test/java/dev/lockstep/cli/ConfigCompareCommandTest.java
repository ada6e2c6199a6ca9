// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.publish.WorkbookWriter;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCompareCommandTest {
    private static final Schema TIMELINE = Schema.of(
            ColumnSpec.text("type", "x"),
            ColumnSpec.real("time ms", Unit.MILLISECONDS, Unit.MILLISECONDS, "x"),
            ColumnSpec.percent("percent", "x"));
    private static final Schema CALLS = Schema.of(
            ColumnSpec.text("Collective name", "x"),
            ColumnSpec.text("dtype", "x"),
            ColumnSpec.count("In msg nelems", "x"),
            ColumnSpec.text("Process Group Ranks", "x"),
            ColumnSpec.real("Full msg size (MB)", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("comm_latency_mean", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("algo bw (GB/s)_mean", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("bus bw (GB/s)_mean", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("Total comm latency (ms)", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.count("count", "x"));

    private static final Schema STEPS = Schema.of(
            ColumnSpec.real("total time ms", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("busy ms", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("computation ms", Unit.NONE, Unit.NONE, "x"));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @BeforeEach
    void runs() throws IOException {
        run("56cu_256threads", "[0, 1]", 100, 10, 10.2);
        run("37cu_384threads", "[0, 1]", 90, 9, 9.2);
        run("32cu_512threads", "[0, 1]", 130, 13, 13.2);
    }

    @Test
    void twoRunsGetAReportThatNamesTheFasterOneAndWhy() throws IOException {
        int status = compare("37cu_384threads");

        assertThat(status).as(err.toString()).isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString())
                .contains("37cu_384threads is the fastest")
                .contains("The main cause: ")
                .contains("computation is");
        assertThat(names(folder.resolve("out")))
                .contains(
                        "gpu_timeline_comparison.xlsx",
                        "collective_comparison.xlsx",
                        "final_analysis_report.xlsx",
                        "performance_analysis_report.html",
                        "comparison.json",
                        "csv",
                        "plots");
        List<String> dashboard = Files.readAllLines(folder.resolve("out/csv/summary_dashboard.csv"));
        assertThat(dashboard.getFirst()).contains("37cu_384threads change % (test - baseline)");
        assertThat(dashboard.get(1)).startsWith("total_time,ms,less,10.1,9.1,-9.9");
    }

    @Test
    void manyRunsGetOneReport() throws IOException {
        assertThat(compare("37cu_384threads", "32cu_512threads")).isEqualTo(ExitStatus.COMPLETE);

        assertThat(names(folder.resolve("out")))
                .contains("final_analysis_report_for_all.xlsx", "final_analysis_report_for_all.html");
        assertThat(Files.readAllLines(folder.resolve("out/csv/configurations.csv")))
                .hasSize(4)
                .element(1)
                .asString()
                .startsWith("1,37cu_384threads,test,2,9.1");
    }

    @Test
    void theGateFailsAboveItsThreshold() {
        assertThat(compare("32cu_512threads", "--fail-on-regression", "25")).isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(err.toString()).contains("regression: 32cu_512threads is 29.70 % above 56cu_256threads");
        assertThat(compare("32cu_512threads", "--fail-on-regression", "30")).isEqualTo(ExitStatus.COMPLETE);
    }

    /** A total that cannot be read is none, and not one of 0. */
    @Test
    void aRankWithoutATotalIsNamedAndMakesTheResultPartial() throws IOException {
        run("37cu_384threads", "[0, 1]", 90, 9, Double.NaN);

        assertThat(compare("37cu_384threads")).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .contains("rank 1")
                .contains("in its sheet gpu_timeline cannot be read; its timeline is left out of comparisons");
        run("37cu_384threads", "[0, 1]", 90, -9, Double.NaN);
        assertThat(compare("37cu_384threads", "--fail-on-regression", "5"))
                .as(err.toString())
                .isNotEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).doesNotContain("37cu_384threads is the fastest");
    }

    @Test
    void aRankWithoutReportIsNamedAndMakesTheResultPartial() throws IOException {
        run("37cu_384threads", "[0, 1, 2]", 90, 9, 9.2);

        assertThat(compare("37cu_384threads")).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .contains("37cu_384threads")
                .contains("rank 2")
                .contains("missing");
        assertThat(compare("37cu_384threads", "--allow-partial")).isEqualTo(ExitStatus.COMPLETE);
    }

    @Test
    void aReportThatCannotBeReadIsNamedAndTheOthersAreCompared() throws IOException {
        Files.writeString(folder.resolve("37cu_384threads/lockstep_reports/individual_reports/perf_rank1.xlsx"), "no");

        assertThat(compare("37cu_384threads", "-v")).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("rank 1").contains("unreadable");
        assertThat(out.toString()).contains("over 1 rank");
    }

    @Test
    void aortaGetsItsFilesAndInputsStayAsTheyAre() throws IOException {
        Path report = folder.resolve("56cu_256threads/lockstep_reports/individual_reports/perf_rank0.xlsx");
        byte[] before = Files.readAllBytes(report);

        assertThat(compare("37cu_384threads", "--compat", "aorta"))
                .as(err.toString())
                .isEqualTo(ExitStatus.COMPLETE);

        assertThat(names(folder.resolve("out")))
                .containsExactly(
                        "collective_combined.xlsx",
                        "collective_comparison.xlsx",
                        "final_analysis_report.xlsx",
                        "gpu_timeline_combined.xlsx",
                        "gpu_timeline_comparison.xlsx",
                        "performance_analysis_report.html",
                        "plots");
        assertThat(names(folder.resolve("out/plots"))).hasSize(13);
        assertThat(folder.resolve("56cu_256threads/lockstep_reports/gpu_timeline_summary_mean.xlsx"))
                .exists();
        assertThat(Files.readAllBytes(report)).isEqualTo(before);
    }

    @Test
    void aortaTakesFourRunsAndMore() throws IOException {
        run("20cu_640threads", "[0, 1]", 95, 11, 11.2);

        int status = compare("37cu_384threads", "32cu_512threads", "20cu_640threads", "--compat", "aorta");

        assertThat(status).as(err.toString()).isEqualTo(ExitStatus.COMPLETE);
        assertThat(names(folder.resolve("out")))
                .containsExactly("final_analysis_report_for_all.html", "final_analysis_report_for_all.xlsx", "plots");
    }

    @Test
    void namesTellFoldersOfOneNameApart() throws IOException {
        run("other/56cu_256threads", "[0, 1]", 90, 9, 9.2);

        assertThat(compare("other/56cu_256threads")).isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).contains("other/56cu_256threads is the fastest");
        assertThat(compare("other/56cu_256threads", "--compat", "aorta")).isEqualTo(ExitStatus.USAGE);
        assertThat(compare("other/56cu_256threads", "--names", "old,new")).isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).contains("new is the fastest");
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThat(compare("nowhere")).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("there is no such folder");
        assertThat(compare("37cu_384threads", "--threshold", "-1")).isEqualTo(ExitStatus.USAGE);
        assertThat(compare("37cu_384threads", "--compat", "excel")).isEqualTo(ExitStatus.USAGE);
    }

    private int compare(String test, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "config",
                "compare",
                "--skip-reports",
                "--baseline",
                path("56cu_256threads"),
                "-o",
                path("out"),
                "--test"));
        arguments.add(path(test));
        Arrays.stream(more).map(m -> m.contains("cu_") ? path(m) : m).forEach(arguments::add);
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private void run(String name, String ranks, double latency, double... totals) throws IOException {
        Path analysis = folder.resolve(name).resolve("lockstep_reports");
        for (int rank = 0; rank < totals.length; rank++) {
            Table timeline = new TableBuilder("gpu_timeline", "x", TIMELINE)
                    .row("computation_time", totals[rank] - 2, 80.0)
                    .row("exposed_comm_time", 1.5, 15.0)
                    .row("exposed_memcpy_time", 0.0, 0.0)
                    .row("busy_time", totals[rank] - 0.5, 95.0)
                    .row("idle_time", 0.5, 5.0)
                    .row("total_time", totals[rank], 100.0)
                    .row("total_comm_time", 6.0, 60.0)
                    .row("total_memcpy_time", 0.0, 0.0)
                    .build();
            write(analysis.resolve("individual_reports/perf_rank" + rank + ".xlsx"), timeline, steps(totals[rank]));
        }
        Table calls = new TableBuilder("nccl_summary_implicit_sync", "x", CALLS)
                .row("allreduce", "Float", 1024, ranks, 1.0, latency, 10.0, 15.0, latency * 6 / 1000, 6)
                .build();
        write(analysis.resolve("collective_reports/collective_all_ranks.xlsx"), calls);
    }

    /** Four steps that add up to the total and scatter by a thousandth. */
    private static Table steps(double total) {
        TableBuilder steps = new TableBuilder("gpu_timeline_by_step", "x", STEPS);
        for (double scatter : new double[] {0.999, 1.001, 1.001, 0.999}) {
            steps.row(total * scatter / 4, (total - 0.5) * scatter / 4, (total - 2) * scatter / 4);
        }
        return steps.build();
    }

    private static void write(Path file, Table... tables) throws IOException {
        Files.createDirectories(file.getParent());
        List<Section> sections = new ArrayList<>();
        for (Table table : tables) {
            sections.add(new TableSection(table));
        }
        new WorkbookWriter().write(new Report("x", "x", sections), file, CellStyle.PYTHON);
    }
}
