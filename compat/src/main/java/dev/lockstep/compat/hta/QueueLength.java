// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How many device events of a stream were launched and had not begun. */
record QueueLength() implements HtaSheet {
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        List<ColumnSpec> columns = new ArrayList<>();
        columns.add(RANK);
        columns.add(ColumnSpec.id("stream", "Number of the stream."));
        columns.addAll(SeriesSummary.columns(Unit.NONE, "the lengths"));
        return new Schema(columns);
    }

    /** Hears of each change. */
    interface Changes {
        /** @param level behind the change */
        void change(long ns, int level);
    }

    /**
     * Tells of every change: one more at each of the beginnings, one less at each of the ends; where both fall together, the
     * beginnings first. Both are sorted in place.
     */
    static void walk(long[] begins, long[] ends, Changes changes) {
        Arrays.sort(begins);
        Arrays.sort(ends);
        int level = 0;
        int b = 0;
        for (long end : ends) {
            for (; b < begins.length && begins[b] <= end; b++) {
                changes.change(begins[b], ++level);
            }
            changes.change(end, --level);
        }
        for (; b < begins.length; b++) {
            changes.change(begins[b], ++level);
        }
    }

    /** Tells of every change of the queue of a stream. */
    static void walk(HtaEvents events, IntList stream, Changes changes) {
        long[] begins = new long[stream.size()];
        long[] ends = new long[stream.size()];
        int pairs = 0;
        for (int i = 0; i < begins.length; i++) {
            int event = stream.get(i);
            if (events.launch(event) >= 0) {
                begins[pairs] = events.start(events.launch(event));
                ends[pairs++] = events.start(events.slice(event));
            }
        }
        walk(Arrays.copyOf(begins, pairs), Arrays.copyOf(ends, pairs), changes);
    }

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table = new TableBuilder("hta_queue_length", "Lengths of the launch queues", SCHEMA);
        HtaEvents.Streams streams = events.streams();
        for (int s = 0; s < streams.size(); s++) {
            double[] levels = new double[2 * streams.events()[s].size()];
            int[] count = new int[1];
            walk(events, streams.events()[s], (ns, level) -> levels[count[0]++] = level);
            if (count[0] > 0) {
                table.row(SeriesSummary.of(levels, count[0]).row(events.rank(), streams.numbers()[s]));
            }
        }
        return table.build();
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event has a launch in the trace");
    }
}
