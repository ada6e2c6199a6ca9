// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.table.LongOrder;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long the union of slices is, for many ranges of one list at once. The list is walked once. Each stretch of time knows the
 * last slice so far that ran in it: time counts for a range that ends here if that slice is behind the range's begin.
 */
final class CoveredTime {
    private record Stretch(long end, int last) {}

    private final Slices slices;
    private final int[] rows;
    private final TreeMap<Long, Stretch> stretches = new TreeMap<>();

    /** Time by the place of the last slice that ran in it: sums of a binary indexed tree. */
    private final long[] sums;

    private long covered;

    private CoveredTime(Slices slices, int[] rows) {
        this.slices = slices;
        this.rows = rows;
        sums = new long[rows.length + 1];
    }

    /**
     * The length in ns of the union of each range.
     *
     * @param rows the slices, in any order
     * @param from where each range of them begins
     * @param to where it ends, exclusive
     */
    static long[] of(Slices slices, int[] rows, int[] from, int[] to) {
        CoveredTime time = new CoveredTime(slices, rows);
        int[] byEnd = new int[from.length];
        long[] ends = new long[from.length];
        for (int i = 0; i < byEnd.length; i++) {
            byEnd[i] = i;
            ends[i] = to[i];
        }
        LongOrder.sort(ends, byEnd);
        long[] lengths = new long[from.length];
        int reached = 0;
        for (int range : byEnd) {
            for (; reached < to[range]; reached++) {
                time.cover(reached);
            }
            lengths[range] = from[range] < to[range] ? time.covered - time.before(from[range]) : 0;
        }
        return lengths;
    }

    private void cover(int place) {
        long start = slices.ts(rows[place]);
        long end = slices.end(rows[place]);
        if (end <= start) {
            return;
        }
        Map.Entry<Long, Stretch> before = stretches.lowerEntry(start);
        if (before != null && before.getValue().end > start) {
            cut(before.getKey(), before.getValue(), start, end);
        }
        for (Map.Entry<Long, Stretch> next = stretches.ceilingEntry(start);
                next != null && next.getKey() < end;
                next = stretches.ceilingEntry(start)) {
            stretches.remove(next.getKey());
            cut(next.getKey(), next.getValue(), start, end);
        }
        stretches.put(start, new Stretch(end, place));
        add(place, end - start);
    }

    /** Takes a time out of a stretch that it meets; what lies before and behind it stays. */
    private void cut(long begin, Stretch stretch, long start, long end) {
        if (begin < start) {
            stretches.put(begin, new Stretch(start, stretch.last));
        }
        if (stretch.end > end) {
            stretches.put(end, new Stretch(stretch.end, stretch.last));
        }
        add(stretch.last, Math.max(begin, start) - Math.min(stretch.end, end));
    }

    private void add(int place, long ns) {
        covered += ns;
        for (int i = place + 1; i < sums.length; i += i & -i) {
            sums[i] += ns;
        }
    }

    /** Time whose last slice stands before a place. */
    private long before(int place) {
        long sum = 0;
        for (int i = place; i > 0; i -= i & -i) {
            sum += sums[i];
        }
        return sum;
    }
}
