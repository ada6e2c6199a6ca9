// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineJoined;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.function.IntUnaryOperator;

/** A row of a timeline as it is filled, in order of time. */
final class TimelineLane {
    private final LongList starts = new LongList(64);
    private final LongList durations = new LongList(64);
    private final IntList kinds = new IntList(64);
    private final IntList names = new IntList(64);
    private final IntList details = new IntList(64);
    private final IntList slices = new IntList(64);
    private final IntList values = new IntList(4);
    private final TimelineHead head;
    private long end = Long.MIN_VALUE;

    TimelineLane(TimelineHead head) {
        this.head = head;
    }

    /** When the last slice ends, in ns. */
    long end() {
        return end;
    }

    /** When the first slice begins, in ns. */
    long start() {
        return starts.get(0);
    }

    int size() {
        return starts.size();
    }

    /**
     * Appends a slice.
     *
     * @param start ns of the trace's time
     * @param stop ns of the trace's time
     */
    void add(long start, long stop, int kind, int name) {
        starts.add(start);
        durations.add(stop - start);
        kinds.add(kind);
        names.add(name);
        end = Math.max(end, stop);
    }

    /** Says of the last slice which one of the trace it is, and what is known of it. */
    void is(int slice, int detail) {
        slices.add(slice);
        details.add(detail);
    }

    /** Says of the last slice what number it stands for. */
    void counts(int value) {
        values.add(value);
    }

    /** Numbers its slices on from a number, and returns the next. */
    int number(int from, int[] numbers) {
        for (int i = 0; i < slices.size(); i++) {
            numbers[slices.get(i)] = from + i;
        }
        return from + size();
    }

    /**
     * The row, which takes over what the lane holds.
     *
     * @param origin of the timeline in ns
     * @param cause the number of the slice that caused a slice of the trace, -1 for none
     */
    TimelineRow row(long origin, IntUnaryOperator cause) {
        long[] start = starts.take();
        for (int i = 0; i < start.length; i++) {
            start[i] -= origin;
        }
        long[] duration = durations.take();
        TimelineLinks links = null;
        if (slices.size() > 0) {
            int[] causes = new int[start.length];
            for (int i = 0; i < causes.length; i++) {
                causes[i] = cause.applyAsInt(slices.get(i));
            }
            slices.take();
            links = new TimelineLinks(details.take(), causes);
        }
        TimelineJoined joined = values.size() == 0 ? null : new TimelineJoined(values.take(), duration);
        return new TimelineRow(head, start, duration, kinds.take(), names.take(), joined, links);
    }
}
