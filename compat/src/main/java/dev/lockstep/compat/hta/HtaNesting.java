// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which event of the host stands in which, by thread. Events stand by start, longer ones first, then by {@linkplain HtaEvents#place place}; the
 * parent is the innermost event that is still open. An event has ended when another starts at its end, unless it has no length.
 */
final class HtaNesting {
    private final int[] order;
    private final int[] parent;

    HtaNesting(HtaEvents events) {
        Slices slices = events.trace().slices();
        order = order(events);
        parent = new int[slices.size()];
        Arrays.fill(parent, -1);
        int[] open = new int[events.trace().tracks().size()];
        Arrays.fill(open, -1);
        for (int slice : order) {
            int track = slices.track(slice);
            int above = open[track];
            while (above >= 0 && hasEnded(events, above, events.start(slice))) {
                above = parent[above];
            }
            parent[slice] = above;
            open[track] = slice;
        }
    }

    private static boolean hasEnded(HtaEvents events, int slice, long ns) {
        long end = events.end(slice);
        return end < ns || end == ns && end > events.start(slice);
    }

    /** Events of the host in the order in which they are entered. */
    static int[] order(HtaEvents events) {
        return order(events, slice -> true);
    }

    /** Events of the host that are wanted, in the order in which they are entered. */
    static int[] order(HtaEvents events, IntPredicate wanted) {
        Slices slices = events.trace().slices();
        IntList rows = new IntList(slices.size() / 4);
        for (int i = 0; i < slices.size(); i++) {
            if (events.isHost(i) && wanted.test(i)) {
                rows.add(i);
            }
        }
        int[] sorted = rows.toArray();
        int from = 0;
        while (from < sorted.length) {
            int to = from + 1;
            while (to < sorted.length && events.start(sorted[to]) == events.start(sorted[from])) {
                to++;
            }
            if (to - from > 1) {
                sortRun(events, sorted, from, to);
            }
            from = to;
        }
        return sorted;
    }

    private static void sortRun(HtaEvents events, int[] rows, int from, int to) {
        int[] run = Arrays.copyOfRange(rows, from, to);
        long[] keys = new long[run.length];
        for (int i = 0; i < run.length; i++) {
            keys[i] = events.place(run[i]);
        }
        LongOrder.sort(keys, run);
        for (int i = 0; i < run.length; i++) {
            keys[i] = -events.end(run[i]);
        }
        LongOrder.sort(keys, run);
        System.arraycopy(run, 0, rows, from, run.length);
    }

    /** The events of the host in order: a parent stands before its children. */
    int[] order() {
        return order;
    }

    /** The event around a slice, or -1. */
    int parent(int slice) {
        return parent[slice];
    }
}
