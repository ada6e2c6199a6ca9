// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.testkit.ReportWriterContract;
import dev.lockstep.testkit.SampleReports;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.LeadingColumns;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;

class WorkbookWriterTest extends ReportWriterContract {
    @Override
    protected ReportWriter writer() {
        return new WorkbookWriter();
    }

    @Override
    protected Path target(String name) {
        return folder.resolve(name + ".xlsx");
    }

    @Override
    protected List<List<String>> read(Path target, Table table) throws IOException {
        try (ZipFile zip = new ZipFile(target.toFile())) {
            return inOrderOfTheTable(cells(zip, table.name(), table.schema().size()), table);
        }
    }

    private static List<List<String>> inOrderOfTheTable(List<List<String>> rows, Table table) {
        int[] order = LeadingColumns.of(table.schema());
        List<List<String>> ordered = new ArrayList<>();
        for (List<String> row : rows) {
            String[] cells = new String[row.size()];
            for (int place = 0; place < cells.length; place++) {
                cells[order[place]] = row.get(place);
            }
            ordered.add(Arrays.asList(cells));
        }
        return ordered;
    }

    @Test
    void sheetsLeadWithTheAnswerAndStayReadable() throws IOException {
        Table table = SampleReports.everyType("every", 3);
        try (ZipFile zip =
                new ZipFile(write(SampleReports.of(table), CellStyle.PLAIN).toFile())) {
            assertThat(cells(zip, "every", table.schema().size()).getFirst())
                    .startsWith("name", "Input Dims", "dur_sum (µs)", "Percentage (%)", "Count");
            String sheet = new String(
                    zip.getInputStream(zip.getEntry("xl/worksheets/sheet2.xml")).readAllBytes(),
                    StandardCharsets.UTF_8);
            assertThat(sheet)
                    .contains("xSplit=\"1\"", "ySplit=\"1\"", "orientation=\"landscape\"", "fitToWidth=\"1\"")
                    .contains("fitToPage=\"true\"");
            assertThat(new String(
                            zip.getInputStream(zip.getEntry("xl/workbook.xml")).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("_xlnm.Print_Titles");
        }
        try (ZipFile zip =
                new ZipFile(write(SampleReports.of(table), CellStyle.PYTHON).toFile())) {
            assertThat(cells(zip, "every", table.schema().size()).getFirst()).startsWith("name", "Count");
        }
    }

    /** A reader of workbooks undoes the escape, as the reader of this test does not. */
    @Override
    protected String stored(String cell) {
        return cell.replace("_x0041_", "_x005F_x0041_");
    }

    @Test
    void everyPartIsWellFormedAndNoneHoldsAFormulaOrTheTimeOfDay() throws IOException {
        Table names = SampleReports.texts("names", NASTY.toArray(String[]::new));
        Path target = write(SampleReports.of(names, SampleReports.everyType("t", 20)), CellStyle.PLAIN);

        try (ZipFile zip = new ZipFile(target.toFile())) {
            assertThat(zip.stream()).allSatisfy(entry -> {
                assertThat(entry.getTimeLocal()).isEqualTo(LocalDateTime.of(1980, 1, 2, 0, 0));
                for (XMLStreamReader xml = open(zip, entry.getName()); xml.hasNext(); xml.next()) {
                    if (xml.isStartElement()) {
                        assertThat(xml.getLocalName()).isNotEqualTo("f").isNotEqualTo("created");
                    }
                }
            });
        }
    }

    @Test
    void anOverviewComesFirstInPlainStyleOnly() throws IOException {
        Report report = SampleReports.everySection();

        assertThat(sheets(write(report, CellStyle.PLAIN)))
                .containsExactly("Overview", "Charts", "kernel_summary", "no_rows");
        assertThat(sheets(write(report, CellStyle.PYTHON))).containsExactly("kernel_summary", "no_rows");
    }

    @Test
    void theOverviewExplainsEveryColumn() throws IOException {
        Path target = write(SampleReports.everySection(), CellStyle.PLAIN);
        try (ZipFile zip = new ZipFile(target.toFile())) {
            assertThat(cells(zip, "Overview", 4))
                    .contains(List.of("Performance of rank 0", "", "", ""))
                    .contains(List.of(
                            "kernel_summary", "dur_sum (µs)", "µs", "Time of all runs together; may be missing."));
        }
    }

    @Test
    void aTableThatOutgrowsASheetGoesOnInTheNext() throws IOException {
        Path target = target("split");
        new WorkbookWriter(1_500)
                .write(SampleReports.of(SampleReports.everyType("t", 4_000)), target, CellStyle.PYTHON);

        assertThat(sheets(target)).containsExactly("t", "t (2)", "t (3)");
        try (ZipFile zip = new ZipFile(target.toFile())) {
            assertThat(cells(zip, "t (3)", 9)).hasSize(1_001);
            assertThat(cells(zip, "t (2)", 9).get(1).get(1)).isEqualTo("1500");
        }
    }

    @Test
    void aTableThatOutgrewASheetIsReadBackWhole() throws IOException {
        Path target = target("long");
        String name = "n".repeat(40);
        new WorkbookWriter(1_500)
                .write(
                        SampleReports.of(SampleReports.everyType(name, 16_000), SampleReports.texts("t (2)", "x")),
                        target,
                        CellStyle.PLAIN);

        try (Sheets whole = new WorkbookFormat(1_501).open(target);
                Sheets usual = new WorkbookFormat().open(target)) {
            assertThat(whole.names()).containsExactly("Overview", name.substring(0, 31), "t (2)");
            assertThat(usual.names()).hasSize(13);
            List<List<String>> rows = new ArrayList<>();
            whole.rows(name.substring(0, 31), row -> rows.add(List.copyOf(row)));
            assertThat(rows).hasSize(16_001).doesNotHaveDuplicates();
        }
    }

    @Test
    void cellsAreCutToWhatASpreadsheetHolds() throws IOException {
        Table table = SampleReports.texts("long", "N".repeat(1_000_000), "😀".repeat(40_000), "_x0041_".repeat(4_681));
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows).allSatisfy(row -> assertThat(row.get(0).length()).isLessThanOrEqualTo(32_767));
        assertThat(rows.get(1).get(0)).endsWith("… [cut; 1000000 characters]");
    }

    @Test
    void identifiersKeepAllTheirDigits() throws IOException {
        Table table = new TableBuilder(
                        "ids", "Ids", Schema.of(ColumnSpec.id("id", "An id."), ColumnSpec.count("n", "A count.")))
                .row(9_007_199_254_740_993L, 3)
                .row(17, 4)
                .build();

        assertThat(read(write(SampleReports.of(table), CellStyle.PLAIN), table))
                .containsExactly(List.of("id", "n"), List.of("9007199254740993", "3"), List.of("17", "4"));
    }

    @Test
    void sheetNamesAreThoseThatSpreadsheetsTake() throws IOException {
        Path target = write(
                SampleReports.of(
                        SampleReports.texts("a/b", "x"),
                        SampleReports.texts("A_B", "x"),
                        SampleReports.texts("overview", "x"),
                        SampleReports.texts("'quoted'", "x"),
                        SampleReports.texts("", "x"),
                        SampleReports.texts("history", "x"),
                        SampleReports.texts("n".repeat(40), "x"),
                        SampleReports.texts("n".repeat(41), "x"),
                        SampleReports.texts("m".repeat(30) + "'m", "x")),
                CellStyle.PLAIN);

        assertThat(sheets(target))
                .containsExactly(
                        "Overview",
                        "a_b",
                        "A_B (2)",
                        "overview (2)",
                        "_quoted_",
                        "_",
                        "history_",
                        "n".repeat(31),
                        "n".repeat(27) + " (2)",
                        "m".repeat(30) + "_");
    }

    /** Spreadsheets refuse a workbook whose names do not double them. */
    @Test
    void quotesInNamesOfSheetsAreDoubledWhereTheyAreReferredTo() throws IOException {
        Path target = write(SampleReports.of(SampleReports.texts("rank's kernels", "x")), CellStyle.PLAIN);
        try (ZipFile zip = new ZipFile(target.toFile())) {
            String workbook = new String(
                    zip.getInputStream(zip.getEntry("xl/workbook.xml")).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(workbook).contains("'rank''s kernels'!$1:$1", "'rank''s kernels'!$A$1:");
        }
    }

    @Test
    void theWriterIsFoundAsAService() {
        assertThat(ServiceLoader.load(ReportWriter.class)).hasAtLeastOneElementOfType(WorkbookWriter.class);
    }

    private static List<String> sheets(Path target) throws IOException {
        try (ZipFile zip = new ZipFile(target.toFile())) {
            return List.copyOf(sheets(zip).keySet());
        }
    }

    /** Names and parts of the sheets, in order. */
    private static Map<String, String> sheets(ZipFile zip) throws IOException {
        Map<String, String> parts = new LinkedHashMap<>();
        try {
            for (XMLStreamReader xml = open(zip, "xl/workbook.xml"); xml.hasNext(); xml.next()) {
                if (xml.isStartElement() && xml.getLocalName().equals("sheet")) {
                    parts.put(
                            xml.getAttributeValue(null, "name"),
                            "xl/worksheets/sheet" + xml.getAttributeValue(null, "sheetId") + ".xml");
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        return parts;
    }

    static List<List<String>> cells(ZipFile zip, String sheet, int width) throws IOException {
        String part = sheets(zip).getOrDefault(sheet, "no sheet " + sheet);
        List<String> shared = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        try {
            for (XMLStreamReader xml = open(zip, "xl/sharedStrings.xml"); xml.hasNext(); xml.next()) {
                if (xml.isStartElement() && xml.getLocalName().equals("t")) {
                    shared.add(xml.getElementText());
                }
            }
            String type = "";
            int column = 0;
            XMLStreamReader xml = open(zip, part);
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "row" -> {
                        while (rows.size() < Integer.parseInt(xml.getAttributeValue(null, "r"))) {
                            rows.add(new ArrayList<>(Collections.nCopies(width, "")));
                        }
                    }
                    case "c" -> {
                        type = xml.getAttributeValue(null, "t");
                        column = xml.getAttributeValue(null, "r").charAt(0) - 'A';
                    }
                    case "v" -> {
                        String value = xml.getElementText();
                        rows.getLast().set(column, "s".equals(type) ? shared.get(Integer.parseInt(value)) : value);
                    }
                    case "t" -> rows.getLast().set(column, xml.getElementText());
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        return rows;
    }

    private static XMLStreamReader open(ZipFile zip, String name) throws IOException, XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setProperty("jdk.xml.totalEntitySizeLimit", "0");
        factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", "0");
        InputStream in = zip.getInputStream(zip.getEntry(name));
        return factory.createXMLStreamReader(in, StandardCharsets.UTF_8.name());
    }

    @Test
    void aTableWiderThanASheetIsRefused() {
        List<ColumnSpec> columns = new ArrayList<>();
        for (int column = 0; column <= 16_384; column++) {
            columns.add(ColumnSpec.id("counter" + column, "A counter."));
        }
        Table wide = new TableBuilder("wide", "Wide", new Schema(columns)).build();

        assertThatThrownBy(() -> writer().write(
                                new Report("wide", "", List.of(new Section.TableSection(wide))),
                                target("wide"),
                                CellStyle.PLAIN))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("wide has 16,385 columns, and a sheet of a workbook at most 16,384");
    }
}
