// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Durations of device events by name and kind. */
record KernelBreakdown() implements HtaSheet {
    private static final int KINDS = HtaKind.values().length;
    private static final int KIND = 1 + DurationStatistics.COLUMNS.size();
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        List<ColumnSpec> columns = new ArrayList<>();
        columns.add(ColumnSpec.text("name", "Name of the device event."));
        columns.addAll(DurationStatistics.COLUMNS);
        columns.add(ColumnSpec.text("kernel_type", "What it is for: COMPUTATION, COMMUNICATION or MEMORY."));
        columns.add(RANK);
        return new Schema(columns);
    }

    @Override
    public Table table(HtaEvents events) {
        Trace trace = events.trace();
        DurationStatistics statistics = new DurationStatistics();
        for (boolean again : new boolean[] {false, true}) {
            for (int e = 0; e < events.devices(); e++) {
                int kind = events.kind(e).ordinal();
                if (kind == HtaKind.OTHER.ordinal()) {
                    continue;
                }
                int slice = events.slice(e);
                long key = (long) trace.slices().name(slice) * KINDS + kind;
                if (again) {
                    statistics.addSquare(key, events.duration(slice));
                } else {
                    statistics.add(key, events.duration(slice));
                }
            }
        }
        TableBuilder table = new TableBuilder("hta_kernel_breakdown", "Kernels by name", SCHEMA);
        IntStream.range(0, statistics.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(g -> -statistics.sum(g))
                        .thenComparing(g -> name(trace, statistics, g))
                        .thenComparingLong(g -> statistics.key(g) % KINDS))
                .forEach(group -> {
                    Object[] row = new Object[SCHEMA.size()];
                    row[0] = name(trace, statistics, group);
                    statistics.put(group, row, 1);
                    row[KIND] =
                            HtaKind.of((byte) (statistics.key(group) % KINDS)).name();
                    row[KIND + 1] = events.rank();
                    table.row(row);
                });
        return table.build();
    }

    private static String name(Trace trace, DurationStatistics statistics, int group) {
        return trace.strings().get((int) (statistics.key(group) / KINDS));
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event is of these kinds");
    }
}
