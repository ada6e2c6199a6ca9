// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.StyledWorkbookWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Workbooks whose looks matter. Where any sheet has colours or is a table of spreadsheets, none is laid out as for reading alone. */
public final class StyledWorkbookFile implements StyledWorkbookWriter {
    private static final int BLOCK = 1_000;

    @Override
    public void write(StyledWorkbook styled, Path target) throws IOException {
        boolean decorated = styled.sheets().stream()
                .anyMatch(sheet -> sheet.excelTable() != null || !sheet.colors().isEmpty());
        try (Workbook workbook = new Workbook(target)) {
            Set<String> names = new HashSet<>();
            for (StyledSheet sheet : styled.sheets()) {
                Table table = sheet.table();
                Worksheet own = workbook.sheet(SheetText.name(table.name(), names));
                if (sheet.hidden()) {
                    own.hide();
                }
                own.extent(table.rows() + 1, table.schema().size());
                if (sheet.look() == Look.REPORT && !decorated) {
                    new TableSheet(table.name(), table, CellStyle.PLAIN, 0, table.rows()).write(own);
                } else {
                    write(sheet, own, decorated);
                }
            }
            workbook.complete();
        }
    }

    private static void write(StyledSheet sheet, Worksheet own, boolean decorated) throws IOException {
        Table table = sheet.table();
        int columns = table.schema().size();
        boolean report = sheet.look() == Look.REPORT;
        if (decorated) {
            own.leaveWidths();
        }
        if (report) {
            reading(table, own);
        }
        int[] looks = new int[columns];
        for (int column = 0; column < columns; column++) {
            ColumnSpec spec = table.schema().get(column);
            boolean text = report || sheet.excelTable() != null;
            own.value(0, column, text ? SheetText.cell(spec.header()) : CellValue.head(table, column));
            own.look(0, column, report ? CellLook.WRAPPED_HEAD : CellLook.FRAME_HEAD);
            boolean index = column == 0 && sheet.look() == Look.INDEXED_FRAME;
            looks[column] =
                    own.number(index ? CellLook.FRAME_HEAD : CellLook.number(report ? TableSheet.format(spec) : ""));
        }
        decorate(sheet, own);
        for (int from = 0; from < table.rows(); from += BLOCK) {
            for (int row = from; row < Math.min(from + BLOCK, table.rows()); row++) {
                for (int column = 0; column < columns; column++) {
                    Object value = CellValue.of(table, column, row);
                    if (value != null) {
                        own.value(row + 1, column, value);
                    }
                    if (value != null || !decorated) {
                        own.look(row + 1, column, looks[column]);
                    }
                }
            }
            own.flush();
        }
        own.finish();
    }

    /** What helps to read it: notes at its heads, widths, a head that stays in sight. */
    private static void reading(Table table, Worksheet own) {
        TableSheet layout = new TableSheet(table.name(), table, CellStyle.PLAIN, 0, table.rows());
        for (int column = 0; column < table.schema().size(); column++) {
            own.width(column, layout.width(column));
            own.note(column, SheetText.cell(TableSheet.note(table.schema().get(column))));
        }
        own.freezeHead(0);
    }

    private static void decorate(StyledSheet sheet, Worksheet own) {
        Table table = sheet.table();
        int columns = table.schema().size();
        if (table.rows() == 0 || columns == 0) {
            return;
        }
        if (sheet.excelTable() != null) {
            own.table(
                    sheet.excelTable(),
                    IntStream.range(0, columns)
                            .mapToObj(column ->
                                    SheetText.cell(table.schema().get(column).header()))
                            .toList(),
                    table.rows() + 1);
        } else if (sheet.look() == Look.REPORT) {
            own.filter(table.rows() + 1, columns);
        }
        for (ColorScale scale : sheet.colors()) {
            int last = scale.toRow() < 0 ? table.rows() : Math.min(table.rows(), scale.toRow());
            own.colour(scale, scale.fromRow() + 1, last);
        }
    }
}
