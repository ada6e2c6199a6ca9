// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
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
            RankSet<KeptRank> ranks = RankSet.read(
                    session,
                    files.sorted().toList(),
                    RankSelection.any(),
                    trace -> KeptRank.of(new DerivedCache(trace)),
                    bytes -> {});
            CollectiveOptions options =
                    new CollectiveOptions(2, true, CollectiveOptions.STATISTICS, CollectiveOptions.Alignment.NONE);
            // What was read is listed with its path, which is another one in every checkout.
            Report report = only(
                    CollectiveReport.of(new MatchedRanks(ranks, "run", options, null)),
                    t -> !t.name().equals("coverage"));
            check(report, folder.resolve("expected"));
        }
    }

    /** The report without the sheets that are not wanted. */
    private static Report only(Report report, Predicate<Table> wanted) {
        return new Report(
                report.title(),
                report.subtitle(),
                report.sections().stream()
                        .filter(s -> !(s instanceof TableSection sheet) || wanted.test(sheet.table()))
                        .toList());
    }

    @Test
    void theDifferenceOfTwoTracesIsAsReviewed() throws IOException {
        Path folder = Golden.folder("diff", "two-runs");
        DerivedCache baseline = new DerivedCache(trace(folder, "baseline.json"));
        DerivedCache candidate = new DerivedCache(trace(folder, "candidate.json"));
        check(
                DifferenceReport.of(baseline, candidate, DifferenceReport.compare(baseline, candidate), List.of()),
                folder.resolve("expected"));
    }

    @Test
    void aReportWithABaselineIsAsReviewed() throws IOException {
        Path folder = Golden.folder("diff", "two-runs");
        ReportOptions options = ReportOptions.standard().withBaseline(trace(folder, "baseline.json"));
        Report report = PerformanceReport.of(trace(folder, "candidate.json"), options);
        check(only(report, t -> t.name().equals("unified_perf_summary")), folder.resolve("expected-report"));
    }
}
