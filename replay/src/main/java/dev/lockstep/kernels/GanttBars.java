// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/**
 * What is to be drawn in a lane, by start: single activities, and parts of columns in which several were joined, one for
 * each class. Growing is confined to one thread.
 */
public final class GanttBars {
    private final LongList starts = new LongList(64);
    private final LongList ends = new LongList(64);
    private final IntList kinds = new IntList(64);
    private final IntList names = new IntList(64);
    private final IntList merged = new IntList(64);
    private final LongList busy = new LongList(64);

    GanttBars() {}

    /** Adds a single activity. */
    void add(long start, long end, int kind, int name) {
        join(start, end, kind, 1, end - start);
        names.set(names.size() - 1, name);
    }

    /**
     * Adds what was joined.
     *
     * @param count number of activities that begin here
     * @param ran when any of them ran, in ns
     */
    void join(long start, long end, int kind, int count, long ran) {
        starts.add(start);
        ends.add(end);
        kinds.add(kind);
        names.add(-1);
        merged.add(count);
        busy.add(ran);
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

    /** Ordinal of the class. */
    public int kind(int i) {
        return kinds.get(i);
    }

    /** Id of the name in the pool of the rank, -1 for what was joined. */
    public int name(int i) {
        return names.get(i);
    }

    /** 1 for a single activity; of what was joined, the number of activities that begin here. */
    public int merged(int i) {
        return merged.get(i);
    }

    /** When activities of the class ran from start to end, in ns. */
    public long busy(int i) {
        return busy.get(i);
    }
}
