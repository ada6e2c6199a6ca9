// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/**
 * Marks of steps that do not overlap. Of marks that do, as when several threads carry them or one lies inside of another, the first
 * counts. Where times are rounded, a mark may reach into the next one of its thread by as much: it ends there.
 */
final class StepMarks {
    /** Profilers of old wrote whole microseconds. */
    private static final long ROUNDING_NS = 1_000;

    private final IntList kept;
    private final LongList ends;
    private final int crossing;

    private StepMarks(IntList kept, LongList ends, int crossing) {
        this.kept = kept;
        this.ends = ends;
        this.crossing = crossing;
    }

    /**
     * The marks that count.
     *
     * @param found all marks, in order of time
     */
    static StepMarks of(Slices slices, int[] found) {
        IntList kept = new IntList(found.length);
        LongList ends = new LongList(found.length);
        int crossing = 0;
        for (int slice : found) {
            int last = kept.size() - 1;
            if (last >= 0 && isRounded(slices, kept.get(last), slice)) {
                ends.set(last, slices.ts(slice));
            }
            if (last < 0 || slices.ts(slice) >= ends.get(last)) {
                kept.add(slice);
                ends.add(slices.end(slice));
            } else if (slices.track(slice) == slices.track(kept.get(last)) && slices.end(slice) > ends.get(last)) {
                crossing++;
            }
        }
        return new StepMarks(kept, ends, crossing);
    }

    /** Number of marks that count. */
    int size() {
        return kept.size();
    }

    /** Marks that do not count because they begin within one of their thread that ends before them. */
    int crossing() {
        return crossing;
    }

    /** The slice of a mark, in order of time. */
    int slice(int mark) {
        return kept.get(mark);
    }

    /** The slices of all marks, in order of time. */
    int[] slices() {
        return kept.toArray();
    }

    /** Where a mark ends, in ns. */
    long end(int mark) {
        return ends.get(mark);
    }

    /** Whether a slice reaches into a later one of its thread, and by no more than times are rounded by. */
    private static boolean isRounded(Slices slices, int mark, int next) {
        long overlap = slices.end(mark) - slices.ts(next);
        return slices.track(mark) == slices.track(next)
                && overlap > 0
                && overlap <= ROUNDING_NS
                && slices.ts(next) - slices.ts(mark) > ROUNDING_NS
                && slices.end(next) > slices.end(mark);
    }
}
