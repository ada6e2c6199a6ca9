// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.write.LeadingColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sheets are read from the left: what a row is about, then its time. */
class LeadingColumnsTest {
    private static final Set<Unit> TIMES = Set.of(Unit.NANOSECONDS, Unit.MICROSECONDS, Unit.MILLISECONDS, Unit.SECONDS);

    @Test
    void timeIsAmongTheFirstFourColumnsOfEverySheetThatHasTime() {
        Report report = PerformanceReport.of(
                SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2).withMemory(MemoryPlan.plain()), 0),
                ReportOptions.standard());
        List<String> late = new ArrayList<>();
        for (Table table : report.tables()) {
            int[] order = LeadingColumns.of(table.schema());
            assertThat(Arrays.stream(order).sorted().toArray())
                    .as("every column once")
                    .isEqualTo(IntStream.range(0, table.schema().size()).toArray());
            boolean has = table.schema().columns().stream().anyMatch(LeadingColumnsTest::isTime);
            boolean soon = Arrays.stream(order)
                    .limit(4)
                    .anyMatch(i -> isTime(table.schema().get(i)));
            if (has && !soon) {
                late.add(table.name());
            }
        }
        assertThat(late).isEmpty();
        assertThat(report.tables()).hasSizeGreaterThan(20);
    }

    @Test
    void whatWhichTimeShareRoofAndCountLead() {
        Schema schema = Schema.of(
                ColumnSpec.id("UID", "x"),
                ColumnSpec.text("name", "x"),
                ColumnSpec.count("Count", "x"),
                ColumnSpec.micros("first start", "x"),
                ColumnSpec.json("Input dims", "x"),
                ColumnSpec.percent("Pct Roofline_mean", "x"),
                ColumnSpec.micros("Kernel Time_sum", "x"),
                ColumnSpec.percent("share", "x"));
        assertThat(LeadingColumns.of(schema)).containsExactly(1, 4, 6, 7, 5, 2, 0, 3);
        assertThat(LeadingColumns.of(Schema.of())).isEmpty();
        assertThat(LeadingColumns.of(Schema.of(
                        ColumnSpec.id("rank", "x"), ColumnSpec.text("node", "x"), ColumnSpec.micros("cost us", "x"))))
                .as("rows about ranks")
                .containsExactly(0, 2, 1);
        assertThat(LeadingColumns.of(Schema.of(
                        ColumnSpec.text("device", "x"),
                        ColumnSpec.json("dims", "x"),
                        ColumnSpec.text("owner", "x"),
                        ColumnSpec.micros("time us", "x"))))
                .startsWith(2, 1, 3);
        assertThat(LeadingColumns.of(Schema.of(
                        ColumnSpec.text("device", "x"),
                        ColumnSpec.text("step", "x"),
                        ColumnSpec.real("start bytes", Unit.BYTES, Unit.BYTES, "x"),
                        ColumnSpec.real("peak bytes", Unit.BYTES, Unit.BYTES, "x"),
                        ColumnSpec.micros("peak at us", "x"))))
                .as("how much, not when")
                .containsExactly(0, 1, 3, 4, 2);
    }

    private static boolean isTime(ColumnSpec column) {
        return TIMES.contains(column.shown())
                && (column.type() == ColumnType.LONG || column.type() == ColumnType.DOUBLE);
    }
}
