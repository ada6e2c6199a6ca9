// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;

/** How the time between the first and the last device event divides into idle, computing and all else. */
record TemporalBreakdown() implements HtaSheet {
    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.micros("idle_time(us)", "Time in which no device event ran."),
            ColumnSpec.micros("compute_time(us)", "Time in which computation ran."),
            ColumnSpec.micros("non_compute_time(us)", "Time in which something ran, but no computation."),
            ColumnSpec.micros("kernel_time(us)", "From the first start to the last end of device events."),
            ColumnSpec.percent("idle_time_pctg", "Idle share of kernel_time."),
            ColumnSpec.percent("compute_time_pctg", "Computing share of kernel_time."),
            ColumnSpec.percent("non_compute_time_pctg", "The remaining share of kernel_time."));

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table = new TableBuilder("hta_temporal_breakdown", "Temporal breakdown", SCHEMA);
        if (events.devices() > 0) {
            IntervalSet all = events.busy(null);
            long span = span(events);
            long idle = span - all.total();
            long compute = events.busy(HtaKind.COMPUTATION).total();
            long rest = span - compute - idle;
            table.row(
                    events.rank(),
                    idle,
                    compute,
                    rest,
                    span,
                    share(idle, span),
                    share(compute, span),
                    share(rest, span));
        }
        return table.build();
    }

    private static long span(HtaEvents events) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int e = 0; e < events.devices(); e++) {
            first = Math.min(first, events.start(events.slice(e)));
            last = Math.max(last, events.end(events.slice(e)));
        }
        return last - first;
    }

    private static double share(long part, long whole) {
        return whole == 0 ? Double.NaN : 100.0 * part / whole;
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event takes part");
    }
}
