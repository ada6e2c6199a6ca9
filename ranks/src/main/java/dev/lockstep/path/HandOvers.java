// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a thread went on with what another one gave it: backward operators run on threads of their own, and the thread
 * that ran forward sleeps until they are through. A hand-over is taken from a thread that does nothing between the last
 * thing it did and the moment when the other one has done its part.
 */
final class HandOvers {
    final IntList fromTrack = new IntList(16);
    final LongList fromTime = new LongList(16);
    final IntList toTrack = new IntList(16);
    final LongList toTime = new LongList(16);

    private final Slices slices;
    private final int[][] rowsOf;

    /** @param rowsOf the host slices of each track, in order */
    HandOvers(Trace trace, AutogradLinks links, int[][] rowsOf) {
        slices = trace.slices();
        this.rowsOf = rowsOf;
        if (links.isEmpty()) {
            return;
        }
        for (long pair : pairs(links)) {
            between((int) (pair >>> Integer.SIZE), (int) pair);
        }
    }

    /** Forward and backward tracks that belong together. */
    private Set<Long> pairs(AutogradLinks links) {
        Set<Long> pairs = new TreeSet<>();
        long last = -1;
        for (int node : links.nodes()) {
            long pair = (long) slices.track(links.forwardOf(node)) << Integer.SIZE | slices.track(node);
            if (pair != last && slices.kind(node) == SliceKind.CPU_OP) {
                pairs.add(pair);
                last = pair;
            }
        }
        return pairs;
    }

    private void between(int forward, int backward) {
        long[] moments = moments(rowsOf[forward]);
        long reached = Long.MIN_VALUE;
        int at = 0;
        int[] rows = rowsOf[backward];
        for (int i = 0; i < rows.length; i++) {
            long start = slices.ts(rows[i]);
            if (start < reached) {
                reached = Math.max(reached, slices.end(rows[i]));
                continue;
            }
            while (at < moments.length && moments[at] <= start) {
                at++;
            }
            long asleep = at == 0 ? Long.MIN_VALUE : moments[at - 1];
            boolean sleeps = at == moments.length || moments[at] >= slices.end(rows[i]);
            if (asleep > reached && sleeps) {
                add(forward, asleep, backward, start);
                if (at < moments.length) {
                    add(backward, lastEnd(rows, i, moments[at]), forward, moments[at]);
                }
            }
            reached = slices.end(rows[i]);
        }
    }

    /** When the last slice from this one on that ends by a moment ends. */
    private long lastEnd(int[] rows, int from, long by) {
        long last = slices.end(rows[from]);
        for (int i = from; i < rows.length && slices.ts(rows[i]) < by; i++) {
            if (slices.end(rows[i]) <= by) {
                last = Math.max(last, slices.end(rows[i]));
            }
        }
        return last;
    }

    private void add(int from, long fromMoment, int to, long toMoment) {
        fromTrack.add(from);
        fromTime.add(fromMoment);
        toTrack.add(to);
        toTime.add(toMoment);
    }

    /** All beginnings and ends, in order. */
    private long[] moments(int[] rows) {
        long[] moments = new long[rows.length * 2];
        for (int i = 0; i < rows.length; i++) {
            moments[2 * i] = slices.ts(rows[i]);
            moments[2 * i + 1] = slices.end(rows[i]);
        }
        LongOrder.sort(moments);
        return moments;
    }
}
