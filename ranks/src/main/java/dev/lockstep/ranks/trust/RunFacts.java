// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import java.util.List;

/**
 * What a run says across its ranks, wherever its collectives were matched.
 *
 * @param counts sums over collectives
 * @param clocks how far the clocks of ranks are apart, by their places
 * @param clock the clock that is believed
 * @param ranks numbers of the ranks, by their places
 */
public record RunFacts(RunCounts counts, Clocks clocks, CommonClock clock, List<Integer> ranks) {
    /** Those of collectives that were matched here. */
    static RunFacts of(Collectives all) {
        CollectiveMatch match = all.match();
        RunCounts counts = RunCounts.NONE;
        for (Collective one : all.all()) {
            int instance = one.instance();
            long[] start = new long[one.present()];
            long[] end = new long[one.present()];
            int[] places = new int[one.present()];
            for (int m = 0; m < start.length; m++) {
                start[m] = all.start(instance, m);
                end[m] = all.end(instance, m);
                places[m] = match.rank(instance, m);
            }
            counts = counts.plus(RunCounts.of(
                    one.group(),
                    match.call(instance),
                    one.waiting() != Waiting.UNKNOWN,
                    match.isContradictory(instance),
                    start,
                    end,
                    RunCounts.unrecorded(all.clock(), places, start)));
        }
        return new RunFacts(
                counts.withDisagreements(match.disagreements()),
                all.clocks(),
                all.clock(),
                match.ranks().stream().map(RankCollectives::rank).toList());
    }

    /** Whether the times of a rank, by its place, are compared with those of the reference. */
    boolean isCompared(int place) {
        return clock.compares(place, clocks.reference());
    }
}
