// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code final_analysis_report.xlsx}: a dashboard in front, comparisons, and hidden sheets with what they were made from; each
 * sheet with rows is a table of spreadsheets.
 */
record FinalReport(GpuTimelineComparison timelines, CollectiveComparisonWorkbook collectives, Frame dashboard) {
    private static final Map<String, String> TIMELINE_SHEETS = Map.of(
            "Summary", "GPU_Summary_Raw",
            "All_Ranks_Combined", "GPU_AllRanks_Raw",
            "Per_Rank_Time_ms", "GPU_Time_Raw",
            "Per_Rank_Percent", "GPU_Pct_Raw");
    private static final Map<String, String> COLLECTIVE_SHEETS = Map.of(
            "nccl_summary_implicit_sync", "NCCL_ImplSync_Raw",
            "nccl_summary_long", "NCCL_Long_Raw");
    private static final Map<String, String> COMPARED_SHEETS = Map.of(
            "nccl_implicit_sync_cmp", "NCCL_ImplicitSyncCmp",
            "nccl_long_cmp", "NCCL_LongCmp");

    static FinalReport of(GpuTimelineComparison timelines, CollectiveComparisonWorkbook collectives) {
        return new FinalReport(
                timelines,
                collectives,
                dashboard(timelines.summary(), timelines.combined().labels()));
    }

    StyledWorkbook workbook() {
        List<StyledSheet> sheets = new ArrayList<>();
        sheets.add(visible(dashboard, "Summary_Dashboard"));
        CombinedReport combined = timelines.combined();
        for (String name : combined.names()) {
            hide(sheets, combined, name, TIMELINE_SHEETS.getOrDefault(name, "GPU_" + name + "_Raw"));
        }
        sheets.add(visible(timelines.byRank(), "GPU_ByRank_Cmp"));
        sheets.add(visible(timelines.summary(), "GPU_Summary_Cmp"));
        CombinedReport calls = collectives.combined();
        List<String> summaries = calls.names().stream()
                .filter(CollectiveComparisonWorkbook::isSummary)
                .toList();
        for (String name : summaries) {
            hide(sheets, calls, name, COLLECTIVE_SHEETS.getOrDefault(name, "NCCL_" + name + "_Raw"));
        }
        for (String name : summaries) {
            hide(sheets, calls, name, "NCCL_" + name);
        }
        collectives
                .compared()
                .forEach((name, frame) ->
                        sheets.add(visible(frame, COMPARED_SHEETS.getOrDefault(name, "NCCL_" + name))));
        return new StyledWorkbook(sheets);
    }

    private static void hide(List<StyledSheet> sheets, CombinedReport from, String name, String as) {
        Frame frame = from.sheet(name);
        if (frame != null) {
            sheets.add(tabled(StyledSheet.of(frame.table(as), Look.FRAME)).asHidden());
        }
    }

    private static StyledSheet visible(Frame frame, String name) {
        boolean compared = name.contains("Cmp") || name.contains("Comparison");
        return tabled(compared ? PercentChange.colored(frame, name) : StyledSheet.of(frame.table(name), Look.FRAME));
    }

    private static StyledSheet tabled(StyledSheet sheet) {
        String name = sheet.table().name().replaceAll("[ -]", "_").replaceAll("[()]", "");
        return sheet.table().rows() == 0
                ? sheet
                : sheet.asExcelTable(Character.isLetter(name.charAt(0)) ? name : "Tbl_" + name);
    }

    private static Frame dashboard(Frame summary, Labels labels) {
        Frame dashboard = new Frame(List.of("Metric", labels.baseline(), labels.test(), "Improvement (%)", "Status"));
        for (int row = 0; row < summary.size(); row++) {
            double percent = summary.number(row, "percent_change");
            dashboard.add(
                    "GPU_" + summary.text(row, "type"),
                    rounded(summary.number(row, labels.baseline() + "_time_ms")),
                    rounded(summary.number(row, labels.test() + "_time_ms")),
                    rounded(percent),
                    PercentChange.dashboardStatus(percent));
        }
        return dashboard;
    }

    /** To two decimals, from all digits that the double has; ties to the even one. */
    private static double rounded(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).doubleValue()
                : value;
    }
}
