// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.ColorScale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A sheet of a workbook. Rows are kept until they are flushed, and then lie behind; everything else about the sheet is said before
 * the first flush, but for notes, links, filters and what lies upon the cells. Rows and columns count from 0.
 */
final class Worksheet {
    private static final int WIDEST = 255;

    /** Columns without a width of their own get what their first rows need, where that is more than spreadsheets give. */
    private static final double USUAL_WIDTH = 8.88671875;

    private static final double DIGIT = 7;
    private static final int MARGIN = 10;
    private static final int WIDTH_UNITS = 256;

    private final Workbook workbook;
    private final String name;
    private final int number;
    private final TreeMap<Integer, SheetRow> rows = new TreeMap<>();
    private final TreeMap<Integer, Double> widths = new TreeMap<>();
    private final TreeMap<Integer, String> notes = new TreeMap<>();
    private final StringBuilder links = new StringBuilder();
    private final StringBuilder scales = new StringBuilder();
    private final StringBuilder xml = new StringBuilder();
    private List<ChartPart> charts = List.of();
    private List<String> tableHeads = List.of();
    private String extent = "A1";
    private String filter = "";
    private String tableName = "";
    private String printed = "";
    private int frozenColumns = -1;
    private int scaled;
    private boolean hidden;
    private boolean onPaper;
    private boolean headOnEachPage;
    private boolean fits = true;
    private boolean begun;

    Worksheet(Workbook workbook, String name, int number) {
        this.workbook = workbook;
        this.name = name;
        this.number = number;
    }

    String name() {
        return name;
    }

    /** From 1, in the order of the workbook. */
    int number() {
        return number;
    }

    boolean isHidden() {
        return hidden;
    }

    void hide() {
        hidden = true;
    }

    /** How far the sheet reaches, which readers that go row by row believe. */
    void extent(int rowCount, int columns) {
        extent = (long) rowCount * columns <= 1 ? "A1" : CellNames.area(0, 0, rowCount - 1, columns - 1);
    }

    void width(int column, double width) {
        widths.put(column, width);
    }

    /** Columns without a width of their own stay as spreadsheets have them. */
    void leaveWidths() {
        fits = false;
    }

    /** The first row stays in sight, and so many columns. */
    void freezeHead(int columns) {
        frozenColumns = columns;
    }

    /** On paper it lies across, as wide as a page. */
    void fitToPaper(boolean headOnEach) {
        onPaper = true;
        headOnEachPage = headOnEach;
    }

    /** On paper there are these rows and columns alone. */
    void printOnly(int rowCount, int columns) {
        printed = CellNames.absolute(rowCount, columns);
    }

    /** Heads choose which rows are shown. */
    void filter(int rowCount, int columns) {
        filter = CellNames.area(0, 0, rowCount - 1, columns - 1);
    }

    /** Makes the first rows and columns a table that formulas know by name, with stripes and filters. */
    void table(String called, List<String> heads, int rowCount) {
        tableName = called;
        tableHeads = List.copyOf(heads);
        filter = CellNames.area(0, 0, rowCount - 1, heads.size() - 1);
    }

    /** A note at a head. */
    void note(int column, String text) {
        notes.put(column, text);
    }

    /** Makes a cell lead to a sheet. */
    void link(int row, int column, String sheet) {
        links.append("<hyperlink ref=\"" + CellNames.cell(row, column) + "\" location=\""
                + XmlText.attribute(quoted(sheet) + "!A1") + "\"/>");
    }

    /** Colours the cells of a column by their values. */
    void colour(ColorScale scale, int fromRow, int toRow) {
        scales.append("<conditionalFormatting sqref=\"" + CellNames.area(fromRow, scale.column(), toRow, scale.column())
                + "\"><cfRule type=\"colorScale\" priority=\"" + ++scaled + "\"><colorScale>"
                + end(scale.low(), "min") + end(scale.middle(), "num") + end(scale.high(), "max")
                + colour(scale.low()) + colour(scale.middle()) + colour(scale.high())
                + "</colorScale></cfRule></conditionalFormatting>");
    }

    private static String end(ColorScale.Stop stop, String open) {
        return Double.isNaN(stop.value())
                ? "<cfvo type=\"" + open + "\"/>"
                : "<cfvo type=\"num\" val=\"" + stop.value() + "\"/>";
    }

    private static String colour(ColorScale.Stop stop) {
        return "<color rgb=\"FF" + stop.color() + "\"/>";
    }

    /** Puts charts over the cells. */
    void charts(List<ChartPart> parts) {
        charts = List.copyOf(parts);
    }

    /** Fills a cell with a number, a truth value or a text. A workbook holds no formulas. */
    void value(int row, int column, Object value) {
        row(row).value(column, value);
    }

    void look(int row, int column, CellLook look) {
        look(row, column, number(look));
    }

    /** The number of a look, for many cells of it. */
    int number(CellLook look) {
        return workbook.look(look);
    }

    void look(int row, int column, int look) {
        if (look != 0) {
            row(row).look(column, look);
        }
    }

    private SheetRow row(int row) {
        return rows.computeIfAbsent(row, place -> new SheetRow());
    }

    /** Writes the rows that are there; they get no more cells. */
    void flush() throws IOException {
        if (!begun) {
            begin();
        }
        for (Map.Entry<Integer, SheetRow> row : rows.entrySet()) {
            row.getValue().write(row.getKey(), workbook, xml);
            if (xml.length() > 1 << 16) {
                drain();
            }
        }
        rows.clear();
    }

    private void drain() throws IOException {
        workbook.write(xml);
        xml.setLength(0);
    }

    private void begin() throws IOException {
        begun = true;
        workbook.begin(part("worksheets/sheet"), "spreadsheetml.worksheet");
        xml.append(XmlText.DECLARATION + "<worksheet xmlns=\"" + Workbook.MAIN + "\" xmlns:r=\"" + Workbook.RELATIONS
                + "\"><sheetPr><pageSetUpPr fitToPage=\"" + onPaper + "\" autoPageBreaks=\"false\"/></sheetPr>"
                + "<dimension ref=\"" + extent + "\"/><sheetViews><sheetView workbookViewId=\"0\">");
        if (frozenColumns >= 0) {
            boolean both = frozenColumns > 0;
            String active = both ? "bottomRight" : "bottomLeft";
            xml.append("<pane xSplit=\"" + frozenColumns + "\" ySplit=\"1\" topLeftCell=\""
                    + CellNames.cell(1, frozenColumns) + "\" activePane=\"" + active
                    + "\" state=\"frozen\"/><selection pane=\"" + active + "\"/>");
        }
        xml.append("</sheetView></sheetViews><sheetFormatPr defaultRowHeight=\"15.0\"/>");
        if (fits) {
            fit();
        }
        if (!widths.isEmpty()) {
            xml.append("<cols>");
            widths.forEach((column, width) -> xml.append("<col min=\"" + (column + 1) + "\" max=\"" + (column + 1)
                    + "\" width=\"" + width + "\" customWidth=\"true\"/>"));
            xml.append("</cols>");
        }
        xml.append("<sheetData>");
    }

    /** Gives columns without a width of their own what their cells need. */
    private void fit() {
        TreeMap<Integer, Integer> longest = new TreeMap<>();
        rows.values()
                .forEach(row -> row.lengths((column, length) -> {
                    if (!widths.containsKey(column)) {
                        longest.merge(column, length, Math::max);
                    }
                }));
        longest.forEach((column, length) -> {
            double width = (int) ((length * DIGIT + MARGIN) / DIGIT * WIDTH_UNITS) / (double) WIDTH_UNITS;
            if (width > USUAL_WIDTH) {
                widths.put(column, Math.min(WIDEST, width));
            }
        });
    }

    /** Writes the rest. */
    void finish() throws IOException {
        flush();
        List<String> kinds = new ArrayList<>();
        List<String> targets = new ArrayList<>();
        StringBuilder upon = new StringBuilder();
        if (!charts.isEmpty()) {
            refer("drawing", part("../drawings/drawing"), kinds, targets);
            upon.append("<drawing r:id=\"rId" + kinds.size() + "\"/>");
        }
        if (!notes.isEmpty()) {
            refer("comments", part("../comments"), kinds, targets);
            refer("vmlDrawing", "../drawings/vmlDrawing" + number + ".vml", kinds, targets);
            upon.append("<legacyDrawing r:id=\"rId" + kinds.size() + "\"/>");
        }
        if (!tableName.isEmpty()) {
            refer("table", part("../tables/table"), kinds, targets);
            upon.append("<tableParts count=\"1\"><tablePart r:id=\"rId" + kinds.size() + "\"/></tableParts>");
        }
        xml.append("</sheetData>");
        if (!filter.isEmpty() && tableName.isEmpty()) {
            xml.append("<autoFilter ref=\"" + filter + "\"/>");
        }
        xml.append(scales);
        if (!links.isEmpty()) {
            xml.append("<hyperlinks>" + links + "</hyperlinks>");
        }
        xml.append("<pageMargins bottom=\"0.75\" footer=\"0.3\" header=\"0.3\" left=\"0.7\" right=\"0.7\""
                + " top=\"0.75\"/>");
        if (onPaper) {
            xml.append("<pageSetup fitToWidth=\"1\" fitToHeight=\"0\" orientation=\"landscape\"/>");
        }
        xml.append(upon).append("</worksheet>");
        drain();
        workbook.end();
        if (!kinds.isEmpty()) {
            workbook.relations("xl/worksheets/_rels/sheet" + number + ".xml.rels", kinds, targets);
        }
        ChartPart.write(charts, number, workbook);
        if (!notes.isEmpty()) {
            NoteParts.write(notes, number, workbook);
        }
        if (!tableName.isEmpty()) {
            writeTable();
        }
    }

    private static void refer(String kind, String target, List<String> kinds, List<String> targets) {
        kinds.add(kind);
        targets.add(target);
    }

    private String part(String start) {
        return (start.startsWith("..") ? "" : "xl/") + start + number + ".xml";
    }

    private void writeTable() throws IOException {
        StringBuilder table = new StringBuilder("<table xmlns=\"" + Workbook.MAIN + "\" id=\"" + number + "\" name=\""
                + XmlText.attribute(tableName) + "\" displayName=\"" + XmlText.attribute(tableName) + "\" ref=\""
                + filter + "\"><autoFilter ref=\"" + filter + "\"/><tableColumns count=\"" + tableHeads.size()
                + "\">");
        for (int column = 0; column < tableHeads.size(); column++) {
            table.append("<tableColumn id=\"" + (column + 1) + "\" name=\"" + XmlText.attribute(tableHeads.get(column))
                    + "\"/>");
        }
        workbook.part(
                "xl/tables/table" + number + ".xml",
                "spreadsheetml.table",
                table.append("</tableColumns><tableStyleInfo name=\"TableStyleMedium2\" showRowStripes=\"true\""
                                + " showColumnStripes=\"false\"/></table>")
                        .toString());
    }

    /** The names by which spreadsheets know what is printed and filtered. */
    void definedNames(StringBuilder names) {
        if (!printed.isEmpty()) {
            name("Print_Area", printed, false, names);
        }
        if (headOnEachPage) {
            name("Print_Titles", "$1:$1", false, names);
        }
        if (!filter.isEmpty() && tableName.isEmpty()) {
            name("_FilterDatabase", filter.replaceAll("([A-Z]+)(\\d+)", "\\$$1\\$$2"), true, names);
        }
    }

    private void name(String what, String area, boolean isHidden, StringBuilder names) {
        names.append("<definedName name=\"_xlnm." + what + "\" localSheetId=\"" + (number - 1) + "\""
                + (isHidden ? " hidden=\"true\">" : ">") + XmlText.content(quoted(name) + "!" + area)
                + "</definedName>");
    }

    private static String quoted(String sheet) {
        return "'" + sheet.replace("'", "''") + "'";
    }
}
