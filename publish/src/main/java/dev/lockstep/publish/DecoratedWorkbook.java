// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.poi.ss.SpreadsheetVersion;
import org.apache.poi.ss.usermodel.ConditionalFormattingThreshold;
import org.apache.poi.ss.usermodel.ConditionalFormattingThreshold.RangeType;
import org.apache.poi.ss.usermodel.SheetVisibility;
import org.apache.poi.ss.util.AreaReference;
import org.apache.poi.ss.util.CellRangeAddress;
import org.apache.poi.ss.util.CellReference;
import org.apache.poi.xssf.usermodel.XSSFCell;
import org.apache.poi.xssf.usermodel.XSSFCellStyle;
import org.apache.poi.xssf.usermodel.XSSFColor;
import org.apache.poi.xssf.usermodel.XSSFColorScaleFormatting;
import org.apache.poi.xssf.usermodel.XSSFConditionalFormattingRule;
import org.apache.poi.xssf.usermodel.XSSFRow;
import org.apache.poi.xssf.usermodel.XSSFSheet;
import org.apache.poi.xssf.usermodel.XSSFSheetConditionalFormatting;
import org.apache.poi.xssf.usermodel.XSSFTable;
import org.apache.poi.xssf.usermodel.XSSFTableStyleInfo;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.jspecify.annotations.Nullable;

/** Workbooks with coloured columns, hidden sheets and tables of spreadsheets. */
final class DecoratedWorkbook {
    private static final String TABLE_STYLE = "TableStyleMedium2";

    private final XSSFWorkbook workbook;
    private final DecoratedStyles styles;

    private DecoratedWorkbook(XSSFWorkbook workbook) {
        this.workbook = workbook;
        this.styles = new DecoratedStyles(workbook);
    }

    static void write(StyledWorkbook styled, Path target) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        try (XSSFWorkbook workbook = new XSSFWorkbook()) {
            new DecoratedWorkbook(workbook).fill(styled);
            workbook.write(bytes);
        }
        TimelessCopy.write(bytes.toByteArray(), target, WorkbookWriter.timeless());
    }

    private void fill(StyledWorkbook styled) {
        Set<String> names = new HashSet<>();
        for (StyledSheet sheet : styled.sheets()) {
            XSSFSheet own = workbook.createSheet(SheetText.name(sheet.table().name(), names));
            cells(sheet, own);
            decorate(sheet, own);
            if (sheet.hidden()) {
                workbook.setSheetVisibility(workbook.getSheetIndex(own), SheetVisibility.HIDDEN);
            }
        }
        workbook.setActiveSheet(0);
    }

    private void cells(StyledSheet sheet, XSSFSheet own) {
        Table table = sheet.table();
        int columns = table.schema().size();
        boolean report = sheet.look() == Look.REPORT;
        boolean text = report || sheet.excelTable() != null;
        XSSFRow head = own.createRow(0);
        @Nullable XSSFCellStyle[] formats = new XSSFCellStyle[columns];
        for (int column = 0; column < columns; column++) {
            ColumnSpec spec = table.schema().get(column);
            XSSFCell cell = head.createCell(column);
            put(cell, text ? SheetText.cell(spec.header()) : CellValue.head(table, column));
            cell.setCellStyle(report ? styles.reportHead() : styles.frameHead());
            formats[column] = report ? styles.number(TableSheet.format(spec)) : null;
        }
        for (int row = 0; row < table.rows(); row++) {
            XSSFRow line = own.createRow(row + 1);
            for (int column = 0; column < columns; column++) {
                Object value = CellValue.of(table, column, row);
                if (value != null) {
                    XSSFCell cell = line.createCell(column);
                    put(cell, value);
                    boolean index = column == 0 && sheet.look() == Look.INDEXED_FRAME;
                    XSSFCellStyle style = index ? styles.frameHead() : formats[column];
                    if (style != null) {
                        cell.setCellStyle(style);
                    }
                }
            }
        }
    }

    private void decorate(StyledSheet sheet, XSSFSheet own) {
        Table table = sheet.table();
        if (sheet.look() == Look.REPORT) {
            SheetNotes.write(table, own);
        }
        if (table.rows() == 0 || table.schema().size() == 0) {
            return;
        }
        if (sheet.excelTable() != null) {
            excelTable(sheet.excelTable(), table, own);
        } else if (sheet.look() == Look.REPORT) {
            own.setAutoFilter(
                    new CellRangeAddress(0, table.rows(), 0, table.schema().size() - 1));
        }
        for (ColorScale scale : sheet.colors()) {
            color(scale, table.rows(), own);
        }
    }

    private static void excelTable(String name, Table table, XSSFSheet own) {
        AreaReference area = new AreaReference(
                new CellReference(0, 0),
                new CellReference(table.rows(), table.schema().size() - 1),
                SpreadsheetVersion.EXCEL2007);
        XSSFTable made = own.createTable(area);
        made.setName(name);
        made.setDisplayName(name);
        made.getCTTable().addNewAutoFilter().setRef(area.formatAsString());
        made.setStyleName(TABLE_STYLE);
        XSSFTableStyleInfo style = (XSSFTableStyleInfo) Objects.requireNonNull(made.getStyle());
        style.setShowRowStripes(true);
        style.setShowColumnStripes(false);
    }

    private static void color(ColorScale scale, int rows, XSSFSheet own) {
        XSSFSheetConditionalFormatting formatting = own.getSheetConditionalFormatting();
        XSSFConditionalFormattingRule rule = formatting.createConditionalFormattingColorScaleRule();
        XSSFColorScaleFormatting colors = Objects.requireNonNull(rule.getColorScaleFormatting());
        colors.setNumControlPoints(3);
        ConditionalFormattingThreshold[] ends = colors.getThresholds();
        end(ends[0], scale.low().value(), RangeType.MIN);
        end(ends[1], scale.middle().value(), RangeType.NUMBER);
        end(ends[2], scale.high().value(), RangeType.MAX);
        colors.setColors(new XSSFColor[] {
            rgb(scale.low().color()),
            rgb(scale.middle().color()),
            rgb(scale.high().color())
        });
        int last = scale.toRow() < 0 ? rows : Math.min(rows, scale.toRow());
        CellRangeAddress range = new CellRangeAddress(scale.fromRow() + 1, last, scale.column(), scale.column());
        formatting.addConditionalFormatting(new CellRangeAddress[] {range}, rule);
    }

    private static void end(ConditionalFormattingThreshold threshold, double value, RangeType open) {
        threshold.setRangeType(Double.isNaN(value) ? open : RangeType.NUMBER);
        if (!Double.isNaN(value)) {
            threshold.setValue(value);
        }
    }

    private static XSSFColor rgb(String color) {
        int value = Integer.parseInt(color, 16);
        return new XSSFColor(new byte[] {(byte) 0xFF, (byte) (value >> 16), (byte) (value >> 8), (byte) value}, null);
    }

    private static void put(XSSFCell cell, Object value) {
        switch (value) {
            case Number number -> cell.setCellValue(number.doubleValue());
            case Boolean truth -> cell.setCellValue(truth);
            default -> cell.setCellValue(value.toString());
        }
    }
}
