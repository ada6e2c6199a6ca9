// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;

/** How much of the communication ran while something was computed. */
record CommunicationOverlap() implements HtaSheet {
    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.micros("comm_time(us)", "Time in which communication ran."),
            ColumnSpec.micros("overlap_time(us)", "The part of it in which computation ran, too."),
            ColumnSpec.percent("comp_comm_overlap_pctg", "Share of the two; missing without communication."));

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table =
                new TableBuilder("hta_comm_comp_overlap", "Overlap of communication and computation", SCHEMA);
        IntervalSet communication = events.busy(HtaKind.COMMUNICATION);
        long all = communication.total();
        long hidden = communication.intersect(events.busy(HtaKind.COMPUTATION)).total();
        table.row(events.rank(), all, hidden, all == 0 ? null : (Object) (100.0 * hidden / all));
        return table.build();
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event takes part");
    }
}
