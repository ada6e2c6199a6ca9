// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.SheetSet;
import dev.lockstep.report.StyledWorkbook;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workbooks that compare configurations, by file name, in the order in which they are made. */
public final class ConfigComparison {
    private final Map<String, StyledWorkbook> workbooks = new LinkedHashMap<>();
    private @Nullable ComparedRuns pictured;

    private ConfigComparison() {}

    /**
     * A configuration.
     *
     * @param label what it is called in heads
     * @param timelines its summary of timelines over ranks; null where it is not wanted
     * @param collectives its report on collectives; null where it is not wanted
     */
    public record Run(
            String label,
            @Nullable GpuTimelineSummary timelines,
            @Nullable SheetSet collectives) {}

    /**
     * Two configurations.
     *
     * @param finalReport whether to make the final report, which takes timelines and collectives
     */
    public static ConfigComparison ofTwo(Run baseline, Run test, boolean finalReport) {
        ConfigComparison made = new ConfigComparison();
        GpuTimelineComparison timelines = null;
        if (baseline.timelines != null && test.timelines != null) {
            CombinedReport combined = CombinedReport.of(
                    new SheetSet(baseline.label, "", baseline.timelines.tables()),
                    new SheetSet(test.label, "", test.timelines.tables()));
            timelines = GpuTimelineComparison.of(combined);
            made.workbooks.put("gpu_timeline_combined.xlsx", combined.workbook());
            made.workbooks.put("gpu_timeline_comparison.xlsx", timelines.workbook());
        }
        CollectiveComparisonWorkbook collectives = null;
        if (baseline.collectives != null && test.collectives != null) {
            CombinedReport combined = CombinedReport.of(
                    new SheetSet(baseline.label, "", baseline.collectives.tables()),
                    new SheetSet(test.label, "", test.collectives.tables()));
            collectives = CollectiveComparisonWorkbook.of(combined);
            made.workbooks.put("collective_combined.xlsx", combined.workbook());
            made.workbooks.put("collective_comparison.xlsx", collectives.workbook());
        }
        if (finalReport && timelines != null && collectives != null) {
            FinalReport report = FinalReport.of(timelines, collectives);
            made.workbooks.put("final_analysis_report.xlsx", report.workbook());
            made.pictured = Pictured.ofTwo(report);
        }
        return made;
    }

    /** Any number of configurations that have both reports, the first as the baseline. */
    public static ConfigComparison ofAll(List<Run> runs) {
        ConfigComparison made = new ConfigComparison();
        AllRuns all = AllRuns.of(runs.stream()
                .map(run -> new AllRuns.Run(
                        run.label, Objects.requireNonNull(run.timelines), Objects.requireNonNull(run.collectives)))
                .toList());
        made.workbooks.put("final_analysis_report_for_all.xlsx", all.workbook());
        made.pictured = Pictured.ofAll(all);
        return made;
    }

    /** What pictures show; null without a final report. */
    public @Nullable ComparedRuns pictured() {
        return pictured;
    }

    /** The workbooks by file name. */
    public Map<String, StyledWorkbook> workbooks() {
        return Collections.unmodifiableMap(workbooks);
    }
}
