// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workbooks that no spreadsheet wrote. */
class HostileWorkbookTest {
    private static final String RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        <row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>             | behind column XFD
        <row r="1"><c r="XFE1"><v>1</v></c></row>                | behind column XFD
        <row r="1048577"><c r="A1"><v>1</v></c></row>            | behind 1048576
        <row r="99999999999999999999"><c><v>1</v></c></row>      | behind 1048576
        <row r="1"><c r="A1" t="s"><v>7</v></c></row>            | the shared text 7
        <row r="1"><c r="A1" t="s"><v>-1</v></c></row>           | the shared text -1
        <row r="1"><c r="A1"><v>&bomb;</v></c></row>             | entit
        <row r="1"><c r="A1"><v>1</v></row>                      |
        <row r="1"><c r="A1"><v>1</v></c></row><row r="2         |
        """)
    void sheetsThatNoneCanHaveAreRefusedWithTheReason(String rows, String reason) throws IOException {
        Path file = workbook("", rows);

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(reason == null ? "cannot be read" : reason);
    }

    @Test
    void entitiesAreNotExpanded() throws IOException {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 \"lol\">");
        for (int i = 1; i < 30; i++) {
            bomb.append("<!ENTITY a" + i + " \"" + ("&a" + (i - 1) + ";").repeat(10) + "\">");
        }
        Path file = workbook(bomb + "]>", "<row><c><v>&a29;</v></c></row>");

        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("entities");
    }

    @Test
    void elementsWithoutEndAndTextsThatNoCellHoldsAreRefused() throws IOException {
        assertThatThrownBy(() -> rows(workbook("", "<row><c t='str'><v>a\u000e</v></c></row>")))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("Illegal XML character");
        assertThatThrownBy(() -> rows(workbook("", "<row>".repeat(200)))).hasMessageContaining("levels deep");
        assertThatThrownBy(() -> rows(workbook("", "<row><c><v>" + "9".repeat(300_000) + "</v></c></row>")))
                .hasMessageContaining("characters of a cell");
    }

    /** Each was looked up for each cell, and long ones were written out again for each. */
    @Test
    void formulasCostNothing() throws IOException {
        StringBuilder rows = new StringBuilder();
        String formula = "A1+".repeat(10_000);
        rows.append("<row><c><f t=\"shared\" si=\"0\" ref=\"A1:A30000\">" + formula + "</f><v>0</v></c></row>");
        for (int i = 1; i < 30_000; i++) {
            rows.append("<row><c><f t=\"shared\" si=\"0\"/><v>" + i + "</v></c><c><f t=\"array\" ref=\"B" + i
                    + "\">1</f>" + "<v>1</v></c></row>");
        }

        assertThat(rows(workbook("", rows.toString())))
                .hasSize(30_000)
                .startsWith(List.of("0"), List.of("1", "1"))
                .endsWith(List.of("29999", "1"));
    }

    @Test
    void everyKindOfCellIsRead() throws IOException {
        Path file = workbook(
                "",
                "<row r='3'><c r='B3'"
                        + " t='inlineStr'><is><r><t>a</t></r><rPh><t>no</t></rPh><r><t>b&amp;_x0041_</t></r></is></c><c"
                        + " r='D3' t='b'><v>1</v></c><c t='str'><f>x</f><v>te<!-- -->xt</v></c><c"
                        + " t='e'><v>#N/A</v></c><c><v>1.50</v></c><c t='s'><v>0</v></c><c/></row><row/><row><c"
                        + " t='b'><v>0</v></c></row>");

        assertThat(rows(file))
                .containsExactly(List.of("", "ab&A", "", "true", "text", "", "1.50", "shared one"), List.of("false"));
    }

    @Test
    void aPartThatIsNotThereIsNamed() throws IOException {
        Path file = folder.resolve("empty.xlsx");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("a"));
        }

        assertThatThrownBy(() -> rows(file)).hasMessageContaining("xl/workbook.xml");
    }

    private static List<List<String>> rows(Path file) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (Sheets sheets = new WorkbookFormat().open(file)) {
            assertThat(sheets.names()).containsExactly("One");
            sheets.rows("One", cells -> rows.add(List.copyOf(cells)));
        }
        return rows;
    }

    private Path workbook(String prolog, String rows) throws IOException {
        Path file = folder.resolve("hostile.xlsx");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            part(zip, "_rels/.rels", relation("r1", "officeDocument", "/book/main.xml"));
            part(
                    zip,
                    "book/_rels/main.xml.rels",
                    relation("r1", "worksheet", "../sheets/1.xml") + relation("r2", "sharedStrings", "texts.xml"));
            part(
                    zip,
                    "book/main.xml",
                    "<workbook xmlns:r='" + RELATIONS + "'><sheets><sheet name='One' sheetId='1' r:id='r1'/>"
                            + "<sheet name='One' sheetId='2' r:id='r2'/></sheets></workbook>");
            part(zip, "book/texts.xml", "<sst><si><t>shared one</t></si></sst>");
            part(zip, "sheets/1.xml", prolog + "<worksheet><sheetData>" + rows + "</sheetData></worksheet>");
        }
        return file;
    }

    private static String relation(String id, String type, String target) {
        return "<Relationships xmlns='x'><Relationship Id='" + id + "' Type='" + RELATIONS + "/" + type + "' Target='"
                + target + "'/></Relationships>";
    }

    private static void part(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(
                content.replace("</Relationships><Relationships xmlns='x'>", "").getBytes(UTF_8));
    }
}
