// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * For how long the launch queues of streams were full. A launch is one entry, however many device events it has.
 *
 * @param limit entries that a queue takes
 */
record QueueBlocked(int limit) implements HtaSheet {
    private static final double NS_PER_MS = 1e6;

    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.id("stream", "Number of the stream; only streams whose queue was ever full."),
            ColumnSpec.micros("duration_at_max_queue_length", "Time in which the queue was full."),
            ColumnSpec.real(
                    "relative_duration_at_max_queue_length",
                    Unit.NONE,
                    Unit.NONE,
                    "Share of the time from the first to the last start of all events."));

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table = new TableBuilder("hta_queue_blocked", "Time in which launch queues were full", SCHEMA);
        HtaEvents.Streams streams = events.streams();
        long span = -1;
        int[] seen = new int[events.trace().slices().size()];
        Arrays.fill(seen, -1);
        for (int s = 0; s < streams.size(); s++) {
            Full full = new Full(limit);
            walk(events, streams.events()[s], seen, s, full);
            if (full.reached) {
                span = span < 0 ? span(events) : span;
                Object share = span == 0 ? null : (Object) ((double) full.time / span);
                table.row(events.rank(), streams.numbers()[s], full.time, share);
            }
        }
        return table.build();
    }

    /** Adds up the time at the limit. */
    private static final class Full implements QueueLength.Changes {
        private final int limit;
        private boolean reached;
        private long time;
        private long since;
        private int before;

        private Full(int limit) {
            this.limit = limit;
        }

        @Override
        public void change(long ns, int level) {
            if (before >= limit) {
                time += ns - since;
            }
            reached |= level >= limit;
            since = ns;
            before = level;
        }
    }

    /** From the start of each launch to that of its first device event on the stream. */
    private static void walk(HtaEvents events, IntList stream, int[] seen, int number, Full full) {
        long[] begins = new long[stream.size()];
        long[] ends = new long[stream.size()];
        int entries = 0;
        for (int i = 0; i < begins.length; i++) {
            int launch = events.launch(stream.get(i));
            if (launch >= 0 && seen[launch] != number) {
                seen[launch] = number;
                begins[entries] = events.start(launch);
                ends[entries++] = events.start(events.slice(stream.get(i)));
            }
        }
        QueueLength.walk(Arrays.copyOf(begins, entries), Arrays.copyOf(ends, entries), full);
    }

    private static long span(HtaEvents events) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < events.trace().slices().size(); i++) {
            if (events.takesPart(i)) {
                first = Math.min(first, events.start(i));
                last = Math.max(last, events.start(i));
            }
        }
        return first > last ? 0 : last - first;
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no launch queue ever held " + limit + " entries");
    }

    @Override
    public @Nullable String said(HtaEvents events, Table table) {
        int most = -1;
        for (int row = 0; row < table.rows(); row++) {
            if (most < 0 || table.longs(2).get(row) > table.longs(2).get(most)) {
                most = row;
            }
        }
        if (most < 0 || table.longs(2).get(most) == 0) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "The launch queue of stream %d held %d entries or more for %.3f ms, %.1f %% of the time from the first"
                        + " to the last start of events.",
                table.longs(1).get(most),
                limit,
                table.longs(2).get(most) / NS_PER_MS,
                100 * table.doubles(3).get(most));
    }
}
