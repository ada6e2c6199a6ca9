// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFolderTest {
    @TempDir
    private Path folder;

    @Test
    void quotedCellsHoldCommasQuotesAndLineEnds() throws IOException {
        assertThat(rows("\ufeffa,b\r\n\"x,\"\"y\"\"\nz\",2\r\n\n,\n"))
                .containsExactly(List.of("a", "b"), List.of("x,\"y\"\nz", "2"), List.of("", ""));
    }

    @Test
    void lastLineNeedsNoEnd() throws IOException {
        assertThat(rows("a,b\n1,\"2\"")).containsExactly(List.of("a", "b"), List.of("1", "2"));
    }

    @Test
    void openQuoteIsAnErrorWithItsLine() {
        assertThatThrownBy(() -> rows("a\n1\n\"2\n3"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("line 3: a quoted cell is never closed");
    }

    @Test
    void binaryContentIsAnError() {
        assertThatThrownBy(() -> rows("a\n\0\n"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void columnsAreWhatAllTheirCellsAre() throws IOException {
        Table table = table("n,x,t,b,m,e\n1,1,a,True,true,\n-2,2.5,1,false,,\n,1e-3,,TRUE,false,\n");

        assertThat(table.schema().columns())
                .extracting(c -> c.type())
                .containsExactly(
                        ColumnType.LONG,
                        ColumnType.DOUBLE,
                        ColumnType.STRING,
                        ColumnType.BOOL,
                        ColumnType.STRING,
                        ColumnType.STRING);
        assertThat(table.longs(0).isMissing(2)).isTrue();
        assertThat(table.doubles(1).get(2)).isEqualTo(1e-3);
        assertThat(table.strings(2).get(1)).isEqualTo("1");
        assertThat(table.bools(3).get(0)).isTrue();
    }

    @Test
    void wholeNumbersKeepAllTheirDigits() throws IOException {
        Table table = table("start,least,big\n1767189312000000123,-9223372036854775807,12345678901234567890\n"
                + "9223372036854775807,2,2\n");

        assertThat(table.longs(0).get(0)).isEqualTo(1_767_189_312_000_000_123L);
        assertThat(table.longs(0).get(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(table.longs(1).get(0)).isEqualTo(-Long.MAX_VALUE);
        assertThat(table.schema().get(2).type()).isEqualTo(ColumnType.DOUBLE);
        assertThat(table("edge\n-9223372036854775808\n9223372036854775808\n")
                        .schema()
                        .get(0)
                        .type())
                .isEqualTo(ColumnType.DOUBLE);
    }

    @Test
    void namesOfDigitsWithLeadingZerosStayTexts() throws IOException {
        Table table = table("group,time\n007,0.5\n7,-0.25\n");

        assertThat(table.strings(0).get(0)).isEqualTo("007");
        assertThat(table.strings(0).get(1)).isEqualTo("7");
        assertThat(table.doubles(1).get(1)).isEqualTo(-0.25);
        try (Sheets sheets = new CsvFolder().open(folder)) {
            assertThat(SheetTable.PANDAS
                            .read(sheets, "s", "test", head -> true)
                            .doubles(0)
                            .get(0))
                    .isEqualTo(7);
        }
    }

    @Test
    void aRowOfAnEmptyCellInQuotesIsARow() throws IOException {
        assertThat(rows("a\n\"\"\n\nb\n\"\"\n")).containsExactly(List.of("a"), List.of(""), List.of("b"), List.of(""));
    }

    @Test
    void spellingsOfMissingCellsAreAChoice() throws IOException {
        Files.writeString(folder.resolve("s.csv"), "a,b\nnan,1\nx,None\n");
        try (Sheets sheets = new CsvFolder().open(folder)) {
            Table table = new SheetTable(Set.of("nan", "None")).read(sheets, "s", "test", head -> true);

            assertThat(table.strings(0).get(0)).isNull();
            assertThat(table.longs(1).isMissing(1)).isTrue();
        }
    }

    @Test
    void columnsOfOneHeadAreNumbered() throws IOException {
        Table table = table("a,a,b,a_2\n1,2,3,4\n");

        assertThat(table.schema().columns().stream().map(ColumnSpec::header)).containsExactly("a", "a_2", "b", "a_2_2");
        assertThat(table.longs(1).get(0)).isEqualTo(2);
    }

    @Test
    void rowLongerThanTheHeadIsAnError() {
        assertThatThrownBy(() -> table("a,b\n1,2,3\n"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("row 1 has 3 cells, its head 2");
    }

    @Test
    void sheetWithoutAHeadIsAnEmptyTable() throws IOException {
        assertThat(table("\n").schema().size()).isZero();
    }

    @Test
    void csvFolderInsideAReportIsFound() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("csv"));
        Files.writeString(inner.resolve("b.csv"), "x\n1\n");
        Files.writeString(inner.resolve("a.csv"), "x\n1\n");

        assertThat(new CsvFolder().recognises(folder)).isTrue();
        try (Sheets sheets = new CsvFolder().open(folder)) {
            assertThat(sheets.names()).containsExactly("a", "b");
        }
    }

    private Table table(String text) throws IOException {
        Files.writeString(folder.resolve("s.csv"), text);
        try (Sheets sheets = new CsvFolder().open(folder)) {
            return SheetTable.PLAIN.read(sheets, "s", "test", head -> true);
        }
    }

    private List<List<String>> rows(String text) throws IOException {
        Path file = folder.resolve("one.csv");
        Files.writeString(file, text);
        List<List<String>> rows = new ArrayList<>();
        try (Sheets sheets = new CsvFolder().open(file)) {
            sheets.rows("one", row -> rows.add(List.copyOf(row)));
        }
        return rows;
    }
}
