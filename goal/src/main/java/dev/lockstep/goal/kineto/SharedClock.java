// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * One clock for all ranks: as recorded, or, where the ends of collectives and messages say that clocks differ, corrected by
 * them. What nothing ties stays as recorded.
 */
final class SharedClock {
    private final CommonClock clock;
    private final boolean common;

    private SharedClock(CommonClock clock, boolean common) {
        this.clock = clock;
        this.common = common;
    }

    static SharedClock of(List<KinetoRank> ranks, CollectiveMatch match, KinetoRules rules, RecordingNotes notes) {
        Clocks clocks = Clocks.of(match, rules.gpusPerNode());
        CommonClock clock = clocks.believed();
        List<Integer> alone = new ArrayList<>();
        for (int place = 0; place < ranks.size(); place++) {
            if (!clocks.isTied(place) && ranks.get(place).collectives().size() > 0) {
                alone.add(ranks.get(place).collectives().rank());
            }
        }
        boolean common = alone.isEmpty() || overlap(ranks, clock);
        if (clocks.differ()) {
            notes.assumed(
                    "clocks_corrected",
                    "clocks of ranks, which are up to " + Words.time(clocks.spread())
                            + " apart, are corrected by the ends of collectives and messages, to within "
                            + Words.time(clocks.error()));
        }
        if (!alone.isEmpty()) {
            notes.assumed(
                    "clocks_assumed",
                    "no collective and no message ties the clocks of ranks " + alone
                            + (common
                                    ? "; they are taken as recorded"
                                    : ", and by them ranks ran at different times: all begin together"));
        }
        return new SharedClock(clock, common);
    }

    /** Whether there is a moment at which all ranks that communicate were at work. */
    private static boolean overlap(List<KinetoRank> ranks, CommonClock clock) {
        long lastBegin = Long.MIN_VALUE;
        long firstEnd = Long.MAX_VALUE;
        for (int place = 0; place < ranks.size(); place++) {
            KinetoRank rank = ranks.get(place);
            if (rank.collectives().size() > 0) {
                lastBegin = Math.max(lastBegin, clock.at(place, rank.windowStart()));
                firstEnd = Math.min(firstEnd, clock.at(place, rank.windowEnd()));
            }
        }
        return lastBegin < firstEnd;
    }

    /** A time of a rank's clock on the clock of all. */
    long common(int place, long time) {
        return clock.at(place, time);
    }

    /** Whether times of different ranks can be compared. */
    boolean holds() {
        return common;
    }
}
