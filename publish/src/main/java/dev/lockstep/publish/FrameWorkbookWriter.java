// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.Report;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import dev.lockstep.write.ReportWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;

/**
 * A workbook that looks as pandas writes data frames: heads bold, centred and framed, and so are the texts of the leading
 * columns of identifiers ({@link Unit#ID}), which are a frame's index; nothing else is formatted.
 */
public final class FrameWorkbookWriter implements ReportWriter {
    private static final int COMPRESSION = 2;

    @Override
    public String id() {
        return "frames";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        Map<String, byte[]> timeless =
                Map.of("docProps/core.xml", WorkbookWriter.PROPERTIES.getBytes(StandardCharsets.UTF_8));
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(target), 1 << 16);
                OutputStream zip = new TimelessZip(file, COMPRESSION, timeless);
                Workbook workbook = new Workbook(zip, "Lockstep", null)) {
            workbook.setCompressionLevel(0);
            Set<String> names = new HashSet<>();
            for (Table table : report.tables()) {
                write(table, style, workbook.newWorksheet(SheetText.name(table.name(), names)));
            }
        }
    }

    private static void write(Table table, CellStyle style, Worksheet sheet) throws IOException {
        Schema schema = table.schema();
        int index = index(schema);
        for (int column = 0; column < schema.size(); column++) {
            sheet.value(0, column, SheetText.cell(schema.get(column).header()));
            head(sheet, 0, column);
            CellText texts = new CellText(table, column, style);
            for (int row = 0; row < table.rows(); row++) {
                if (!table.columns().get(column).isMissing(row)) {
                    cell(sheet, table, column, row, texts);
                }
                if (column < index) {
                    head(sheet, row + 1, column);
                }
            }
        }
        sheet.finish();
    }

    private static int index(Schema schema) {
        int index = 0;
        while (index < schema.size()
                && schema.get(index).type() == ColumnType.STRING
                && schema.get(index).unit() == Unit.ID) {
            index++;
        }
        return index;
    }

    private static void cell(Worksheet sheet, Table table, int column, int row, CellText texts) {
        Column cells = table.columns().get(column);
        switch (cells) {
            case LongColumn whole -> number(sheet, table, column, row, whole.get(row));
            case DoubleColumn real -> number(sheet, row, column, table.shown(column, row));
            case BoolColumn truth -> sheet.value(row + 1, column, truth.get(row));
            case StringColumn text -> sheet.value(row + 1, column, SheetText.cell(texts.at(row)));
        }
    }

    private static void number(Worksheet sheet, Table table, int column, int row, long value) {
        if (table.schema().get(column).divisor() == 1) {
            sheet.value(row + 1, column, value);
        } else {
            number(sheet, row, column, table.shown(column, row));
        }
    }

    private static void number(Worksheet sheet, int row, int column, double value) {
        if (Double.isInfinite(value)) {
            sheet.value(row + 1, column, value > 0 ? "inf" : "-inf");
        } else {
            sheet.value(row + 1, column, value);
        }
    }

    private static void head(Worksheet sheet, int row, int column) {
        sheet.style(row, column)
                .bold()
                .horizontalAlignment("center")
                .verticalAlignment("top")
                .borderStyle("thin")
                .set();
    }
}
