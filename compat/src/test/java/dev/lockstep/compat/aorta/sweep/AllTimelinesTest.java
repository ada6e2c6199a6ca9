// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllTimelinesTest {
    private static SweepSheet sheet(int threads, int channels, double busy) {
        Schema schema = Schema.of(
                ColumnSpec.text("type", "Part."),
                ColumnSpec.real("time ms", Unit.NONE, Unit.NONE, "Time."),
                ColumnSpec.percent("percent", "Share."));
        Table table = new TableBuilder("gpu_timeline", "Timeline", schema)
                .row("total_time", 10.0, 100.0)
                .row("busy_time", busy, 10 * busy)
                .build();
        return new SweepSheet(threads, channels, "perf.xlsx", table);
    }

    private static List<Table> tables(List<SweepSheet> sheets, boolean geometric) {
        StyledWorkbook workbook = AllTimelines.of(sheets, geometric);
        assertThat(workbook).isNotNull();
        return workbook.sheets().stream().map(StyledSheet::table).toList();
    }

    @Test
    void oneZeroTakesTheGeometricMeanDown() {
        List<SweepSheet> ranks = List.of(sheet(256, 28, 5), sheet(256, 28, 5), sheet(256, 28, 0), sheet(256, 28, 5));
        Table data = tables(ranks, true).getFirst();

        assertThat(data.strings(6).get(0)).isEqualTo("busy_time");
        assertThat(data.shown(7, 0)).isCloseTo(0.010573712634405642, within(1e-12));
        assertThat(tables(ranks, false).getFirst().shown(7, 0)).isEqualTo(3.75);
    }

    @Test
    void rowsStandByNumbersAndColumnsOfPivotsByTexts() {
        List<SweepSheet> ranks = List.of(sheet(1024, 28, 1), sheet(256, 28, 2), sheet(256, 112, 3));
        List<Table> tables = tables(ranks, false);

        List<String> rows = new ArrayList<>();
        for (int row = 0; row < tables.getFirst().rows(); row++) {
            rows.add(tables.getFirst().strings(0).get(row) + " "
                    + tables.getFirst().strings(6).get(row));
        }
        assertThat(rows)
                .containsExactly(
                        "256thread_28ch busy_time",
                        "256thread_28ch total_time",
                        "256thread_112ch busy_time",
                        "256thread_112ch total_time",
                        "1024thread_28ch busy_time",
                        "1024thread_28ch total_time");
        assertThat(tables.get(1).schema().columns().stream().map(ColumnSpec::header))
                .containsExactly("type", "1024thread_28ch", "256thread_112ch", "256thread_28ch");
    }

    @Test
    void ranksThatCannotBeReadAreCounted() {
        Table data = tables(List.of(sheet(256, 28, 2), new SweepSheet(256, 28, "perf.xlsx", null)), false)
                .getFirst();

        assertThat(data.longs(5).get(0)).isEqualTo(2);
        assertThat(data.shown(7, 0)).isEqualTo(2);
    }

    @Test
    void withoutReportsThereIsNoWorkbook() {
        assertThat(AllTimelines.of(List.of(), false)).isNull();
    }
}
