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
        int[] order = new int[to - from];
        long[] keys = new long[to - from];
        for (int i = 0; i < order.length; i++) {
            order[i] = byTrack[from + i];
            keys[i] = times.get(order[i]);
        }
        LongOrder.sort(keys, order);
        IntList open = new IntList(16);
        int lonely = 0;
        for (int edge : order) {
            int slice = slices.get(edge);
            if (slice != END) {
                open.add(slice);
            } else if (open.size() == 0) {
                lonely++;
            } else {
                int ended = open.removeLast();
                long start = builder.start(ended);
                builder.time(ended, start, times.get(edge) - start);
            }
        }
        return lonely;
    }
}
