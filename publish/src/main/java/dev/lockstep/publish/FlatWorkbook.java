// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.dhatim.fastexcel.BorderStyle;
import org.dhatim.fastexcel.StyleSetter;
import org.dhatim.fastexcel.VisibilityState;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.jspecify.annotations.Nullable;

/** Workbooks of rows alone, written as they come. */
final class FlatWorkbook {
    private static final int BLOCK = 1_000;

    private FlatWorkbook() {}

    static void write(StyledWorkbook styled, Path target) throws IOException {
        try (OutputStream file = new BufferedOutputStream(NamedFiles.out(target), 1 << 16);
                TimelessZip zip = new TimelessZip(file, WorkbookWriter.COMPRESSION, WorkbookWriter.timeless());
                Workbook workbook = new Workbook(zip, "Lockstep", null)) {
            workbook.setCompressionLevel(0);
            Set<String> names = new HashSet<>();
            int number = 0;
            for (StyledSheet sheet : styled.sheets()) {
                zip.extent(
                        ++number,
                        sheet.table().rows() + 1,
                        sheet.table().schema().size());
                Worksheet worksheet =
                        workbook.newWorksheet(SheetText.name(sheet.table().name(), names));
                if (sheet.hidden()) {
                    worksheet.setVisibilityState(VisibilityState.HIDDEN);
                }
                write(sheet, worksheet);
            }
        }
    }

    private static void write(StyledSheet sheet, Worksheet worksheet) throws IOException {
        Table table = sheet.table();
        if (sheet.look() == Look.REPORT) {
            new TableSheet(table.name(), table, CellStyle.PLAIN, 0, table.rows()).write(worksheet);
            return;
        }
        int columns = table.schema().size();
        for (int column = 0; column < columns; column++) {
            put(worksheet, 0, column, CellValue.head(table, column));
        }
        if (columns > 0) {
            head(worksheet.range(0, 0, 0, columns - 1).style());
        }
        for (int from = 0; from < table.rows(); from += BLOCK) {
            int to = Math.min(from + BLOCK, table.rows());
            for (int row = from; row < to; row++) {
                for (int column = 0; column < columns; column++) {
                    put(worksheet, row + 1, column, CellValue.of(table, column, row));
                }
            }
            if (sheet.look() == Look.INDEXED_FRAME) {
                head(worksheet.range(from + 1, 0, to, 0).style());
            }
            worksheet.flush();
        }
        worksheet.finish();
    }

    private static void put(Worksheet worksheet, int row, int column, @Nullable Object value) {
        switch (value) {
            case null -> {
                // stays empty
            }
            case Number number -> worksheet.value(row, column, number);
            case Boolean truth -> worksheet.value(row, column, truth);
            default -> worksheet.value(row, column, value.toString());
        }
    }

    private static void head(StyleSetter style) {
        style.bold()
                .horizontalAlignment("center")
                .verticalAlignment("top")
                .borderStyle(BorderStyle.THIN)
                .set();
    }
}
