// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.ClockOffsets;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * One clock for all ranks: as recorded, or, where the ends of collectives say that clocks differ, corrected by them. What
 * no collective compares stays as recorded.
 */
final class SharedClock {
    private final long[] ahead;
    private final boolean common;

    private SharedClock(long[] ahead, boolean common) {
        this.ahead = ahead;
        this.common = common;
    }

    static SharedClock of(List<KinetoRank> ranks, CollectiveMatch match, RecordingNotes notes) {
        ClockOffsets offsets = ClockOffsets.of(match);
        boolean corrected = offsets.differ();
        long[] ahead = new long[ranks.size()];
        List<Integer> alone = new ArrayList<>();
        long error = 0;
        for (int place = 0; place < ahead.length; place++) {
            if (offsets.collectives(place) > 0) {
                ahead[place] = corrected ? offsets.offset(place) : 0;
                error = Math.max(error, offsets.error(place));
            } else if (ranks.get(place).collectives().size() > 0) {
                ahead[place] = origin(ranks, 0) - origin(ranks, place);
                alone.add(ranks.get(place).collectives().rank());
            }
        }
        SharedClock clock = new SharedClock(ahead, alone.isEmpty() || overlap(ranks, ahead));
        if (corrected) {
            notes.assumed(
                    "clocks_corrected",
                    "clocks of ranks, which differ by up to " + Words.time(offsets.spread())
                            + ", are corrected by the ends of collectives, to within " + Words.time(error));
        }
        if (!alone.isEmpty()) {
            notes.assumed(
                    "clocks_assumed",
                    "no collective compares the clocks of ranks " + alone
                            + (clock.common
                                    ? "; they are taken as recorded"
                                    : ", and by them ranks ran at different times: all begin together"));
        }
        return clock;
    }

    private static long origin(List<KinetoRank> ranks, int place) {
        return ranks.get(place).collectives().info().originNs();
    }

    /** Whether there is a moment at which all ranks that communicate were at work. */
    private static boolean overlap(List<KinetoRank> ranks, long[] ahead) {
        long lastBegin = Long.MIN_VALUE;
        long firstEnd = Long.MAX_VALUE;
        for (int place = 0; place < ahead.length; place++) {
            KinetoRank rank = ranks.get(place);
            if (rank.collectives().size() > 0) {
                lastBegin = Math.max(lastBegin, rank.windowStart() - ahead[place]);
                firstEnd = Math.min(firstEnd, rank.windowEnd() - ahead[place]);
            }
        }
        return lastBegin < firstEnd;
    }

    /** A time of a rank's clock on the clock of all. */
    long common(int place, long time) {
        return time - ahead[place];
    }

    /** Whether times of different ranks can be compared. */
    boolean holds() {
        return common;
    }
}
