// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.testkit.ReportWriterContract;
import dev.lockstep.testkit.SampleReports;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParquetWriterTest extends ReportWriterContract {
    @Override
    protected ReportWriter writer() {
        return new ParquetWriter();
    }

    @Override
    protected Path target(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    @Override
    protected List<List<String>> read(Path target, Table table) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (Sheets sheets = new ParquetSheets().open(target)) {
            assertThat(sheets.names()).contains(table.name());
            sheets.rows(table.name(), cells -> rows.add(List.copyOf(cells)));
        }
        return rows;
    }

    @Test
    void typesAreThoseOfTheNumbersThatAreShown() throws IOException {
        Schema schema = Schema.of(
                ColumnSpec.count("n", "A count."),
                ColumnSpec.millis("time ms", "A time."),
                ColumnSpec.real("rate", Unit.BYTES_PER_SECOND, Unit.GIGABYTES_PER_SECOND, "A rate."),
                ColumnSpec.bool("good", "Whether."),
                ColumnSpec.json("dims", "Shapes."));
        Table table = new TableBuilder("typed", "Typed", schema)
                .row(9_007_199_254_740_993L, 1_500_000L, 2.5e9, true, "[[1, 2]]")
                .row(null, null, null, false, null)
                .build();
        Path to = target("typed");
        writer().write(SampleReports.of(table), to, CellStyle.PLAIN);
        try (ParquetFile parquet = ParquetFile.open(to.resolve("typed.parquet"))) {
            assertThat(parquet.columns().values()).containsExactly("BIGINT", "DOUBLE", "DOUBLE", "BOOLEAN", "VARCHAR");
            Table back = parquet.table(List.copyOf(parquet.columns().keySet()));
            assertThat(back.longs(0).get(0)).isEqualTo(9_007_199_254_740_993L);
            assertThat(back.doubles(1).get(0)).isEqualTo(1.5);
            assertThat(back.doubles(2).get(0)).isEqualTo(2.5);
            assertThat(back.columns().get(1).isMissing(1)).isTrue();
        }
    }

    @Test
    void headsThatDifferInCapitalsAloneAreNumbered() throws IOException {
        Schema schema = Schema.of(ColumnSpec.millis("A ms", "One."), ColumnSpec.count("a MS", "Another."));
        Table table =
                new TableBuilder("heads", "Heads", schema).row(1_500_000L, 2L).build();
        Path to = target("heads");
        writer().write(SampleReports.of(table), to, CellStyle.PLAIN);
        try (ParquetFile parquet = ParquetFile.open(to.resolve("heads.parquet"))) {
            assertThat(parquet.columns().keySet()).containsExactly("A ms", "a MS_2");
        }
    }

    /** As in the other forms of a report, a number with very many digits stays a number. */
    @Test
    void veryLargeNumbersAreReadBackAsNumbers() throws IOException {
        Schema schema = Schema.of(ColumnSpec.real("x", Unit.NONE, Unit.NONE, "Numbers."));
        Table table = new TableBuilder("large", "Large", schema)
                .row(1e300)
                .row(-2.5e-300)
                .row(Double.NEGATIVE_INFINITY)
                .build();
        Path to = target("large");
        writer().write(SampleReports.of(table), to, CellStyle.PLAIN);
        Table read = ReportFiles.read(to, "x", SheetTable.PLAIN, sheet -> true)
                .tables()
                .getFirst();
        assertThat(read.doubles(0).get(0)).isEqualTo(1e300);
        assertThat(read.doubles(0).get(1)).isEqualTo(-2.5e-300);
        assertThat(read.doubles(0).get(2)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void writtenSheetsAreFinishedReports() throws IOException {
        Table table = SampleReports.everyType("one", 20);
        Path to = Files.createDirectories(target("outer").resolve("parquet"));
        writer().write(SampleReports.of(table), to, CellStyle.PLAIN);
        SheetSet read = ReportFiles.read(folder.resolve("outer"), "x", SheetTable.PLAIN, sheet -> true);
        assertThat(read.tables()).hasSize(1);
        assertThat(read.tables().getFirst().rows()).isEqualTo(20);
    }
}
