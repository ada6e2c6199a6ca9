// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.util.HashMap;
import java.util.Map;
import org.apache.poi.ss.usermodel.BorderStyle;
import org.apache.poi.ss.usermodel.FillPatternType;
import org.apache.poi.ss.usermodel.HorizontalAlignment;
import org.apache.poi.ss.usermodel.VerticalAlignment;
import org.apache.poi.xssf.usermodel.XSSFCellStyle;
import org.apache.poi.xssf.usermodel.XSSFColor;
import org.apache.poi.xssf.usermodel.XSSFFont;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.jspecify.annotations.Nullable;

/** The styles of a workbook's cells, each made when it is first asked for. */
final class DecoratedStyles {
    private static final byte[] HEAD_FILL = {(byte) 0xFF, (byte) 0xE4, (byte) 0xEA, (byte) 0xF1};

    private final XSSFWorkbook workbook;
    private final Map<String, XSSFCellStyle> numbers = new HashMap<>();
    private @Nullable XSSFCellStyle frameHead;
    private @Nullable XSSFCellStyle reportHead;

    DecoratedStyles(XSSFWorkbook workbook) {
        this.workbook = workbook;
    }

    /** Bold, centred, bordered. */
    XSSFCellStyle frameHead() {
        if (frameHead == null) {
            frameHead = bold();
            frameHead.setAlignment(HorizontalAlignment.CENTER);
            frameHead.setBorderTop(BorderStyle.THIN);
            frameHead.setBorderBottom(BorderStyle.THIN);
            frameHead.setBorderLeft(BorderStyle.THIN);
            frameHead.setBorderRight(BorderStyle.THIN);
        }
        return frameHead;
    }

    /** Bold on a tint, over several lines if need be. */
    XSSFCellStyle reportHead() {
        if (reportHead == null) {
            reportHead = bold();
            reportHead.setFillForegroundColor(new XSSFColor(HEAD_FILL, null));
            reportHead.setFillPattern(FillPatternType.SOLID_FOREGROUND);
            reportHead.setWrapText(true);
        }
        return reportHead;
    }

    /** The style of numbers in this format; null for none. */
    @Nullable
    XSSFCellStyle number(String format) {
        return format.isEmpty() ? null : numbers.computeIfAbsent(format, this::formatted);
    }

    private XSSFCellStyle formatted(String format) {
        XSSFCellStyle style = workbook.createCellStyle();
        style.setDataFormat(workbook.createDataFormat().getFormat(format));
        return style;
    }

    private XSSFCellStyle bold() {
        XSSFFont font = workbook.createFont();
        font.setBold(true);
        XSSFCellStyle style = workbook.createCellStyle();
        style.setFont(font);
        style.setVerticalAlignment(VerticalAlignment.TOP);
        return style;
    }
}
