// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.io.IOException;
import java.util.SortedMap;

/** Notes at the head of a sheet, as the parts that a workbook keeps them in: their texts, and where they lie. */
final class NoteParts {
    /** Columns and rows that a note covers, beside and below its head. */
    private static final int COLUMNS = 3;

    private static final int ROWS = 6;

    private static final String HEAD = "<xml xmlns:o=\"urn:schemas-microsoft-com:office:office\""
            + " xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:x=\"urn:schemas-microsoft-com:office:excel\">"
            + "<o:shapelayout v:ext=\"edit\"><o:idmap v:ext=\"edit\" data=\"1\"/></o:shapelayout>"
            + "<v:shapetype id=\"c\" coordsize=\"21600,21600\" o:spt=\"202.0\" path=\"m,l,21600r21600,l21600,xe\">"
            + "<v:stroke joinstyle=\"miter\"/><v:path gradientshapeok=\"t\" o:connecttype=\"rect\"/></v:shapetype>";

    private NoteParts() {}

    /**
     * Writes them.
     *
     * @param notes by column
     * @param sheet its number, from 1
     */
    static void write(SortedMap<Integer, String> notes, int sheet, Workbook workbook) throws IOException {
        StringBuilder texts = new StringBuilder();
        StringBuilder shapes = new StringBuilder(HEAD);
        notes.forEach((column, text) -> {
            texts.append("<comment ref=\"" + CellNames.cell(0, column) + "\" authorId=\"0\"><text><t>");
            XmlText.content(text, texts);
            texts.append("</t></text></comment>");
            shapes.append("<v:shape id=\"s" + column + "\" type=\"#c\" style=\"position:absolute; visibility:hidden\""
                    + " fillcolor=\"#ffffe1\" o:insetmode=\"auto\"><v:fill color=\"#ffffe1\"/>"
                    + "<v:shadow on=\"t\" color=\"black\" obscured=\"t\"/><v:path o:connecttype=\"none\"/>"
                    + "<v:textbox style=\"mso-direction-alt:auto\"/><x:ClientData ObjectType=\"Note\">"
                    + "<x:MoveWithCells/><x:SizeWithCells/><x:Anchor>" + (column + 1) + ", 0, 1, 0, "
                    + (column + 1 + COLUMNS) + ", 0, " + (1 + ROWS) + ", 0</x:Anchor><x:AutoFill>False</x:AutoFill>"
                    + "<x:Row>0</x:Row><x:Column>" + column + "</x:Column></x:ClientData></v:shape>");
        });
        workbook.part(
                "xl/comments" + sheet + ".xml",
                "spreadsheetml.comments",
                "<comments xmlns=\"" + Workbook.MAIN + "\"><authors><author/></authors><commentList>" + texts
                        + "</commentList></comments>");
        workbook.part(
                "xl/drawings/vmlDrawing" + sheet + ".vml",
                "",
                shapes.append("</xml>").toString());
    }
}
