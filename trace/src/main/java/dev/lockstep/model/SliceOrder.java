// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.LongOrder;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of slices in a trace: by start, then longest first, then outer kinds before inner ones, so that what encloses
 * comes first. Of slices of one kind and span on one track, the profiler's numbers tell which encloses the other, since it
 * counts upwards as calls begin; where there are none, the order in which the file writes slices of that kind
 * ({@link EnclosingFirst}). What is left is ordered by content, so that it does not depend on the order of events in the file.
 */
final class SliceOrder implements Comparator<Integer> {
    private final TraceBuilder b;
    private final StringPool strings;
    private final List<Track> tracks;
    private final int[] byStart;
    private @Nullable EnclosingFirst written;

    /** @param byStart numbers of the slices in order of their start */
    private SliceOrder(TraceBuilder b, int[] byStart) {
        this.b = b;
        this.strings = b.strings();
        this.tracks = b.trackList();
        this.byStart = byStart;
    }

    /** The numbers of the slices that stay, in order. */
    static int[] of(TraceBuilder b, BitSet leftOut) {
        int[] order = new int[b.ts.size() - leftOut.cardinality()];
        long[] keys = new long[order.length];
        int n = 0;
        for (int i = 0; i < b.ts.size(); i++) {
            if (!leftOut.get(i)) {
                keys[n] = b.ts.get(i);
                order[n++] = i;
            }
        }
        LongOrder.sort(keys, order);
        SliceOrder ties = new SliceOrder(b, order);
        for (int from = 0; from < n; ) {
            int to = from + 1;
            while (to < n && keys[to] == keys[from]) {
                to++;
            }
            if (to - from > 1) {
                ties.sort(order, from, to);
            }
            from = to;
        }
        return order;
    }

    private void sort(int[] order, int from, int to) {
        if (to - from == 2) {
            if (compare(order[from], order[from + 1]) > 0) {
                int first = order[from];
                order[from] = order[from + 1];
                order[from + 1] = first;
            }
            return;
        }
        Integer[] boxed = new Integer[to - from];
        for (int i = 0; i < boxed.length; i++) {
            boxed[i] = order[from + i];
        }
        Arrays.sort(boxed, this);
        for (int i = 0; i < boxed.length; i++) {
            order[from + i] = boxed[i];
        }
    }

    @Override
    public int compare(Integer left, Integer right) {
        int x = left;
        int y = right;
        int c = Long.compare(b.dur.get(y), b.dur.get(x));
        c = c != 0 ? c : Integer.compare(b.kind.get(x), b.kind.get(y));
        c = c != 0 ? c : compareTracks(b.track.get(x), b.track.get(y));
        c = c != 0 ? c : Long.compare(b.externalId.get(x), b.externalId.get(y));
        c = c != 0 ? c : Long.compare(b.number(x), b.number(y));
        c = c != 0 ? c : compareInFile(x, y);
        c = c != 0 ? c : strings.compare(b.name.get(x), b.name.get(y));
        c = c != 0 ? c : Long.compare(b.correlation.get(x), b.correlation.get(y));
        c = c != 0 ? c : strings.compare(b.category.get(x), b.category.get(y));
        return c != 0 ? c : Integer.compare(b.index.get(x), b.index.get(y));
    }

    private int compareInFile(int x, int y) {
        SliceKind kind = b.kind(x);
        if (kind.isDeviceActivity() || b.track.get(x) != b.track.get(y)) {
            return 0;
        }
        if (written == null) {
            written = EnclosingFirst.of(b, byStart);
        }
        return written.compare(kind, b.index.get(x), b.index.get(y));
    }

    private int compareTracks(int x, int y) {
        if (x == y) {
            return 0;
        }
        int c = tracks.get(x).process().compareTo(tracks.get(y).process());
        return c != 0 ? c : tracks.get(x).thread().compareTo(tracks.get(y).thread());
    }
}
