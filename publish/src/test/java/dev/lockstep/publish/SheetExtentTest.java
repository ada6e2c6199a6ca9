// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.ColorScale.Stop;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Readers that go row by row believe what a sheet says of its extent, and drop what lies beyond. */
class SheetExtentTest {
    private static final Pattern EXTENT = Pattern.compile("A1(?::([A-Z]+)(\\d+))?");

    @TempDir
    private Path folder;

    /** A table of numbers, each of which tells its place. */
    private static Table table(String name, int rows, int columns) {
        Schema schema = Schema.of(IntStream.range(0, columns)
                .mapToObj(i -> ColumnSpec.count("c" + i, "A number."))
                .toArray(ColumnSpec[]::new));
        TableBuilder builder = new TableBuilder(name, name, schema);
        for (int row = 0; row < rows; row++) {
            long first = row * 1_000L;
            builder.row(IntStream.range(0, columns).mapToObj(i -> first + i).toArray());
        }
        return builder.build();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, A1",
        "0, 3, A1:C1",
        "2, 1, A1:A3",
        "1, 26, A1:Z2",
        "1, 27, A1:AA2",
        "3, 703, A1:AAA4",
        "5000, 4, A1:D5001"
    })
    void aReaderThatTrustsTheExtentSeesAll(int rows, int columns, String extent) throws IOException {
        Table table = table("t", rows, columns);
        Path python = folder.resolve("python.xlsx");
        new WorkbookWriter().write(new Report("r", "s", List.of(new TableSection(table))), python, CellStyle.PYTHON);
        Path plain = folder.resolve("plain.xlsx");
        new WorkbookWriter().write(new Report("r", "s", List.of(new TableSection(table))), plain, CellStyle.PLAIN);
        Path flat = folder.resolve("flat.xlsx");
        new StyledWorkbookFile().write(new StyledWorkbook(List.of(StyledSheet.of(table, Look.FRAME))), flat);

        assertThat(extent(python, 1)).isEqualTo(extent);
        for (Path file : List.of(python, flat)) {
            assertThat(trusting(file, 1)).isEqualTo(cells(table));
        }
        assertThat(trusting(plain, 2)).isEqualTo(cells(table));
        assertThat(trusting(plain, 1))
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(row).hasSize(4));
    }

    @Test
    void sheetsThatGoOnSayEachHowFarTheyReach() throws IOException {
        Path file = folder.resolve("long.xlsx");
        new WorkbookWriter(4)
                .write(new Report("r", "s", List.of(new TableSection(table("t", 10, 2)))), file, CellStyle.PYTHON);

        assertThat(List.of(extent(file, 1), extent(file, 2), extent(file, 3)))
                .containsExactly("A1:B5", "A1:B5", "A1:B3");
    }

    @Test
    void colouredSheetsDoToo() throws IOException {
        Path file = folder.resolve("coloured.xlsx");
        ColorScale scale = new ColorScale(
                1, new Stop(Double.NaN, "F8696B"), new Stop(0, "FFFFFF"), new Stop(Double.NaN, "63BE7B"));
        Table table = table("t", 3, 2);
        new StyledWorkbookFile()
                .write(
                        new StyledWorkbook(List.of(new StyledSheet(table, Look.FRAME, false, null, List.of(scale)))),
                        file);

        assertThat(trusting(file, 1)).isEqualTo(cells(table));
    }

    private static List<List<String>> cells(Table table) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(table.schema().columns().stream().map(ColumnSpec::header).toList());
        for (int row = 0; row < table.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < table.schema().size(); column++) {
                cells.add(Long.toString(Math.round(table.shown(column, row))));
            }
            rows.add(cells);
        }
        return rows;
    }

    private static String extent(Path file, int sheet) throws IOException {
        List<String> found = new ArrayList<>();
        walk(file, sheet, (name, xml) -> {
            if (name.equals("dimension")) {
                found.add(xml.getAttributeValue(null, "ref"));
            }
        });
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** The rows and columns that lie in the extent, and no others; texts of the pool are looked up. */
    private static List<List<String>> trusting(Path file, int sheet) throws IOException {
        Matcher extent = EXTENT.matcher(extent(file, sheet));
        assertThat(extent.matches()).isTrue();
        int columns = extent.group(1) == null ? 1 : number(extent.group(1));
        int last = extent.group(2) == null ? 1 : Integer.parseInt(extent.group(2));
        List<String> pool = new ArrayList<>();
        walk(file, 0, (name, xml) -> {
            if (name.equals("t")) {
                pool.add(text(xml));
            }
        });
        List<List<String>> rows = new ArrayList<>();
        int[] at = {0, 0};
        @Nullable String[] type = {null};
        walk(file, sheet, (name, xml) -> {
            if (name.equals("c")) {
                Matcher place = Pattern.compile("([A-Z]+)(\\d+)").matcher(xml.getAttributeValue(null, "r"));
                assertThat(place.matches()).isTrue();
                at[0] = Integer.parseInt(place.group(2));
                at[1] = number(place.group(1));
                type[0] = xml.getAttributeValue(null, "t");
                while (rows.size() < Math.min(at[0], last)) {
                    rows.add(new ArrayList<>(java.util.Collections.nCopies(columns, "")));
                }
            } else if ((name.equals("v") || name.equals("t")) && at[0] <= last && at[1] <= columns && at[0] > 0) {
                String value = text(xml);
                rows.get(at[0] - 1)
                        .set(at[1] - 1, "s".equals(type[0]) ? pool.get(Integer.parseInt(value)) : whole(value));
            }
        });
        return rows;
    }

    private static String whole(String value) {
        return value.endsWith(".0") ? value.substring(0, value.length() - 2) : value;
    }

    private static int number(String letters) {
        return letters.chars().reduce(0, (sum, letter) -> sum * 26 + letter - 'A' + 1);
    }

    private static String text(XMLStreamReader xml) {
        try {
            return xml.getElementText();
        } catch (XMLStreamException e) {
            throw new AssertionError(e);
        }
    }

    private interface Element {
        void at(String name, XMLStreamReader xml);
    }

    /** Calls for each element of a sheet, of the pool of texts for sheet 0. */
    private static void walk(Path file, int sheet, Element element) throws IOException {
        String part = sheet == 0 ? "xl/sharedStrings.xml" : "xl/worksheets/sheet" + sheet + ".xml";
        try (ZipFile zip = new ZipFile(file.toFile());
                InputStream in = zip.getInputStream(zip.getEntry(part))) {
            XMLStreamReader xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT) {
                    element.at(xml.getLocalName(), xml);
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
    }
}
