// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.configurations.TimelineSummary;
import dev.lockstep.compare.reports.ComparisonReport;
import dev.lockstep.compare.reports.RunComparison;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.SheetSet;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.words.Words;
import dev.lockstep.write.CellStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The program's own reports. */
public final class OwnReports implements ReportStyle {
    /** What users of sweeps look at: kernels below 50 µs are short. */
    private static final ReportOptions OPTIONS =
            ReportOptions.standard().with(new ReportOptions.Kernels(true, true, 50_000, 100));

    private static final Set<String> COMPARED =
            Set.of(TableNames.GPU_TIMELINE, TableNames.OPS_SUMMARY, TableNames.KERNEL_SUMMARY);

    @Override
    public Report performance(DerivedCache trace) {
        return PerformanceReport.of(trace, OPTIONS);
    }

    @Override
    public KeptRank keep(DerivedCache trace) {
        return KeptRank.of(trace);
    }

    @Override
    public boolean hasCollectives(MatchedRanks ranks) {
        return ranks.present().stream().anyMatch(rank -> rank.size() > 0);
    }

    @Override
    public Report collectives(MatchedRanks ranks) {
        return CollectiveReport.of(ranks);
    }

    @Override
    public CollectiveOptions options() {
        return new CollectiveOptions(-1, true, CollectiveOptions.STATISTICS, Alignment.AUTO);
    }

    @Override
    public Writing timelines(ReportedConfiguration reported, boolean geometric) {
        RunBreakdown times = reported.summary().times();
        TimelineSummary summary = TimelineSummary.of(times, reported.whole(), Averaging.of(geometric));
        List<Section> sections = new ArrayList<>();
        summary.tables().forEach(table -> sections.add(new TableSection(table)));
        times.ranks().stream()
                .filter(rank -> !reported.whole().contains(rank))
                .forEach(rank -> sections.add(
                        new NotApplicable("rank " + rank, "a part of its trace is missing; it is left out of means")));
        Report report = new Report(
                "Timelines of " + Words.count(times.ranks().size(), "rank", "ranks"),
                geometric ? "geometric means over ranks" : "means over ranks",
                sections);
        return (session, staged) -> session.registry().writer("xlsx").write(report, staged, CellStyle.PLAIN);
    }

    @Override
    public Report acrossThreads(List<SheetSet> reports) {
        return ComparisonReport.of(reports, RunComparison.of(reports, COMPARED::contains));
    }

    @Override
    public List<String> baselineFirst(List<String> rows) {
        return rows;
    }

    /** A trace that was cut says too little of everything. */
    @Override
    public boolean comparesPartial() {
        return false;
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PLAIN;
    }

    @Override
    public Table kept(Table table) {
        return table;
    }

    @Override
    public SheetTable readBack() {
        return SheetTable.PLAIN;
    }
}
