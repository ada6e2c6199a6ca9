// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;

/** Begins and ends of slices by track. An end closes the innermost slice that is open on its track at its time. */
final class Edges {
    /** In place of a slice's number: an end. */
    static final int END = -1;

    private final IntList tracks = new IntList(64);
    private final LongList times = new LongList(64);
    private final IntList slices = new IntList(64);
    private int trackCount;

    /** @param slice number of the slice that begins, or {@link #END} */
    void add(int track, long ns, int slice) {
        tracks.add(track);
        times.add(ns);
        slices.add(slice);
        trackCount = Math.max(trackCount, track + 1);
    }

    /** The number of the edge added last. */
    int last() {
        return times.size() - 1;
    }

    /** Moves an edge to a later time. */
    void move(int edge, long ns) {
        times.set(edge, times.get(edge) + ns);
    }

    /** Sets the durations of all slices that have both; returns how many ends have no begin. */
    int pair(TraceBuilder builder) {
        int[] first = new int[trackCount + 1];
        for (int i = 0; i < tracks.size(); i++) {
            first[tracks.get(i) + 1]++;
        }
        for (int i = 0; i < trackCount; i++) {
            first[i + 1] += first[i];
        }
        int[] next = first.clone();
        int[] byTrack = new int[tracks.size()];
        for (int i = 0; i < byTrack.length; i++) {
            byTrack[next[tracks.get(i)]++] = i;
        }
        int lonely = 0;
        for (int track = 0; track < trackCount; track++) {
            lonely += pair(byTrack, first[track], first[track + 1], builder);
        }
        return lonely;
    }

    private int pair(int[] byTrack, int from, int to, TraceBuilder builder) {
        boolean inOrder = isInOrder(byTrack, from, to);
        return inOrder || !pairRuns(byTrack, from, to, builder) ? pairByTime(byTrack, from, to, inOrder, builder) : 0;
    }

    private boolean isInOrder(int[] byTrack, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (times.get(byTrack[i]) < times.get(byTrack[i - 1])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Pairs what a recorder wrote kind by kind: all begins of some slices, then their ends in the same order. Where that is not so,
     * nothing is paired.
     */
    private boolean pairRuns(int[] byTrack, int from, int to, TraceBuilder builder) {
        int first = from;
        while (first < to) {
            int ends = behind(byTrack, first, to, false);
            int next = behind(byTrack, ends, to, true);
            if (ends == first || next - ends != ends - first || !isNested(byTrack, first, ends)) {
                return false;
            }
            first = next;
        }
        for (int begin = from; begin < to; ) {
            int end = behind(byTrack, begin, to, false);
            int count = end - begin;
            for (int i = 0; i < count; i++) {
                close(slices.get(byTrack[begin + i]), byTrack[end + i], builder);
            }
            begin = end + count;
        }
        return true;
    }

    /** The first place from which on there is no end any more, or no begin. */
    private int behind(int[] byTrack, int from, int to, boolean ends) {
        int at = from;
        while (at < to && slices.get(byTrack[at]) == END == ends) {
            at++;
        }
        return at;
    }

    /** Whether these begins, each with the end as far behind it, are slices in order of start that lie in each other or apart. */
    private boolean isNested(int[] byTrack, int from, int ends) {
        LongList open = new LongList(16);
        for (int i = from; i < ends; i++) {
            long start = times.get(byTrack[i]);
            long end = times.get(byTrack[ends + i - from]);
            if (end < start || i > from && start < times.get(byTrack[i - 1])) {
                return false;
            }
            while (open.size() > 0 && open.get(open.size() - 1) <= start) {
                open.removeLast();
            }
            if (open.size() > 0 && end > open.get(open.size() - 1)) {
                return false;
            }
            open.add(end);
        }
        return true;
    }

    /** @param inOrder whether the file has the edges in order of time, so that its order is that of equal times, too */
    private int pairByTime(int[] byTrack, int from, int to, boolean inOrder, TraceBuilder builder) {
        int[] order = new int[to - from];
        long[] keys = new long[to - from];
        for (int i = 0; i < order.length; i++) {
            order[i] = byTrack[from + i];
            keys[i] = times.get(order[i]);
        }
        LongOrder.sort(keys, order);
        IntList open = new IntList(16);
        int lonely = 0;
        for (int i = 0; i < order.length; ) {
            int next = i + 1;
            while (!inOrder && next < order.length && keys[next] == keys[i]) {
                next++;
            }
            lonely += together(order, i, next, open, builder);
            i = next;
        }
        return lonely;
    }

    /** Takes the edges of one moment: ends of what began before, then begins, then ends of these; returns how many have no begin. */
    private int together(int[] order, int from, int to, IntList open, TraceBuilder builder) {
        long moment = times.get(order[from]);
        int left = from;
        for (int i = from; i < to; i++) {
            boolean earlier = open.size() > 0 && builder.start(open.get(open.size() - 1)) < moment;
            if (slices.get(order[i]) == END && earlier) {
                take(order[i], open, builder);
            } else {
                order[left++] = order[i];
            }
        }
        int lonely = 0;
        for (int begins = 1; begins >= 0; begins--) {
            for (int i = from; i < left; i++) {
                if (slices.get(order[i]) != END == (begins == 1)) {
                    lonely += take(order[i], open, builder);
                }
            }
        }
        return lonely;
    }

    /** Takes an edge; returns 1 where it is an end without a begin. */
    private int take(int edge, IntList open, TraceBuilder builder) {
        int slice = slices.get(edge);
        if (slice != END) {
            open.add(slice);
        } else if (open.size() == 0) {
            return 1;
        } else {
            close(open.removeLast(), edge, builder);
        }
        return 0;
    }

    private void close(int slice, int edge, TraceBuilder builder) {
        long start = builder.start(slice);
        builder.time(slice, start, times.get(edge) - start);
    }
}
