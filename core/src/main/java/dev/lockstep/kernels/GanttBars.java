// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/** What is to be drawn in a lane, by start. Growing is confined to one thread. */
public final class GanttBars {
    private final LongList starts = new LongList(64);
    private final LongList ends = new LongList(64);
    private final IntList kinds = new IntList(64);
    private final IntList names = new IntList(64);
    private final IntList merged = new IntList(64);
    private final DoubleList shares = new DoubleList(64);

    GanttBars() {}

    void add(long start, long end, int kind, int name, int count, double share) {
        starts.add(start);
        ends.add(end);
        kinds.add(kind);
        names.add(name);
        merged.add(count);
        shares.add(share);
    }

    public int size() {
        return starts.size();
    }

    public long start(int i) {
        return starts.get(i);
    }

    public long end(int i) {
        return ends.get(i);
    }

    /** Ordinal of the class that most of the time is of. */
    public int kind(int i) {
        return kinds.get(i);
    }

    /** Id of the name in the pool of the rank, -1 for several activities. */
    public int name(int i) {
        return names.get(i);
    }

    /** Number of activities. */
    public int merged(int i) {
        return merged.get(i);
    }

    /** How much of the time from start to end something ran, from 0 to 1. */
    public double share(int i) {
        return shares.get(i);
    }
}
