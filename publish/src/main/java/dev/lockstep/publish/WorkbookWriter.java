// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A workbook with one sheet per table, in order. Numbers are numbers, everything else is text and never a formula.
 *
 * <p>In plain style an overview comes first: facts, findings, the list of sheets, and what every column means; then pictures. In Python
 * style there are only the tables, as the tools that read such workbooks expect. A sheet's head is that of the CSV; a
 * column's unit and definition stand in the note at its head. A table that outgrows a sheet goes on in the next one.
 */
public final class WorkbookWriter implements ReportWriter {
    private final int rowsPerSheet;

    /** A writer that fills sheets as far as spreadsheets can read them. */
    public WorkbookWriter() {
        this(TableSheet.MOST_ROWS);
    }

    WorkbookWriter(int rowsPerSheet) {
        this.rowsPerSheet = rowsPerSheet;
    }

    @Override
    public String id() {
        return "xlsx";
    }

    @Override
    public String help() {
        return "Write a workbook.";
    }

    @Override
    public String ending() {
        return ".xlsx";
    }

    @Override
    public boolean isStandard() {
        return true;
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        try (Workbook workbook = new Workbook(target)) {
            Set<String> names = new HashSet<>();
            String overview = SheetText.name("Overview", names);
            List<Chart> charts = style == CellStyle.PLAIN ? ChartSheet.drawn(report) : List.of();
            String pictures = charts.isEmpty() ? "" : SheetText.name(ChartSheet.NAME, names);
            List<TableSheet> sheets = sheets(report, style, names);
            if (style == CellStyle.PLAIN || sheets.isEmpty()) {
                OverviewSheet.write(report, sheets, pictures, workbook.sheet(overview));
            }
            if (!charts.isEmpty()) {
                ChartSheet.write(charts, workbook.sheet(pictures));
            }
            for (TableSheet sheet : sheets) {
                sheet.write(workbook.sheet(sheet.name()));
            }
            workbook.complete();
        }
    }

    private List<TableSheet> sheets(Report report, CellStyle style, Set<String> names) {
        List<TableSheet> sheets = new ArrayList<>();
        for (Table table : report.tables()) {
            demandColumns(table);
            int from = 0;
            do {
                int to = Math.min(table.rows() - from, rowsPerSheet) + from;
                sheets.add(new TableSheet(SheetText.name(table.name(), names), table, style, from, to));
                from = to;
            } while (from < table.rows());
        }
        return sheets;
    }

    private static void demandColumns(Table table) {
        int columns = table.schema().size();
        if (columns > TableSheet.MOST_COLUMNS) {
            throw new UserException(
                    ErrorCode.TOO_LARGE,
                    String.format(
                            Locale.ROOT,
                            "%s has %,d columns, and a sheet of a workbook at most %,d",
                            table.name(),
                            columns,
                            TableSheet.MOST_COLUMNS),
                    "Write it as CSV.");
        }
    }
}
