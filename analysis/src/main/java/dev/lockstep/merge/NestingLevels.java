// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Spreads the slices of each track over levels, so that the slices of one level nest or do not overlap: viewers drop
 * others. A slice goes to the lowest level where it fits. Slices must come in order of start, longest first.
 */
final class NestingLevels {
    private final Slices slices;
    private final LongUnaryOperator clock;
    private final List<List<LongList>> open = new ArrayList<>();
    private int[] levels = new int[0];

    /** @param clock the time in the file for a time of the trace: slices are judged as they will be written */
    NestingLevels(Slices slices, LongUnaryOperator clock, int tracks) {
        this.slices = slices;
        this.clock = clock;
        for (int i = 0; i < tracks; i++) {
            open.add(new ArrayList<>(1));
        }
        levels = new int[tracks];
    }

    /** The level of the next slice. */
    int levelOf(int slice) {
        long start = clock.applyAsLong(slices.ts(slice));
        long end = start + slices.dur(slice);
        int track = slices.track(slice);
        List<LongList> ends = open.get(track);
        for (int level = 0; level < ends.size(); level++) {
            if (fits(ends.get(level), start, end)) {
                return level;
            }
        }
        LongList first = new LongList(4);
        first.add(end);
        ends.add(first);
        levels[track] = ends.size();
        return ends.size() - 1;
    }

    /** Number of levels by track. */
    int[] levels() {
        return Arrays.copyOf(levels, levels.length);
    }

    /** Whether the slice lies within the innermost open one; if so it is open now, too. */
    private static boolean fits(LongList ends, long start, long end) {
        while (ends.size() > 0 && ends.get(ends.size() - 1) <= start) {
            ends.removeLast();
        }
        if (ends.size() > 0 && ends.get(ends.size() - 1) < end) {
            return false;
        }
        ends.add(end);
        return true;
    }
}
