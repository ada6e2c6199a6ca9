// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.configurations.ConfigurationReport;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.compare.configurations.StoredConfiguration;
import dev.lockstep.reporting.OwnReports;
import dev.lockstep.reporting.OwnSweep;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.GemmSteps;
import dev.lockstep.sweep.gemm.GemmSteps.OverlapResult;
import dev.lockstep.sweep.gemm.Selection;
import dev.lockstep.sweep.summary.WholeSweep;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.testkit.Golden;
import dev.lockstep.testkit.TextWorkbook;
import dev.lockstep.testkit.TextWorkbooks;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is written about a sweep small enough to work out by hand; the README of the golden cases says how. */
@ExtendWith(TextWorkbooks.class)
class GoldenSweepTest {
    @TempDir
    Path runs;

    @TempDir
    Path written;

    @BeforeEach
    void writeSweep() throws IOException {
        SmallSweep.write(runs);
    }

    /** Takes a file, with the folder of the runs called {@code RUNS} in it. */
    private void take(Path file, String name) throws IOException {
        Files.writeString(written.resolve(name), Files.readString(file).replace(runs.toString(), "RUNS"));
    }

    /** Takes what lies in the folder of analyses, matrix products apart. */
    private void takeAnalyses() throws IOException {
        Path analysis = runs.resolve("lockstep_reports");
        try (Stream<Path> files = Files.list(analysis)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (!name.startsWith("gemm")) {
                    take(file, name.replace(".xlsx", ".txt"));
                }
            }
        }
        Sweep sweep = Sweep.at(runs);
        take(sweep.reports().acrossThreads(sweep.columns().getFirst(), 1), "across_threads_28ch_rank1.txt");
    }

    private WholeSweep.Result sweep(int jobs, boolean skipReports) throws IOException {
        try (Session session = new Session(jobs)) {
            return WholeSweep.of(
                    session,
                    Sweep.at(runs),
                    new WholeSweep.Options(PassOptions.standard(), skipReports, false, new OwnSweep(), null, false));
        }
    }

    @Test
    void theFilesOfASweepAreAsReviewed() throws IOException {
        WholeSweep.Result result = sweep(2, false);

        assertThat(result.remarks()).isEmpty();
        assertThat(result.written())
                .hasSize(23)
                .allSatisfy(file -> assertThat(file).exists());
        takeAnalyses();
        Golden.check(written, Golden.folder("sweep", "two-by-two").resolve("expected"));
    }

    @Test
    void readBackItsReportsSayTheSame() throws IOException {
        sweep(1, false);
        Path analysis = runs.resolve("lockstep_reports");
        List<Path> files = List.of(
                analysis.resolve("gpu_timeline_all_configs_mean.xlsx"),
                analysis.resolve("nccl_master_all_configs.csv"),
                analysis.resolve("coverage_by_configuration.csv"));
        List<String> before = new ArrayList<>();
        for (Path file : files) {
            before.add(sheets(file));
            Files.delete(file);
        }

        sweep(1, true);

        for (int i = 0; i < before.size(); i++) {
            assertThat(sheets(files.get(i))).isEqualTo(before.get(i));
        }
    }

    /** What a file holds but for the list of what was read, which is of traces once and of reports then. */
    private static String sheets(Path file) throws IOException {
        String text = Files.readString(file);
        int coverage = text.indexOf("## coverage\n");
        return coverage < 0 ? text : text.substring(0, coverage);
    }

    @Test
    void theThreeStepsOfGemmsAreThoseOfTheWholeSweep() throws IOException {
        Path variance = written.resolve("gemm_variance.csv");
        Path timestamps = written.resolve("gemm_variance_with_timestamps.csv");
        try (Session session = new Session(2)) {
            Sweep sweep = Sweep.at(runs);
            GemmFile first = new GemmSteps(session, sweep, PassOptions.standard()).variance(Selection.ALL, 5);
            Files.writeString(variance, first.text());
            GemmFile second = new GemmSteps(session, sweep, PassOptions.standard()).timestamps(variance, 0.01);
            Files.writeString(timestamps, second.text());
            OverlapResult third = new GemmSteps(session, sweep, PassOptions.standard()).overlap(timestamps);
            Files.writeString(
                    written.resolve("gemm_variance_with_collective_overlap.csv"),
                    third.file().text());
            for (Table table : third.pooled().tables()) {
                Files.writeString(written.resolve(table.name() + ".csv"), GemmSteps.csv(table));
            }
            Files.write(written.resolve("said.txt"), first.remarks());
        }
        Golden.check(written, Golden.folder("gemm", "two-by-two").resolve("expected"));
        sweep(1, false);
        for (String name : List.of("", "_with_timestamps", "_with_collective_overlap")) {
            String file = "gemm_variance" + name + ".csv";
            assertThat(runs.resolve("lockstep_reports").resolve(file)).hasSameTextualContentAs(written.resolve(file));
        }
    }

    private Configuration reported(String name) throws IOException {
        Configuration configuration = Configuration.at(runs.resolve(name));
        try (Session session = new Session(1)) {
            RunReports.of(session, configuration, PassOptions.standard(), new OwnReports(), false);
        }
        return configuration;
    }

    @Test
    void theReportOfAConfigurationIsAsReviewed() throws IOException {
        Configuration configuration = reported("256thread/nccl_56channels");

        take(configuration.reports().timelineSummary(false), "gpu_timeline_summary_mean.txt");
        take(configuration.reports().collectiveReport(), "collectives.txt");
        take(configuration.reports().analysis().resolve("coverage.csv"), "coverage.csv");
        Golden.check(written, Golden.folder("config-report", "two-ranks").resolve("expected"));
    }

    @Test
    void theComparisonOfTwoConfigurationsIsAsReviewed() throws IOException {
        StoredConfiguration.Scope scope = new StoredConfiguration.Scope(true, true, name -> true, true);
        List<StoredConfiguration> stored = List.of(
                StoredConfiguration.read(reported("256thread/nccl_28channels"), "old", SheetTable.PLAIN, scope),
                StoredConfiguration.read(reported("256thread/nccl_56channels"), "new", SheetTable.PLAIN, scope));

        Options options = new Options(Averaging.MEAN, Options.USUAL_THRESHOLD);
        Path comparison = runs.resolve("comparison.xlsx");
        new TextWorkbook().write(ConfigurationReport.of(stored, options).report(), comparison, CellStyle.PLAIN);
        take(comparison, "comparison.txt");
        Golden.check(written, Golden.folder("config-compare", "two-runs").resolve("expected"));
    }
}
