// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.ColorScale.Stop;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StyledWorkbookFileTest {
    private static final ColorScale OPEN =
            new ColorScale(1, new Stop(Double.NaN, "F8696B"), new Stop(0, "FFFFFF"), new Stop(Double.NaN, "63BE7B"));

    @TempDir
    private Path folder;

    private static Table table(String name) {
        Schema schema = Schema.of(
                ColumnSpec.text("type", "What."),
                ColumnSpec.whole("0", Unit.NANOSECONDS, Unit.MILLISECONDS, "Time on rank 0."),
                ColumnSpec.percent("percent_change", "Change."));
        return new TableBuilder(name, name, schema)
                .row("busy", 1_500_000, -2.5)
                .row("idle", null, Double.POSITIVE_INFINITY)
                .build();
    }

    @Test
    void framesHaveBoldBorderedHeadsAndNumbersForHeadsThatAreNumbers() throws IOException {
        Path file = write("a", StyledSheet.of(table("Per_Rank"), Look.INDEXED_FRAME));

        assertThat(part(file, "xl/worksheets/sheet1.xml")).contains("<v>0</v>").contains("<v>1.5</v>");
        assertThat(part(file, "xl/styles.xml"))
                .contains("<b/>")
                .contains("thin")
                .contains("center");
        Table read = read(file, "Per_Rank");
        assertThat(read.schema().columns().stream().map(ColumnSpec::header))
                .containsExactly("type", "0", "percent_change");
        assertThat(read.shown(1, 0)).isEqualTo(1.5);
        assertThat(read.columns().get(1).isMissing(1)).isTrue();
        assertThat(read.shown(2, 1)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void coloursTablesAndHiddenSheetsAreThere() throws IOException {
        Path file = write(
                "b",
                StyledSheet.of(table("GPU_Cmp"), Look.FRAME).colored(OPEN).asExcelTable("GPU_Cmp"),
                StyledSheet.of(table("Raw"), Look.FRAME).asHidden());

        assertThat(part(file, "xl/worksheets/sheet1.xml"))
                .contains("<conditionalFormatting sqref=\"B2:B3\"")
                .contains("FFF8696B")
                .contains("type=\"max\"")
                .contains("t=\"s\" s=\"1\"><v>1</v>");
        assertThat(part(file, "xl/tables/table1.xml"))
                .contains("displayName=\"GPU_Cmp\"")
                .contains("ref=\"A1:C3\"")
                .contains("TableStyleMedium2")
                .contains("<autoFilter ref=\"A1:C3\"")
                .contains("name=\"0\"");
        assertThat(part(file, "xl/workbook.xml")).containsPattern("name=\"Raw\"[^>]*state=\"hidden\"");
    }

    @Test
    void aScaleMayColourSomeRowsWithFixedEnds() throws IOException {
        ColorScale scale =
                new ColorScale(2, 1, 2, new Stop(-10, "5B9BD5"), new Stop(0, "FFFFFF"), new Stop(10, "F4A460"));

        Path file = write("c", StyledSheet.of(table("t"), Look.REPORT).colored(scale));

        assertThat(part(file, "xl/worksheets/sheet1.xml"))
                .contains("<conditionalFormatting sqref=\"C3\"")
                .contains("val=\"-10.0\"")
                .contains("val=\"10.0\"")
                .contains("state=\"frozen\"");
        assertThat(part(file, "xl/comments1.xml")).contains("[ms] Time on rank 0.");
    }

    @Test
    void numbersHaveAFormatAlsoWhereEachRowHasItsOwnUnit() throws IOException {
        Schema schema = Schema.of(
                ColumnSpec.text("unit", "Of the row."), ColumnSpec.real("run", Unit.OF_ROW, Unit.OF_ROW, "The value."));
        Table mixed = new TableBuilder("dashboard", "dashboard", schema)
                .row("ms", 1234.5)
                .row("GB/s", 0.25)
                .build();

        Path file = write("h", StyledSheet.of(mixed, Look.REPORT));

        assertThat(part(file, "xl/styles.xml")).contains("formatCode=\"#,##0.000\"");
    }

    @Test
    void equalWorkbooksGiveEqualBytes() throws IOException, InterruptedException {
        StyledSheet[] decorated = {StyledSheet.of(table("t"), Look.REPORT).colored(OPEN)};
        StyledSheet[] flat = {StyledSheet.of(table("t"), Look.FRAME)};
        Path first = write("d", decorated);
        Path plain = write("e", flat);
        Thread.sleep(1100);

        assertThat(write("f", decorated)).hasSameBinaryContentAs(first);
        assertThat(write("g", flat)).hasSameBinaryContentAs(plain);
        assertThat(part(first, "docProps/core.xml")).doesNotContain("created");
    }

    private Path write(String name, StyledSheet... sheets) throws IOException {
        Path file = folder.resolve(name + ".xlsx");
        new StyledWorkbookFile().write(new StyledWorkbook(List.of(sheets)), file);
        assertThat(Files.size(file)).isPositive();
        return file;
    }

    private static Table read(Path file, String sheet) throws IOException {
        try (Sheets sheets = new WorkbookFormat().open(file)) {
            return SheetTable.PLAIN.read(sheets, sheet, "test", head -> true);
        }
    }

    private static String part(Path file, String name) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile());
                InputStream in = zip.getInputStream(zip.getEntry(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
