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
    private static final int KINDS = KernelClass.values().length;

    /** Number of activities. */
    public int size() {
        return start.length;
    }

    /**
     * The lane within a window, coarse enough to be drawn: activities that are narrower than two columns are joined, all
     * that begin in one column.
     *
     * @param from begin of the window
     * @param to end of the window, larger
     * @param columns how many can be told apart
     */
    public GanttBars bars(long from, long to, int columns) {
        double perColumn = Math.max(1, (double) (to - from) / columns);
        GanttBars bars = new GanttBars();
        long[] covered = new long[KINDS];
        int i = 0;
        while (i < size()) {
            if (end[i] <= from || start[i] >= to) {
                i++;
                continue;
            }
            if (end[i] - start[i] >= 2 * perColumn) {
                bars.add(start[i], end[i], kind[i], name[i], 1, 1);
                i++;
                continue;
            }
            long column = (long) ((start[i] - from) / perColumn);
            long last = end[i];
            int first = i;
            java.util.Arrays.fill(covered, 0);
            while (i < size()
                    && end[i] - start[i] < 2 * perColumn
                    && (long) ((start[i] - from) / perColumn) == column
                    && start[i] < to) {
                covered[kind[i]] += Math.max(1, end[i] - start[i]);
                last = Math.max(last, end[i]);
                i++;
            }
            join(bars, first, i, last, covered);
        }
        return bars;
    }

    private void join(GanttBars bars, int first, int behind, long last, long[] covered) {
        int most = 0;
        long all = 0;
        for (int k = 0; k < KINDS; k++) {
            all += covered[k];
            if (covered[k] > covered[most]) {
                most = k;
            }
        }
        long span = Math.max(1, last - start[first]);
        boolean single = behind - first == 1;
        bars.add(start[first], last, most, single ? name[first] : -1, behind - first, Math.min(1, (double) all / span));
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
