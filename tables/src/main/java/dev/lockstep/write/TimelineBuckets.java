// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Chart.TimelineJoined;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import org.jspecify.annotations.Nullable;

/** A row with its short slices summed by name and bucket of time; those of a bucket's width or longer stay as they are. */
final class TimelineBuckets {
    private final TimelineRow from;
    private final long width;
    private final LongList starts = new LongList(256);
    private final LongList durations = new LongList(256);
    private final LongList busy = new LongList(256);
    private final IntList kinds = new IntList(256);
    private final IntList names = new IntList(256);
    private final IntList begun = new IntList(256);
    private final LongIntMap buckets = new LongIntMap(256);
    private final IntTuples tuples = new IntTuples();
    private final LongIntMap entries = new LongIntMap(256);

    TimelineBuckets(TimelineRow from, long width) {
        this.from = from;
        this.width = width;
    }

    /** The row; null as soon as it has more slices and buckets than this. */
    @Nullable
    TimelineRow row(long most) {
        for (int i = 0; i < from.start().length; i++) {
            if (starts.size() > most) {
                return null;
            }
            long start = from.start()[i];
            long end = start + from.duration()[i];
            if (end - start >= width) {
                append(start, end - start, i);
                add(starts.size() - 1, end - start, 1);
            } else {
                long edge = (start / width + 1) * width;
                sum(i, start, Math.min(end, edge), 1);
                if (end > edge) {
                    sum(i, edge, end, 0);
                }
            }
        }
        int n = starts.size();
        long[] order = starts.toArray();
        int[] rows = new int[n];
        for (int i = 0; i < n; i++) {
            rows[i] = i;
        }
        LongOrder.sort(order, rows);
        long[] duration = new long[n];
        long[] ran = new long[n];
        for (int i = 0; i < n; i++) {
            duration[i] = durations.get(rows[i]);
            ran[i] = busy.get(rows[i]);
        }
        return new TimelineRow(
                from.head(),
                order,
                duration,
                kinds.take(rows),
                names.take(rows),
                new TimelineJoined(begun.take(rows), ran),
                null);
    }

    private void sum(int slice, long start, long end, int count) {
        long bucket = start / width;
        int tuple = tuples.then(IntTuples.ROOT, buckets.numberOf(bucket));
        tuple = tuples.then(tuple, from.name()[slice]);
        tuple = tuples.then(tuple, from.kind()[slice]);
        int entry = entries.get(tuple);
        if (entry < 0) {
            entry = starts.size();
            entries.put(tuple, entry);
            append(bucket * width, width, slice);
        }
        add(entry, end - start, count);
    }

    private void append(long start, long duration, int slice) {
        starts.add(start);
        durations.add(duration);
        busy.add(0);
        kinds.add(from.kind()[slice]);
        names.add(from.name()[slice]);
        begun.add(0);
    }

    private void add(int entry, long time, int count) {
        busy.set(entry, busy.get(entry) + time);
        begun.set(entry, begun.get(entry) + count);
    }
}
