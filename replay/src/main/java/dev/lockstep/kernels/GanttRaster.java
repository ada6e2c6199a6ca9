// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;

/**
 * A lane as coarse as it can be drawn. What is as wide as two columns, or shares no column with another, stays as it is. Of
 * the rest each column tells, class by class, how many activities begin in it and how long they run in it.
 */
final class GanttRaster {
    private static final int KINDS = KernelClass.values().length;

    private final GanttLane lane;
    private final long from;
    private final long to;
    private final double width;
    private final GanttBars bars = new GanttBars();

    GanttRaster(GanttLane lane, long from, long to, int columns) {
        this.lane = lane;
        this.from = from;
        this.to = to;
        this.width = Math.max(1, (double) (to - from) / columns);
    }

    GanttBars bars() {
        int i = 0;
        while (i < lane.size()) {
            int behind = i + 1;
            if (isInside(i)) {
                behind = behindRun(i);
                if (behind == i + 1) {
                    bars.add(lane.start()[i], lane.end()[i], lane.kind()[i], lane.name()[i]);
                } else {
                    join(i, behind);
                }
            }
            i = behind;
        }
        return bars;
    }

    private boolean isInside(int i) {
        return lane.end()[i] > from && lane.start()[i] < to;
    }

    private long length(int i) {
        return lane.end()[i] - lane.start()[i];
    }

    /** The place behind the activities that, one after the other, share columns with the first. */
    private int behindRun(int first) {
        int next = first + 1;
        if (length(first) >= 2 * width) {
            return next;
        }
        int reached = lastColumn(first);
        while (next < lane.size()
                && isInside(next)
                && length(next) < 2 * width
                && columnOf(lane.start()[next]) <= reached) {
            reached = Math.max(reached, lastColumn(next));
            next++;
        }
        return next;
    }

    private int lastColumn(int i) {
        return columnOf(Math.max(lane.start()[i], Math.min(to, lane.end()[i]) - 1));
    }

    private void join(int first, int behind) {
        int left = columnOf(lane.start()[first]);
        int right = left;
        long end = from;
        for (int i = first; i < behind; i++) {
            right = Math.max(right, lastColumn(i));
            end = Math.max(end, lane.end()[i]);
        }
        long[] busy = new long[(right - left + 1) * KINDS];
        int[] begun = new int[busy.length];
        for (int i = first; i < behind; i++) {
            int column = columnOf(lane.start()[i]);
            int last = lastColumn(i);
            begun[(column - left) * KINDS + lane.kind()[i]]++;
            for (; column <= last; column++) {
                long here = Math.min(lane.end()[i], edge(column + 1)) - Math.max(lane.start()[i], edge(column));
                busy[(column - left) * KINDS + lane.kind()[i]] += Math.max(1, here);
            }
        }
        for (int place = 0; place < busy.length; place++) {
            if (busy[place] > 0) {
                int column = left + place / KINDS;
                long begins = Math.max(edge(column), Math.max(from, lane.start()[first]));
                long ends = Math.max(begins + 1, Math.min(edge(column + 1), Math.min(to, end)));
                bars.join(begins, ends, place % KINDS, begun[place], Math.min(busy[place], ends - begins));
            }
        }
    }

    /** Where a column begins. */
    private long edge(int column) {
        return from + Math.round(column * width);
    }

    /** The column in which a moment lies; what is before the window counts to the first. */
    private int columnOf(long moment) {
        int column = (int) Math.max(0, (moment - from) / width);
        if (edge(column + 1) <= moment) {
            return column + 1;
        }
        return column > 0 && edge(column) > moment ? column - 1 : column;
    }
}
