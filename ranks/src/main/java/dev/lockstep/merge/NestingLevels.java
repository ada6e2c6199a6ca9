// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * Spreads the slices of each track over levels, so that the slices of one level nest or do not overlap: viewers drop
 * others. A slice goes to the lowest level where it fits. Slices must come in order of start, longest first.
 */
final class NestingLevels {
    private final Slices slices;
    private final LongUnaryOperator clock;
    private final Levels[] tracks;

    /** @param clock the time in the file for a time of the trace: slices are judged as they will be written */
    NestingLevels(Slices slices, LongUnaryOperator clock, int tracks) {
        this.slices = slices;
        this.clock = clock;
        this.tracks = Stream.generate(Levels::new).limit(tracks).toArray(Levels[]::new);
    }

    /** The level of the next slice. */
    int levelOf(int slice) {
        long start = clock.applyAsLong(slices.ts(slice));
        return tracks[slices.track(slice)].lowest(start, start + slices.dur(slice));
    }

    /** Number of levels by track. */
    int[] levels() {
        return Arrays.stream(tracks).mapToInt(track -> track.open.size()).toArray();
    }

    /**
     * The levels of a track. They are the leaves of a tree whose nodes know the least and the most of what their levels'
     * innermost slices end at, so that a level is found without a look at all.
     */
    private static final class Levels {
        /** Where nothing is open. */
        private static final long NONE = Long.MAX_VALUE;

        /** By level: ends of the slices that are open, the innermost last. */
        private final List<LongList> open = new ArrayList<>(1);

        private int leaves = 1;
        private long[] least = {NONE, NONE};
        private long[] most = {NONE, NONE};

        /** Opens a slice on the lowest level on which it lies within the innermost open one, or nothing is open. */
        int lowest(long start, long end) {
            while (least[1] <= start) {
                int node = 1;
                while (node < leaves) {
                    node = 2 * node + (least[2 * node] <= start ? 0 : 1);
                }
                close(node - leaves, start);
            }
            if (most[1] < end) {
                grow();
            }
            int node = 1;
            while (node < leaves) {
                node = 2 * node + (most[2 * node] >= end ? 0 : 1);
            }
            int level = node - leaves;
            if (level == open.size()) {
                open.add(new LongList(4));
            }
            open.get(level).add(end);
            set(level, end);
            return level;
        }

        /** Takes off what has ended. */
        private void close(int level, long start) {
            LongList ends = open.get(level);
            while (ends.size() > 0 && ends.get(ends.size() - 1) <= start) {
                ends.removeLast();
            }
            set(level, ends.size() == 0 ? NONE : ends.get(ends.size() - 1));
        }

        private void set(int level, long end) {
            int node = leaves + level;
            least[node] = end;
            most[node] = end;
            while (node > 1) {
                node /= 2;
                join(node);
            }
        }

        private void join(int node) {
            least[node] = Math.min(least[2 * node], least[2 * node + 1]);
            most[node] = Math.max(most[2 * node], most[2 * node + 1]);
        }

        private void grow() {
            long[] ends = Arrays.copyOfRange(least, leaves, 2 * leaves);
            leaves *= 2;
            least = new long[2 * leaves];
            Arrays.fill(least, NONE);
            System.arraycopy(ends, 0, least, leaves, ends.length);
            most = least.clone();
            for (int node = leaves - 1; node > 0; node--) {
                join(node);
            }
        }
    }
}
