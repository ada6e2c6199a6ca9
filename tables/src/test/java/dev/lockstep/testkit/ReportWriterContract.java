// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Report;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every writer of reports must do. A writer's test extends this, says how to make the writer and how to read one of
 * its tables back, and inherits the rest.
 */
public abstract class ReportWriterContract {
    /** What a hostile trace calls its kernels: formulas, markup, quotes, line ends, marks, halves of characters. */
    protected static final List<String> NASTY = List.of(
            "=cmd|'/c calc'!A1,\"x\"\r\n\u202e<script>alert(1)</script>",
            "+1+1",
            "-2+3",
            "@SUM(A1)",
            "\tindented",
            " spaces around ",
            "</script><img src=x onerror=alert(2)>",
            "<!-- & &amp; &#60; ]]>",
            "{\"a\": \"b\"}",
            "line\u2028separator\u2029paragraph",
            "void µ::kernel<日本語, 😀>()",
            "C:\\path\\n",
            "_x0041_");

    @TempDir
    protected Path folder;

    /** The writer to test. */
    protected abstract ReportWriter writer();

    /** Where the writer is to write: a file, or a directory that exists. */
    protected abstract Path target(String name) throws IOException;

    /** The cells of a table that was written, as text; the header is the first row. A missing cell is the empty text. */
    protected abstract List<List<String>> read(Path target, Table table) throws IOException;

    /** How many rows of a large table the output holds. */
    protected int rowsOf(int rows) {
        return rows;
    }

    /** How a cell that holds a character which the format cannot hold comes back. */
    protected String stored(String cell) {
        return cell;
    }

    @Test
    void itsOptionSaysWhatItWrites() {
        assertThat(writer().id()).matches("[a-z][a-z0-9-]*");
        assertThat(writer().help()).matches("Write .*\\.");
        assertThat(writer().ending()).matches("|\\.[a-z0-9.]+");
    }

    @Test
    void anEmptyTableIsWritten() throws IOException {
        Table table = SampleReports.everyType("empty", 0);
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0)).hasSize(table.schema().size()).startsWith("name", "Count");
    }

    @Test
    void aReportWithoutTablesIsWritten() throws IOException {
        write(new Report("Nothing", "", List.of()), CellStyle.PLAIN);
        write(new Report("Nothing", "", List.of()), CellStyle.PYTHON);
    }

    @Test
    void namesComeBackUnchanged() throws IOException {
        Table table = SampleReports.texts("names", NASTY.toArray(String[]::new));
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows).hasSize(NASTY.size() + 1);
        for (int i = 0; i < NASTY.size(); i++) {
            assertThat(rows.get(i + 1).get(0)).isEqualTo(stored(NASTY.get(i)));
        }
    }

    @Test
    void whatNoFormatCanHoldIsReplaced() throws IOException {
        Table table = SampleReports.texts("broken", "half \ud800 of a pair", "\udc00", "nul \0 byte");
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows.get(1).get(0)).isEqualTo("half \ufffd of a pair");
        assertThat(rows.get(2).get(0)).isEqualTo("\ufffd");
        assertThat(rows.get(3).get(0)).startsWith("nul ").endsWith(" byte");
    }

    @Test
    void missingCellsAreEmpty() throws IOException {
        Table table = new TableBuilder("missing", "Missing", SampleReports.EVERY_TYPE)
                .row(null, null, null, null, null, null, false, null, null)
                .row("k", 1, 1500L, 2.5e6, Double.NaN, 7, true, "[]", "null")
                .build();
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        List<String> first = rows.get(1);
        for (int column : new int[] {0, 1, 2, 3, 4, 5, 7, 8}) {
            assertThat(first.get(column))
                    .as(table.schema().get(column).header())
                    .isEmpty();
        }
        assertThat(rows.get(2).get(4)).isEmpty();
        assertThat(new BigDecimal(rows.get(2).get(2))).isEqualByComparingTo("1.5");
        assertThat(new BigDecimal(rows.get(2).get(3))).isEqualByComparingTo("2.5");
    }

    @Test
    void numbersAreShownInTheirUnitWithoutLoss() throws IOException {
        Schema schema = Schema.of(
                ColumnSpec.whole("us", Unit.NANOSECONDS, Unit.MICROSECONDS, "Exact."),
                ColumnSpec.whole("ms", Unit.NANOSECONDS, Unit.MILLISECONDS, "Exact."));
        Table table = new TableBuilder("exact", "Exact", schema)
                .row(1_234_567_890_123L, 1_234_567_890_123L)
                .row(1L, 1L)
                .row(-1_500L, -1_500L)
                .build();
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        String[][] expected = {{"1234567890.123", "1234567.890123"}, {"0.001", "0.000001"}, {"-1.5", "-0.0015"}};
        for (int row = 0; row < expected.length; row++) {
            for (int column = 0; column < 2; column++) {
                assertThat(new BigDecimal(rows.get(row + 1).get(column))).isEqualByComparingTo(expected[row][column]);
            }
        }
    }

    @Test
    void aLargeTableIsWritten() throws IOException {
        Table table = SampleReports.everyType("large", 100_000);
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows).hasSize(rowsOf(100_000) + 1);
        assertThat(rows.get(2).get(0)).isEqualTo(table.strings(0).get(1));
    }

    @Test
    void aVeryLongCellIsWritten() throws IOException {
        String name = "N".repeat(1_000_000);
        Table table = SampleReports.texts("long", name, "😀".repeat(40_000));
        List<List<String>> rows = read(write(SampleReports.of(table), CellStyle.PLAIN), table);

        assertThat(rows.get(1).get(0)).startsWith("N".repeat(1_000));
        assertThat(rows.get(2).get(0)).startsWith("😀😀").doesNotContain("\ufffd");
    }

    @Test
    void aDeepCellIsWritten() throws IOException {
        String deep = "[".repeat(200_000) + "]".repeat(200_000);
        Schema schema = Schema.of(ColumnSpec.arguments("args", "Arguments."), ColumnSpec.json("details", "Details."));
        Table table = new TableBuilder("deep", "Deep", schema).row(deep, deep).build();

        write(SampleReports.of(table), CellStyle.PLAIN);
        write(SampleReports.of(table), CellStyle.PYTHON);
    }

    @Test
    void tablesOfOddOrEqualNamesDoNotCollide() throws IOException {
        Table first = SampleReports.texts("a/b:c", "first");
        Table second = SampleReports.texts("A/B:C", "second");
        Table third = SampleReports.texts("../" + "x".repeat(300), "third");
        Path target = write(SampleReports.of(first, second, third), CellStyle.PLAIN);

        assertThat(files(folder).keySet()).allMatch(file -> file.startsWith(target));
        assertThat(Files.exists(target)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(CellStyle.class)
    void theSameReportGivesTheSameBytes(CellStyle style) throws IOException {
        Path first = target("first");
        Path second = target("second");
        writer().write(SampleReports.everySection(), first, style);
        writer().write(SampleReports.everySection(), second, style);

        assertThat(contents(first)).isEqualTo(contents(second)).isNotEmpty();
    }

    /** Writes a report to a fresh place. */
    protected final Path write(Report report, CellStyle style) throws IOException {
        Path target = target("report-" + style);
        writer().write(report, target, style);
        return target;
    }

    private static List<String> contents(Path target) throws IOException {
        return files(target).entrySet().stream()
                .map(file ->
                        target.relativize(file.getKey()) + ": " + HexFormat.of().formatHex(file.getValue()))
                .toList();
    }

    private static SortedMap<Path, byte[]> files(Path target) throws IOException {
        SortedMap<Path, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(target)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(file, Files.readAllBytes(file));
            }
        }
        return files;
    }
}
