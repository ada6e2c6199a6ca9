// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/** Time in Python by the path of frames to it: which frame holds most of it, together with what it calls. */
final class FramePaths {
    private static final int UNKNOWN = -1;
    private static final int PLACES = Where.values().length;

    private final Slices slices;
    private final HostNesting nesting;

    /** The number of a slice's name. */
    private final IntUnaryOperator nameOf;

    /** Of each frame, its path; {@link #UNKNOWN} until asked for. */
    private final int[] pathOf;

    private final IntTuples tuples = new IntTuples();

    /** By path, the one around it, the name of its frame, how deep it lies. */
    private final IntList around = new IntList(64);

    private final IntList name = new IntList(64);
    private final IntList depth = new IntList(64);

    /** By path and place, the time of the frame itself. */
    private final LongList time = new LongList(64);

    FramePaths(Slices slices, HostNesting nesting, IntUnaryOperator nameOf) {
        this.slices = slices;
        this.nesting = nesting;
        this.nameOf = nameOf;
        pathOf = new int[slices.size()];
        Arrays.fill(pathOf, UNKNOWN);
        add(UNKNOWN, UNKNOWN, 0);
    }

    private void add(int path, int named, int deep) {
        around.add(path);
        name.add(named);
        depth.add(deep);
        for (int place = 0; place < PLACES; place++) {
            time.add(0);
        }
    }

    /** Books time of a frame itself. */
    void add(int frame, Where where, long length) {
        int cell = path(frame) * PLACES + where.ordinal();
        time.set(cell, time.get(cell) + length);
    }

    private int path(int frame) {
        IntList open = new IntList(16);
        int found = frame;
        while (found >= 0 && pathOf[found] == UNKNOWN) {
            open.add(found);
            found = caller(found);
        }
        int path = found < 0 ? IntTuples.ROOT : pathOf[found];
        for (int i = open.size() - 1; i >= 0; i--) {
            path = inside(path, nameOf.applyAsInt(open.get(i)));
            pathOf[open.get(i)] = path;
        }
        return path;
    }

    /** The caller of a frame: the innermost frame that was open when it began, marks left out; or -1. */
    private int caller(int frame) {
        int found = nesting.around(frame);
        while (found >= 0 && (slices.kind(found) != SliceKind.PYTHON || slices.end(found) <= slices.ts(frame))) {
            found = nesting.around(found);
        }
        return found;
    }

    private int inside(int path, int named) {
        int inner = tuples.then(path, named);
        if (inner == name.size()) {
            add(path, named, depth.get(path) + 1);
        }
        return inner;
    }

    private long timeOf(int path, Predicate<Where> meant) {
        long sum = 0;
        for (Where where : Where.values()) {
            sum += meant.test(where) ? time.get(path * PLACES + where.ordinal()) : 0;
        }
        return sum;
    }

    /**
     * The innermost name of a frame in which more than half of the time lies, what it calls included; -1 where none has as much.
     *
     * @param names how many numbers of names there are
     * @param meant the places whose time is asked for
     */
    int holdsMost(int names, Predicate<Where> meant) {
        long[] whole = new long[names];
        int[] deepest = new int[names];
        long all = 0;
        BitSet seen = new BitSet(names);
        for (int path = 1; path < name.size(); path++) {
            long own = timeOf(path, meant);
            all += own;
            seen.clear();
            for (int on = path; on > 0 && own > 0; on = around.get(on)) {
                int named = name.get(on);
                deepest[named] = Math.max(deepest[named], depth.get(on));
                if (!seen.get(named)) {
                    seen.set(named);
                    whole[named] += own;
                }
            }
        }
        int best = -1;
        for (int named = 0; named < names; named++) {
            if (whole[named] * 2 > all
                    && (best < 0
                            || whole[named] < whole[best]
                            || whole[named] == whole[best] && deepest[named] > deepest[best])) {
                best = named;
            }
        }
        return best;
    }
}
