// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;

/** Why each stream stood still between its events. */
record IdleByStream() implements HtaSheet {
    private static final long SHORT_GAP_NS = 30_000;
    private static final String[] CATEGORIES = {"host_wait", "kernel_wait", "other"};
    private static final int HOST = 0;
    private static final int KERNEL = 1;
    private static final int OTHER = 2;

    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.id("stream", "Number of the stream."),
            ColumnSpec.text(
                    "idle_category",
                    "host_wait: launched after the stream ran dry; kernel_wait: not so, and the gap is below 30 µs; other."),
            ColumnSpec.micros("idle_time", "Sum of the gaps."),
            ColumnSpec.real(
                    "idle_time_ratio",
                    Unit.NONE,
                    Unit.NONE,
                    "Share of the stream's idle time; missing where it has none."),
            ColumnSpec.count("gaps", "Number of gaps; those of no length count, too."));

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table = new TableBuilder("hta_idle_breakdown", "Idle time by stream", SCHEMA);
        HtaEvents.Streams streams = events.streams();
        for (int s = 0; s < streams.size(); s++) {
            long[] time = new long[CATEGORIES.length];
            long[] gaps = new long[CATEGORIES.length];
            collect(events, streams.events()[s], time, gaps);
            long all = time[HOST] + time[KERNEL] + time[OTHER];
            for (int c = 0; c < CATEGORIES.length; c++) {
                if (gaps[c] > 0) {
                    Object ratio = all == 0 ? null : (Object) ((double) time[c] / all);
                    table.row(events.rank(), streams.numbers()[s], CATEGORIES[c], time[c], ratio, gaps[c]);
                }
            }
        }
        return table.build();
    }

    private static void collect(HtaEvents events, IntList stream, long[] time, long[] gaps) {
        int[] slices = stream.toArray();
        int[] launches = new int[slices.length];
        events.byEnd(slices);
        for (int i = 0; i < slices.length; i++) {
            launches[i] = events.launch(slices[i]);
            slices[i] = events.slice(slices[i]);
        }
        long end = events.end(slices[0]);
        for (int i = 1; i < slices.length; i++) {
            long start = events.start(slices[i]);
            int category = start - end < SHORT_GAP_NS ? KERNEL : OTHER;
            if (launches[i] >= 0 && events.start(launches[i]) > end) {
                category = HOST;
            }
            time[category] += Math.max(0, start - end);
            gaps[category]++;
            end = Math.max(end, events.end(slices[i]));
        }
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no stream has more than one device event");
    }
}
