// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;

/** The events of a plane as columns, until the plane says what they are called. */
final class PlaneEvents {
    /**
     * A line of the plane.
     *
     * @param displayId 0 for none
     * @param from its first event
     * @param to behind its last event
     */
    record Line(long id, long displayId, String name, int from, int to) {}

    private static final long PS = 1000;

    final List<Line> lines = new ArrayList<>();
    final StatStore store = new StatStore();
    private final Diagnostics diagnostics;
    private LongIntMap numbers = new LongIntMap(16);
    private final IntList what = new IntList(1 << 10);
    private final LongList starts = new LongList(1 << 10);
    private final LongList durations = new LongList(1 << 10);
    private final LongList statPlaces = new LongList(1 << 10);
    private final IntList statLengths = new IntList(1 << 10);

    PlaneEvents(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    void clear() {
        lines.clear();
        store.clear();
        numbers = new LongIntMap(16);
        what.clear();
        starts.clear();
        durations.clear();
        statPlaces.clear();
        statLengths.clear();
    }

    int size() {
        return what.size();
    }

    /** The number by which events of the plane name this metadata. */
    int numberOf(long metadataId) {
        return numbers.numberOf(metadataId);
    }

    int metadata(int event) {
        return what.get(event);
    }

    /** In ns. */
    long start(int event) {
        return starts.get(event);
    }

    /** In ns; -1 for an event that is left out. */
    long duration(int event) {
        return durations.get(event);
    }

    /** Where its statistics are in the {@link #store}; -1 for none. */
    long statPlace(int event) {
        return statPlaces.get(event);
    }

    int statLength(int event) {
        return statLengths.get(event);
    }

    /** Adds an event; its start and duration are in ps and count from the line's until {@link #line}. */
    void add(ProtoCursor in, long position) throws Damaged {
        long id = 0;
        long offset = 0;
        long duration = 0;
        boolean isSum = false;
        store.begin();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case Wire.EVENT_METADATA -> id = in.varint();
                case Wire.EVENT_OFFSET -> {
                    offset = in.varint();
                    isSum = false;
                }
                case Wire.EVENT_DURATION -> duration = in.varint();
                case Wire.EVENT_OCCURRENCES -> {
                    in.varint();
                    isSum = true;
                }
                case Wire.EVENT_STAT -> {
                    int from = in.position();
                    in.skip(in.length());
                    store.add(in.bytes(), from, in.position() - from);
                }
                default -> in.skipField(tag);
            }
        }
        if (isSum) {
            diagnostics.add(
                    Weight.OBSERVATION, "event_without_time", "events are sums of many and have no time", position);
            return;
        }
        what.add(numbers.numberOf(id));
        starts.add(offset);
        durations.add(duration);
        statPlaces.add(store.place());
        statLengths.add(store.length());
    }

    /**
     * Ends a line: its events get their times in whole ns. Start and end are rounded alike, half up, so that what follows or
     * lies inside of something does so still.
     *
     * @param timestamp of the line, in ns
     */
    void line(Line line, long timestamp, long position) {
        lines.add(line);
        for (int i = line.from; i < line.to; i++) {
            long offset = starts.get(i);
            long lasts = durations.get(i);
            long end = offset + lasts;
            long from = timestamp + rounded(offset);
            long to = timestamp + rounded(end);
            boolean valid =
                    isTime(timestamp) && isTime(Math.abs(offset)) && isTime(lasts) && isTime(from) && isTime(to);
            if (!valid) {
                diagnostics.add(
                        Weight.REPAIRED,
                        lasts < 0 ? "negative_duration" : "ts_invalid",
                        lasts < 0
                                ? "the duration of an event is negative; the event was left out"
                                : "the time of an event is no usable number; the event was left out",
                        position);
            }
            starts.set(i, from);
            durations.set(i, valid ? to - from : -1);
        }
    }

    private static long rounded(long ps) {
        return Math.floorDiv(ps + PS / 2, PS);
    }

    private static boolean isTime(long number) {
        return number >= 0 && number <= JsonCursor.LATEST_NS;
    }
}
