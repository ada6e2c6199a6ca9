// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.ColorScale.Stop;
import dev.lockstep.report.Finding;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Configurations side by side as workbooks. Percentages of times and of bandwidths are coloured on scales of their own that are
 * the same for every file: blue is better, orange worse, and full colour stands for 10 %.
 */
public final class ConfigurationWorkbooks {
    private static final double FULL_COLOR = 10;
    private static final String BETTER = "5B9BD5";
    private static final String NEUTRAL = "FFFFFF";
    private static final String WORSE = "F4A460";

    private final ConfigurationReport report;
    private final ConfigurationComparison comparison;

    public ConfigurationWorkbooks(ConfigurationReport report) {
        this.report = report;
        this.comparison = report.comparison();
    }

    /** Timelines alone. */
    public StyledWorkbook timelines() {
        return book(
                List.of(comparison.timelineChange(), comparison.timelineChangeByRank(), comparison.timelineSpread()));
    }

    /** Collectives alone. */
    public StyledWorkbook collectives() {
        return book(List.of(comparison.collectiveChange(), comparison.collectiveSpread()));
    }

    /** Everything, the dashboard first and what was found in words behind it. */
    public StyledWorkbook all() {
        List<Table> tables = new ArrayList<>();
        tables.add(comparison.dashboard());
        tables.add(notes());
        comparison.tables().stream()
                .filter(table -> !table.name().equals(tables.getFirst().name()))
                .forEach(tables::add);
        return book(tables);
    }

    private StyledWorkbook book(List<Table> tables) {
        List<StyledSheet> sheets = new ArrayList<>();
        tables.forEach(table -> sheets.add(colored(table)));
        sheets.add(StyledSheet.of(report.coverage().table(), Look.REPORT));
        return new StyledWorkbook(sheets);
    }

    private Table notes() {
        return new Fields<Finding>()
                .add(
                        ColumnSpec.text("severity", "problem, notice or info."),
                        f -> f.severity().name().toLowerCase(Locale.ROOT))
                .add(ColumnSpec.text("finding", "What was found."), Finding::text)
                .add(ColumnSpec.text("basis", "Sheet and column that it is read from."), Finding::basis)
                .table("notes", "Findings", report.findings());
    }

    private StyledSheet colored(Table table) {
        StyledSheet sheet = StyledSheet.of(table, Look.REPORT);
        for (int column = 0; column < table.schema().size(); column++) {
            String head = table.schema().get(column).header();
            if (head.contains("change %")) {
                sheet = table.name().equals("summary_dashboard")
                        ? byMetric(sheet, column)
                        : sheet.colored(scale(column, 0, -1, head.startsWith("bus bw")));
            }
        }
        return sheet;
    }

    /** On the dashboard, rows say what is better. */
    private StyledSheet byMetric(StyledSheet dashboard, int column) {
        StyledSheet sheet = dashboard;
        List<Metric> metrics = comparison.metrics();
        for (int row = 0; row < metrics.size(); row++) {
            sheet = sheet.colored(scale(column, row, row + 1, metrics.get(row).moreIsBetter()));
        }
        return sheet;
    }

    private static ColorScale scale(int column, int from, int to, boolean moreIsBetter) {
        return new ColorScale(
                column,
                from,
                to,
                new Stop(-FULL_COLOR, moreIsBetter ? WORSE : BETTER),
                new Stop(0, NEUTRAL),
                new Stop(FULL_COLOR, moreIsBetter ? BETTER : WORSE));
    }
}
