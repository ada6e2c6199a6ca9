// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;

/**
 * Activities of a stream that do not overlap, by start. Where activities of one stream run at the same time, the stream has
 * several lanes. The arrays run in parallel and pass to the record.
 *
 * @param device number or text
 * @param stream number or text
 * @param level 0 for the first lane of its stream
 * @param start ns since 1970, or on the trace's own clock where that is unknown
 * @param end as {@code start}
 * @param kind ordinals of {@link KernelClass}
 * @param name ids in the pool of the rank
 */
@SuppressWarnings("ArrayRecordComponent")
public record GanttLane(String device, String stream, int level, long[] start, long[] end, byte[] kind, int[] name) {
    /** Whether an activity lies in a window; one that took no time does where it begins. */
    boolean shows(int i, long from, long to) {
        return start[i] == end[i] ? start[i] >= from && start[i] <= to : start[i] < to && end[i] > from;
    }

    /** Number of activities. */
    public int size() {
        return start.length;
    }

    /** Every activity within a window. */
    public GanttBars bars(long from, long to) {
        GanttBars bars = new GanttBars();
        for (int i = 0; i < size(); i++) {
            if (shows(i, from, to)) {
                bars.add(start[i], end[i], kind[i], name[i]);
            }
        }
        return bars;
    }

    /**
     * The lane within a window, coarse enough to be drawn: activities that are narrower than two columns are joined where
     * several share a column.
     *
     * @param from begin of the window
     * @param to end of the window, larger
     * @param columns how many can be told apart
     */
    public GanttBars bars(long from, long to, int columns) {
        return new GanttRaster(this, from, to, columns).bars();
    }

    /** When anything of a class ran within a window, in ns. */
    public long busy(KernelClass wanted, long from, long to) {
        long sum = 0;
        for (int i = 0; i < size(); i++) {
            if (kind[i] == wanted.ordinal()) {
                sum += Math.max(0, Math.min(end[i], to) - Math.max(start[i], from));
            }
        }
        return sum;
    }
}
