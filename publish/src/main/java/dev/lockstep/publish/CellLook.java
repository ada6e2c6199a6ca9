// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

/**
 * How a cell looks.
 *
 * @param size of the letters, in points
 * @param colour of the letters, six hexadecimal digits
 * @param fill colour of the cell, empty for none
 * @param bordered whether a thin line surrounds it
 * @param horizontal where the text stands, empty for the usual place
 * @param vertical as above
 * @param format how numbers are shown, empty for as they are
 */
record CellLook(
        boolean bold,
        boolean underlined,
        int size,
        String colour,
        String fill,
        boolean bordered,
        String horizontal,
        String vertical,
        boolean wrapped,
        String format) {
    private static final String HEAD_FILL = "E4EAF1";
    private static final int SIZE = 11;
    private static final String BLACK = "000000";

    static final CellLook PLAIN = new CellLook(false, false, SIZE, BLACK, "", false, "", "", false, "");
    static final CellLook TITLE = new CellLook(true, false, 15, BLACK, "", false, "", "", false, "");
    static final CellLook BOLD = new CellLook(true, false, SIZE, BLACK, "", false, "", "", false, "");
    static final CellLook HEADING = new CellLook(true, false, SIZE, BLACK, HEAD_FILL, false, "", "", false, "");
    static final CellLook WRAPPED = new CellLook(false, false, SIZE, BLACK, "", false, "", "", true, "");
    static final CellLook LINK = new CellLook(false, true, SIZE, "0B5CAD", "", false, "", "", false, "");

    /** Heads of tables. */
    static final CellLook HEAD = new CellLook(true, false, SIZE, BLACK, HEAD_FILL, false, "", "top", false, "");

    /** The same over several lines, if need be. */
    static final CellLook WRAPPED_HEAD = new CellLook(true, false, SIZE, BLACK, HEAD_FILL, false, "", "top", true, "");

    /** Heads as pandas writes them. */
    static final CellLook FRAME_HEAD = new CellLook(true, false, SIZE, BLACK, "", true, "center", "top", false, "");

    /** Numbers in a format; empty for none. */
    static CellLook number(String format) {
        return format.isEmpty() ? PLAIN : new CellLook(false, false, SIZE, BLACK, "", false, "", "", false, format);
    }

    String font() {
        return "<font>" + (bold ? "<b/>" : "") + (underlined ? "<u/>" : "") + "<sz val=\"" + size
                + ".00\"/><color rgb=\"FF" + colour + "\"/><name val=\"Calibri\"/></font>";
    }

    String filling() {
        return fill.isEmpty()
                ? "<fill><patternFill patternType=\"none\"/></fill>"
                : "<fill><patternFill patternType=\"solid\"><fgColor rgb=\"FF" + fill + "\"/></patternFill></fill>";
    }

    String border() {
        String line = bordered ? " style=\"thin\"/>" : "/>";
        return "<border><left" + line + "<right" + line + "<top" + line + "<bottom" + line + "<diagonal/></border>";
    }

    /** The empty text where there is nothing to say. */
    String alignment() {
        String inner = (horizontal.isEmpty() ? "" : " horizontal=\"" + horizontal + "\"")
                + (vertical.isEmpty() ? "" : " vertical=\"" + vertical + "\"")
                + (wrapped ? " wrapText=\"true\"" : "");
        return inner.isEmpty() ? "" : "<alignment" + inner + "/>";
    }
}
