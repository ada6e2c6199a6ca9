// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.ReportOptions;
import dev.lockstep.analyze.comm.CollectiveOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.Golden;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole reports of traces small enough to work out by hand; the README beside each says how. */
class GoldenReportsTest {
    private static final ReportOptions EVERYTHING = ReportOptions.standard()
            .with(new ReportOptions.Times(5_000, true, true, null))
            .with(new ReportOptions.Operators(true, true, true, true, true))
            .with(new ReportOptions.Kernels(true, true, 10_000, 10))
            .with(new ReportOptions.Serving(true, false, null));

    @TempDir
    Path written;

    private static Trace trace(Path folder, String name) throws IOException {
        return TestTraces.read(Files.readAllBytes(folder.resolve(name)));
    }

    /** Compares sheets and findings with those in {@code expected}. */
    private void check(Report report, Path expected) throws IOException {
        new CsvWriter().write(report, written, CellStyle.PLAIN);
        Files.write(written.resolve("findings.txt"), Said.all(report));
        Golden.check(written, expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"training", "attention", "serving"})
    void reportsOfOneRankAreAsReviewed(String name) throws IOException {
        Path folder = Golden.folder("report", name);
        check(PerformanceReport.of(trace(folder, "trace.json"), EVERYTHING), folder.resolve("expected"));
    }

    @Test
    void theReportAcrossRanksIsAsReviewed() throws IOException {
        Path folder = Golden.folder("collectives", "three-ranks");
        try (Session session = new Session(1);
                Stream<Path> files = Files.list(folder.resolve("ranks"))) {
            RankSet<RankCollectives> ranks = RankSet.read(
                    session,
                    files.sorted().toList(),
                    RankSelection.any(),
                    trace -> new DerivedCache(trace).get(RankCollectives.Key.standard()),
                    bytes -> {});
            CollectiveOptions options =
                    new CollectiveOptions(2, true, CollectiveOptions.STATISTICS, CollectiveOptions.Alignment.NONE);
            check(CollectiveReport.of(ranks, "run", options), folder.resolve("expected"));
        }
    }

    @Test
    void theDifferenceOfTwoTracesIsAsReviewed() throws IOException {
        Path folder = Golden.folder("diff", "two-runs");
        DerivedCache baseline = new DerivedCache(trace(folder, "baseline.json"));
        DerivedCache candidate = new DerivedCache(trace(folder, "candidate.json"));
        check(
                DifferenceReport.of(baseline, candidate, DifferenceReport.compare(baseline, candidate)),
                folder.resolve("expected"));
    }

    @Test
    void aReportWithABaselineIsAsReviewed() throws IOException {
        Path folder = Golden.folder("diff", "two-runs");
        ReportOptions options = ReportOptions.standard().withBaseline(trace(folder, "baseline.json"));
        Report report = PerformanceReport.of(trace(folder, "candidate.json"), options);
        Predicate<Section> compared = section ->
                section instanceof TableSection sheet && sheet.table().name().equals("unified_perf_summary");
        List<Section> sections = report.sections().stream().filter(compared).toList();
        check(new Report(report.title(), "", sections), folder.resolve("expected-report"));
    }
}
