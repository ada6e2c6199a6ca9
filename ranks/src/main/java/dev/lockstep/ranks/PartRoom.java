// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.path.RankPart;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Room for what waited for what on the ranks of a run, while they are read. What finds no room is read again where it is needed. May be used
 * by several threads.
 */
public final class PartRoom {
    /** What an activity takes in the graph of a rank, in that over all ranks, and in replays of it. */
    private static final long BYTES_PER_ACTIVITY = 700;

    private final int ranks;
    private final AtomicLong left;

    /**
     * Room for a run.
     *
     * @param ranks how many it has, about; of more than are {@linkplain PricingSample replayed} none is kept
     */
    public PartRoom(int ranks) {
        this.ranks = ranks;
        left = new AtomicLong(Runtime.getRuntime().maxMemory() / 3);
    }

    /** What is kept of a trace: with its part as long as there is room. */
    public KeptRank keep(DerivedCache trace) {
        KeptRank kept = KeptRank.withoutPart(trace);
        RankPart part = part(trace, AnalysisRules.standard());
        return part == null ? kept : kept.withPart(part);
    }

    /** What waited for what on a rank, null where there is no room for it. */
    public @Nullable RankPart part(DerivedCache trace, AnalysisRules rules) {
        return has(BYTES_PER_ACTIVITY * trace.get(rules.activity()).size()) ? RankPart.of(trace, rules) : null;
    }

    private boolean has(long needed) {
        if (ranks > PricingSample.MOST) {
            return false;
        }
        if (left.addAndGet(-needed) < 0) {
            left.addAndGet(needed);
            return false;
        }
        return true;
    }
}
