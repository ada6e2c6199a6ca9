// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import org.apache.poi.xssf.usermodel.XSSFClientAnchor;
import org.apache.poi.xssf.usermodel.XSSFComment;
import org.apache.poi.xssf.usermodel.XSSFDrawing;
import org.apache.poi.xssf.usermodel.XSSFRichTextString;
import org.apache.poi.xssf.usermodel.XSSFSheet;

/** What helps to read a sheet: notes at its heads, widths, a head that stays in sight. */
final class SheetNotes {
    private static final int WIDTH_UNITS = 256;
    private static final int NOTE_COLUMNS = 3;
    private static final int NOTE_ROWS = 6;

    private SheetNotes() {}

    static void write(Table table, XSSFSheet sheet) {
        TableSheet layout = new TableSheet(table.name(), table, CellStyle.PLAIN, 0, table.rows());
        XSSFDrawing drawing = sheet.createDrawingPatriarch();
        for (int column = 0; column < table.schema().size(); column++) {
            sheet.setColumnWidth(column, (int) (layout.width(column) * WIDTH_UNITS));
            XSSFClientAnchor anchor =
                    new XSSFClientAnchor(0, 0, 0, 0, column + 1, 1, column + 1 + NOTE_COLUMNS, 1 + NOTE_ROWS);
            XSSFComment note = drawing.createCellComment(anchor);
            note.setString(new XSSFRichTextString(
                    SheetText.cell(TableSheet.note(table.schema().get(column)))));
            note.setAddress(0, column);
        }
        sheet.createFreezePane(0, 1);
    }
}
