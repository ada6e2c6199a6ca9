// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.NamedFiles;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A workbook that is written sheet by sheet: SpreadsheetML, ECMA-376 part 1, chapter 18, in a package of part 2. Equal calls
 * give equal bytes: no part holds the time of day, and all have one time stamp. Texts that sheets share stay in memory until it is
 * closed. Confined to one thread.
 */
final class Workbook implements Closeable {
    static final int MOST_ROWS = 1 << 20;
    static final int MOST_COLUMNS = 1 << 14;
    static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    static final String RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

    private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/";
    private static final String TYPE = "application/vnd.openxmlformats-officedocument.";
    private static final int COMPRESSION = 2;

    /** Later than the earliest time of the format: that one would be written a second time, in the machine's time zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 2, 0, 0);

    private static final String PROPERTIES = "<cp:coreProperties xmlns:cp=\"" + PACKAGE
            + "metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
            + "<dc:creator>Lockstep</dc:creator></cp:coreProperties>";
    private static final String APPLICATION =
            "<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\">"
                    + "<Application>Lockstep</Application></Properties>";

    private final CellLooks looks = new CellLooks();
    private final ZipOutputStream zip;
    private final StringBuilder types = new StringBuilder();
    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private final List<Worksheet> sheets = new ArrayList<>();
    private long textCells;
    private boolean complete;

    Workbook(Path target) throws IOException {
        zip = new ZipOutputStream(new BufferedOutputStream(NamedFiles.out(target), 1 << 16));
        zip.setLevel(COMPRESSION);
    }

    /**
     * A further sheet. Sheets are written one after the other: the one before is finished.
     *
     * @param name as {@link SheetText#name} makes it
     */
    Worksheet sheet(String name) {
        Worksheet sheet = new Worksheet(this, name, sheets.size() + 1);
        sheets.add(sheet);
        return sheet;
    }

    int look(CellLook look) {
        return looks.number(look);
    }

    /** The number of a text among those that sheets share. */
    int text(String text) {
        textCells++;
        Integer known = texts.putIfAbsent(text, texts.size());
        return known == null ? texts.size() - 1 : known;
    }

    /**
     * Writes a part whole.
     *
     * @param type what it is, in the words of the package; empty for what its ending tells
     */
    void part(String name, String type, String xml) throws IOException {
        begin(name, type);
        write(XmlText.DECLARATION);
        write(xml);
        zip.closeEntry();
    }

    /** Says that what is written next is a part of an office document. */
    void begin(String name, String type) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        if (!type.isEmpty()) {
            String whole = type.startsWith("application/") ? type : TYPE + type + "+xml";
            types.append("<Override PartName=\"/" + name + "\" ContentType=\"" + whole + "\"/>");
        }
    }

    void write(CharSequence xml) throws IOException {
        zip.write(xml.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Says that a part is at its end. */
    void end() throws IOException {
        zip.closeEntry();
    }

    /** Writes what a part refers to: kinds and targets, numbered from {@code rId1}. */
    void relations(String name, List<String> kinds, List<String> targets) throws IOException {
        StringBuilder xml = new StringBuilder("<Relationships xmlns=\"" + PACKAGE + "relationships\">");
        for (int i = 0; i < kinds.size(); i++) {
            String kind = kinds.get(i).contains(":") ? kinds.get(i) : RELATIONS + "/" + kinds.get(i);
            xml.append("<Relationship Id=\"rId" + (i + 1) + "\" Type=\"" + kind + "\" Target=\"" + targets.get(i)
                    + "\"/>");
        }
        part(name, "", xml.append("</Relationships>").toString());
    }

    /** Says that all sheets are there: only then {@link #close} makes a workbook of them. */
    void complete() {
        complete = true;
    }

    @Override
    public void close() throws IOException {
        try (zip) {
            if (complete) {
                finish();
            }
        }
    }

    private void finish() throws IOException {
        StringBuilder list = new StringBuilder();
        StringBuilder names = new StringBuilder();
        List<String> kinds = new ArrayList<>(List.of("sharedStrings", "styles"));
        List<String> targets = new ArrayList<>(List.of("sharedStrings.xml", "styles.xml"));
        for (Worksheet sheet : sheets) {
            kinds.add("worksheet");
            targets.add("worksheets/sheet" + sheet.number() + ".xml");
            list.append("<sheet name=\"" + XmlText.attribute(sheet.name()) + "\" sheetId=\"" + sheet.number()
                    + "\" r:id=\"rId" + kinds.size() + "\"" + (sheet.isHidden() ? " state=\"hidden\"/>" : "/>"));
            sheet.definedNames(names);
        }
        part(
                "xl/workbook.xml",
                "spreadsheetml.sheet.main",
                "<workbook xmlns=\"" + MAIN + "\" xmlns:r=\"" + RELATIONS
                        + "\"><workbookPr date1904=\"false\"/><bookViews><workbookView activeTab=\"0\"/></bookViews>"
                        + "<sheets>" + list + "</sheets>"
                        + (names.isEmpty() ? "" : "<definedNames>" + names + "</definedNames>") + "</workbook>");
        relations("xl/_rels/workbook.xml.rels", kinds, targets);
        part("xl/styles.xml", "spreadsheetml.styles", looks.xml());
        shared();
        part("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml", PROPERTIES);
        part("docProps/app.xml", "extended-properties", APPLICATION);
        relations(
                "_rels/.rels",
                List.of("officeDocument", PACKAGE + "relationships/metadata/core-properties", "extended-properties"),
                List.of("xl/workbook.xml", "docProps/core.xml", "docProps/app.xml"));
        part(
                "[Content_Types].xml",
                "",
                "<Types xmlns=\"" + PACKAGE + "content-types\"><Default Extension=\"rels\" ContentType=\""
                        + "application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\""
                        + " ContentType=\"application/xml\"/><Default Extension=\"vml\" ContentType=\"" + TYPE
                        + "vmlDrawing\"/>" + types + "</Types>");
    }

    private void shared() throws IOException {
        begin("xl/sharedStrings.xml", "spreadsheetml.sharedStrings");
        StringBuilder xml = new StringBuilder(XmlText.DECLARATION + "<sst xmlns=\"" + MAIN + "\" count=\"" + textCells
                + "\" uniqueCount=\"" + texts.size() + "\">");
        for (String text : texts.keySet()) {
            xml.append("<si><t xml:space=\"preserve\">");
            XmlText.content(text, xml);
            xml.append("</t></si>");
            if (xml.length() > 1 << 16) {
                write(xml);
                xml.setLength(0);
            }
        }
        write(xml.append("</sst>"));
        end();
    }
}
