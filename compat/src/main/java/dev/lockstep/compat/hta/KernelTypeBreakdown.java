// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** For how long which kinds of device activity ran together. */
record KernelTypeBreakdown() implements HtaSheet {
    private static final HtaKind[] SHOWN = {HtaKind.COMPUTATION, HtaKind.COMMUNICATION, HtaKind.MEMORY};

    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("kernel_type", "The kinds that ran at the same time."),
            ColumnSpec.micros("sum", "Time in which these and no others ran."),
            ColumnSpec.percent("percentage", "Share of the time of all rows."));

    private record Part(String label, long time) {}

    @Override
    public Table table(HtaEvents events) {
        IntervalSet[] busy = new IntervalSet[SHOWN.length];
        for (int k = 0; k < SHOWN.length; k++) {
            busy[k] = events.busy(SHOWN[k]);
        }
        List<Part> parts = new ArrayList<>();
        long all = 0;
        for (int set = 1; set < 1 << SHOWN.length; set++) {
            long time = exactly(busy, set);
            if (time > 0) {
                parts.add(new Part(label(set), time));
                all += time;
            }
        }
        parts.sort(Comparator.comparingLong(Part::time).reversed().thenComparing(Part::label));
        TableBuilder table =
                new TableBuilder("hta_kernel_type_breakdown", "Kinds of kernels and their overlaps", SCHEMA);
        for (Part part : parts) {
            table.row(part.label, part.time, 100.0 * part.time / all);
        }
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
