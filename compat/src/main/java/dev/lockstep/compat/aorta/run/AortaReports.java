// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.config.GpuTimelineSummary;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.Mean;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.RankTimeline;
import dev.lockstep.compat.aorta.reports.ReportLayout;
import dev.lockstep.compat.tracelens.CompareReport;
import dev.lockstep.compat.tracelens.TraceLensCollectives;
import dev.lockstep.compat.tracelens.TraceLensReport;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import java.util.List;

/** The reports that AORTA's scripts make TraceLens write, with the options that they give it. */
final class AortaReports implements ReportStyle {
    private static final ReportOptions OPTIONS =
            ReportOptions.standard().with(new ReportOptions.Kernels(true, true, 50_000, 100));

    /** The sheets that are compared across threads. */
    static final List<String> COMPARED = List.of("gpu_timeline", "ops_summary");

    @Override
    public Report performance(DerivedCache trace) {
        return ReportLayout.PERFORMANCE.of(TraceLensReport.of(trace, OPTIONS));
    }

    @Override
    public KeptRank keep(DerivedCache trace) {
        return KeptRank.ofKernels(trace, TraceLensCollectives.KERNELS);
    }

    /** The scripts make no report on collectives of recordings of rocprof. */
    @Override
    public boolean hasCollectives(MatchedRanks ranks) {
        return ranks.present().stream()
                .anyMatch(rank -> rank.size() > 0 && !rank.info().format().equals(TraceFormat.ROCPROF.id()));
    }

    @Override
    public Report collectives(MatchedRanks ranks) {
        return ReportLayout.COLLECTIVES.of(TraceLensCollectives.of(ranks.present(), ranks.source(), ranks.options()));
    }

    @Override
    public CollectiveOptions options() {
        return new CollectiveOptions(-1, false, CollectiveOptions.STATISTICS, Alignment.NONE);
    }

    @Override
    public Writing timelines(ReportedConfiguration reported, boolean geometric) {
        List<RankTimeline> ranks = reported.timelines().entrySet().stream()
                .map(rank -> new RankTimeline(rank.getKey(), rank.getValue()))
                .toList();
        GpuTimelineSummary summary =
                GpuTimelineSummary.of(ranks, ranks.size(), geometric ? Mean.GEOMETRIC : Mean.ARITHMETIC);
        return (session, staged) -> session.registry().styledWorkbooks().write(summary.workbook(), staged);
    }

    @Override
    public Report acrossThreads(List<SheetSet> reports) {
        boolean operators = reports.stream().allMatch(report -> report.sheet("ops_summary") != null);
        List<String> sheets = operators ? COMPARED : List.of("gpu_timeline", "kernel_summary");
        return CompareReport.of(
                reports,
                sheets.stream()
                        .filter(sheet -> reports.stream().allMatch(report -> report.sheet(sheet) != null))
                        .toList());
    }

    /** By the names of their folders as texts, so that 1024 comes before 256. */
    @Override
    public List<String> baselineFirst(List<String> rows) {
        return rows.stream().sorted().toList();
    }

    @Override
    public boolean comparesPartial() {
        return true;
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PYTHON;
    }

    /** The scripts know the written files alone. */
    @Override
    public Table kept(Table table) {
        return TableAsRead.of(table, cells(), readBack());
    }

    @Override
    public SheetTable readBack() {
        return SheetTable.PANDAS;
    }
}
