// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.util.ArrayList;
import java.util.List;

/** The looks that a workbook's cells have, numbered as they are first asked for. The plain one is number 0. */
final class CellLooks {
    /** Numbers below are those of formats that spreadsheets know. */
    private static final int FIRST_FORMAT = 164;

    private static final String GRAY = "<fill><patternFill patternType=\"gray125\"/></fill>";

    private final List<CellLook> looks = new ArrayList<>(List.of(CellLook.PLAIN));

    int number(CellLook look) {
        int known = looks.indexOf(look);
        if (known < 0) {
            known = looks.size();
            looks.add(look);
        }
        return known;
    }

    /** The part of the workbook that says what the numbers mean. */
    String xml() {
        List<String> formats = new ArrayList<>();
        List<String> fonts = new ArrayList<>();
        List<String> fills = new ArrayList<>(List.of(CellLook.PLAIN.filling(), GRAY));
        List<String> borders = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        for (CellLook look : looks) {
            int format = look.format().isEmpty()
                    ? 0
                    : place(
                                    formats,
                                    "<numFmt numFmtId=\"%d\" formatCode=\"" + XmlText.attribute(look.format()) + "\"/>")
                            + FIRST_FORMAT;
            String alignment = look.alignment();
            cells.add("<xf numFmtId=\"" + format + "\" fontId=\"" + place(fonts, look.font()) + "\" fillId=\""
                    + place(fills, look.filling()) + "\" borderId=\"" + place(borders, look.border())
                    + "\" xfId=\"0\"" + (look.bordered() ? " applyBorder=\"1\"" : "")
                    + (alignment.isEmpty() ? "/>" : " applyAlignment=\"1\">" + alignment + "</xf>"));
        }
        for (int i = 0; i < formats.size(); i++) {
            formats.set(i, formats.get(i).replace("%d", Integer.toString(FIRST_FORMAT + i)));
        }
        return "<styleSheet xmlns=\"" + Workbook.MAIN + "\">"
                + (formats.isEmpty() ? "" : list("numFmts", formats))
                + list("fonts", fonts)
                + list("fills", fills)
                + list("borders", borders)
                + "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>"
                + list("cellXfs", cells)
                + "<dxfs count=\"0\"/></styleSheet>";
    }

    private static int place(List<String> parts, String part) {
        int known = parts.indexOf(part);
        if (known < 0) {
            known = parts.size();
            parts.add(part);
        }
        return known;
    }

    private static String list(String name, List<String> parts) {
        return "<" + name + " count=\"" + parts.size() + "\">" + String.join("", parts) + "</" + name + ">";
    }
}
