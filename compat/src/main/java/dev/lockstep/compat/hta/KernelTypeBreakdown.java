// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** For how long which kinds of device activity ran together. */
record KernelTypeBreakdown() implements HtaSheet {
    static final String NAME = "hta_kernel_type_breakdown";
    private static final HtaKind[] SHOWN = {HtaKind.COMPUTATION, HtaKind.COMMUNICATION, HtaKind.MEMORY};

    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("kernel_type", "The kinds that ran at the same time."),
            ColumnSpec.micros("sum", "Time in which these and no others ran."),
            ColumnSpec.percent("percentage", "Share of the time of all rows."));

    /** The names of the columns. */
    static final List<String> HEAD =
            SCHEMA.columns().stream().map(ColumnSpec::header).toList();

    @Override
    public Table table(HtaEvents events) {
        IntervalSet[] busy = new IntervalSet[SHOWN.length];
        for (int k = 0; k < SHOWN.length; k++) {
            busy[k] = events.busy(SHOWN[k]);
        }
        SortedMap<String, Long> times = new TreeMap<>();
        for (int set = 1; set < 1 << SHOWN.length; set++) {
            long time = exactly(busy, set);
            if (time > 0) {
                times.put(label(set), time);
            }
        }
        return table(times);
    }

    /** The sheet of times in ns by label, the longest first. */
    static Table table(SortedMap<String, Long> times) {
        long all = times.values().stream().mapToLong(Long::longValue).sum();
        TableBuilder table = new TableBuilder(NAME, "Kinds of kernels and their overlaps", SCHEMA);
        times.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(part -> table.row(part.getKey(), part.getValue(), 100.0 * part.getValue() / all));
        return table.build();
    }

    /** Time in which the kinds of a set ran and no others. */
    private static long exactly(IntervalSet[] busy, int set) {
        IntervalSet time = null;
        for (int k = 0; k < busy.length; k++) {
            if ((set >> k & 1) != 0) {
                time = time == null ? busy[k] : time.intersect(busy[k]);
            }
        }
        for (int k = 0; k < busy.length && time != null; k++) {
            if ((set >> k & 1) == 0) {
                time = time.minus(busy[k]);
            }
        }
        return time == null ? 0 : time.total();
    }

    private static String label(int set) {
        StringBuilder label = new StringBuilder();
        for (int k = 0; k < SHOWN.length; k++) {
            if ((set >> k & 1) != 0) {
                label.append(label.isEmpty() ? "" : " overlapping ").append(SHOWN[k]);
            }
        }
        return label.toString();
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event of these kinds lasts");
    }
}
