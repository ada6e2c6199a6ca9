// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import dev.lockstep.write.LeadingColumns;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.stream.IntStream;

/** Rows of a table as a sheet. */
final class TableSheet {
    /** A sheet's rows below its head. */
    static final int MOST_ROWS = Workbook.MOST_ROWS - 1;

    static final int MOST_COLUMNS = Workbook.MOST_COLUMNS;

    private static final int BLOCK = 1_000;
    private static final int WIDEST = 60;
    private static final int NARROWEST = 9;

    /** Beyond it a spreadsheet's numbers, which are doubles of 15 digits, lose some. */
    private static final long EXACT_DIGITS = 999_999_999_999_999L;

    private final String name;
    private final Table table;
    private final int from;
    private final int to;
    private final CellStyle style;
    private final CellText[] cells;

    /** Columns of the table in the order of the sheet. */
    private final int[] order;

    TableSheet(String name, Table table, CellStyle style, int from, int to) {
        this.name = name;
        this.table = table;
        this.from = from;
        this.to = to;
        this.style = style;
        this.cells = new CellText[table.schema().size()];
        for (int column = 0; column < cells.length; column++) {
            cells[column] = new CellText(table, column, style);
        }
        this.order = style == CellStyle.PLAIN
                ? LeadingColumns.of(table.schema())
                : IntStream.range(0, cells.length).toArray();
    }

    String name() {
        return name;
    }

    Table table() {
        return table;
    }

    /** How many rows the sheet has, with its head. */
    int rows() {
        return to - from + 1;
    }

    /** Which rows of the table these are, where it takes several sheets; else how many. */
    String extent() {
        return to - from == table.rows()
                ? String.format(Locale.ROOT, "%,d rows", table.rows())
                : String.format(Locale.ROOT, "rows %,d to %,d of %,d", from + 1, to, table.rows());
    }

    void write(Worksheet sheet) throws IOException {
        sheet.extent(rows(), order.length);
        head(sheet);
        int[] looks = new int[order.length];
        for (int place = 0; place < looks.length; place++) {
            looks[place] = sheet.number(CellLook.number(format(table.schema().get(order[place]))));
        }
        for (int block = from; block < to; block += BLOCK) {
            int end = Math.min(block + BLOCK, to);
            for (int row = block; row < end; row++) {
                for (int place = 0; place < order.length; place++) {
                    cell(sheet, row, place);
                    sheet.look(row - from + 1, place, looks[place]);
                }
            }
            sheet.flush();
        }
        sheet.finish();
    }

    private void head(Worksheet sheet) {
        for (int place = 0; place < order.length; place++) {
            ColumnSpec spec = table.schema().get(order[place]);
            sheet.value(0, place, SheetText.cell(spec.header()));
            sheet.look(0, place, CellLook.HEAD);
            sheet.note(place, SheetText.cell(note(spec)));
            sheet.width(place, width(order[place]));
        }
        if (cells.length > 0) {
            sheet.filter(rows(), cells.length);
        }
        sheet.freezeHead(style == CellStyle.PLAIN && order.length > 1 ? 1 : 0);
        if (style == CellStyle.PLAIN) {
            sheet.fitToPaper(true);
        }
    }

    static String note(ColumnSpec spec) {
        String symbol = spec.shown().symbol();
        return symbol.isEmpty() ? spec.doc() : "[" + symbol + "] " + spec.doc();
    }

    private void cell(Worksheet sheet, int row, int place) {
        int column = order[place];
        Column values = table.columns().get(column);
        if (values.isMissing(row)) {
            return;
        }
        int at = row - from + 1;
        switch (values) {
            case LongColumn c -> whole(sheet, at, place, c.get(row), row);
            case DoubleColumn c -> real(sheet, at, place, table.shown(column, row));
            case BoolColumn c -> sheet.value(at, place, c.get(row));
            case StringColumn c -> sheet.value(at, place, SheetText.cell(cells[column].at(row)));
        }
    }

    /** An identifier with more digits than a spreadsheet's numbers have becomes text. */
    private void whole(Worksheet sheet, int at, int place, long value, int row) {
        ColumnSpec spec = table.schema().get(order[place]);
        if (spec.unit() != spec.shown()) {
            sheet.value(at, place, new BigDecimal(cells[order[place]].at(row)));
        } else if (spec.shown() == Unit.ID && (value > EXACT_DIGITS || value < -EXACT_DIGITS)) {
            sheet.value(at, place, Long.toString(value));
        } else {
            sheet.value(at, place, value);
        }
    }

    private static void real(Worksheet sheet, int at, int column, double value) {
        if (Double.isInfinite(value)) {
            sheet.value(at, column, value > 0 ? "inf" : "-inf");
        } else {
            sheet.value(at, column, value);
        }
    }

    /** How a spreadsheet shows the numbers of a column; the cells hold all digits. */
    static String format(ColumnSpec spec) {
        if (spec.type() != ColumnType.LONG && spec.type() != ColumnType.DOUBLE) {
            return "";
        }
        return switch (spec.shown()) {
            case ID -> "0";
            case COUNT, NANOSECONDS, BYTES, FLOPS -> spec.type() == ColumnType.LONG ? "#,##0" : "#,##0.00";
            case PERCENT -> "0.00";
            case MICROSECONDS, MILLISECONDS, OF_ROW -> "#,##0.000";
            case SECONDS -> "#,##0.000000";
            case NONE -> "";
            default -> "#,##0.00";
        };
    }

    /** As wide as the head and the first rows need. */
    double width(int column) {
        int widest = Math.max(NARROWEST, table.schema().get(column).header().length() + 3);
        for (int row = from; row < Math.min(to, from + BLOCK) && widest < WIDEST; row++) {
            int length = cells[column].at(row).length();
            boolean number = !cells[column].isFreeText();
            widest = Math.max(widest, number ? Math.min(length + 2, 18) : length + 1);
        }
        return Math.min(widest, WIDEST);
    }
}
