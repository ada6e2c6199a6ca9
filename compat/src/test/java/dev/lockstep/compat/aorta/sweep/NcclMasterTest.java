// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NcclMasterTest {
    private static final List<String> NUMBERS =
            List.of("comm_latency", "skew in start time", "skew in end time", "algo bw (GB/s)", "bus bw (GB/s)");

    private static SweepSheet sheet(int threads, int channels, String group, double... sizes) {
        List<ColumnSpec> columns = new ArrayList<>(List.of(
                ColumnSpec.text("Collective name", "Name."),
                ColumnSpec.text("dtype", "Type."),
                ColumnSpec.count("In msg nelems", "Elements."),
                ColumnSpec.text("Process Group Name", "Group."),
                ColumnSpec.count("Group size", "Size."),
                ColumnSpec.real("Full msg size (MB)", Unit.NONE, Unit.NONE, "Size.")));
        for (String number : NUMBERS) {
            for (String statistic : List.of("mean", "median", "min", "max")) {
                columns.add(ColumnSpec.real(number + "_" + statistic, Unit.NONE, Unit.NONE, "Number."));
            }
        }
        columns.add(ColumnSpec.count("count", "Count."));
        columns.add(ColumnSpec.real("Total comm latency (ms)", Unit.NONE, Unit.NONE, "Sum."));
        TableBuilder table = new TableBuilder("nccl_summary_implicit_sync", "Collectives", new Schema(columns));
        for (double size : sizes) {
            @Nullable Object[] row = new Object[columns.size()];
            row[0] = "allreduce";
            row[1] = "Float";
            row[2] = 1L;
            row[3] = group;
            row[4] = 4L;
            row[5] = size;
            for (int i = 6; i < row.length; i++) {
                row[i] = columns.get(i).type() == ColumnType.LONG ? (Object) 2L : (Object) 1.0;
            }
            table.row(row);
        }
        return new SweepSheet(threads, channels, "collective_" + channels + "ch.xlsx", table.build());
    }

    private static Table of(SweepSheet... sheets) {
        Table table = NcclMaster.of(List.of(sheets));
        assertThat(table).isNotNull();
        return table;
    }

    private static List<String> column(Table table, int column) {
        List<String> cells = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            cells.add(table.strings(column).get(row));
        }
        return cells;
    }

    @Test
    void operationsAreKnownBySizeAlone() {
        Table table = of(sheet(256, 28, "0", 12, 0.00390625, 12, 100), sheet(512, 28, "0", 6));

        assertThat(table.schema().size()).isEqualTo(36);
        assertThat(column(table, 0)).containsExactly("OP_01", "OP_02", "OP_03", "OP_03", "OP_04");
        assertThat(column(table, 1))
                .containsExactly("tiny_3.906KB", "medium_6.00MB", "medium_12.00MB", "medium_12.00MB", "large_100.00MB");
        assertThat(column(table, 8))
                .containsExactly(
                        "256thread_28ch", "512thread_28ch", "256thread_28ch", "256thread_28ch", "256thread_28ch");
    }

    @Test
    void namesOfGroupsThatAreAllNumbersBecomeNumbers() {
        assertThat(of(sheet(256, 28, "0", 1)).schema().get(34).type()).isEqualTo(ColumnType.LONG);
        Table mixed = of(sheet(256, 28, "0", 1), sheet(512, 28, "default", 1));
        assertThat(column(mixed, 34)).containsExactly("0", "default");
    }

    @Test
    void reportsThatLackAColumnAreRefused() {
        Schema schema = Schema.of(ColumnSpec.real("Full msg size (MB)", Unit.NONE, Unit.NONE, "Size."));
        Table table = new TableBuilder("nccl_summary_implicit_sync", "Collectives", schema)
                .row(1.0)
                .build();

        assertThatThrownBy(() -> of(new SweepSheet(256, 28, "collective_28ch.xlsx", table)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("In msg nelems");
    }

    @Test
    void withoutReportsThereIsNoTable() {
        assertThat(NcclMaster.of(List.of(new SweepSheet(256, 28, "collective_28ch.xlsx", null))))
                .isNull();
    }
}
