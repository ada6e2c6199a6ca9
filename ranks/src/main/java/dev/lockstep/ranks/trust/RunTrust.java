// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import java.util.ArrayList;
import java.util.List;

/** How far the traces of a run can be believed: what speaks against those of its ranks, and what they say together. */
public final class RunTrust {
    /** Each stands for a code. */
    private static final List<RunDoubt> DOUBTS = List.of(
            new GroupContradictions(),
            new LateRecordings(),
            new UnalignedClocks(),
            new UnpairedMessages(),
            new OutlastingMembers());

    private RunTrust() {}

    /** Everything that speaks against it. */
    public static Trust of(MatchedRanks run) {
        Trust trust = run.trust();
        boolean any = run.present().stream().anyMatch(rank -> rank.size() > 0);
        return run.present().size() < 2 || !any ? trust : of(trust, RunFacts.of(run.collectives()));
    }

    /**
     * Everything that speaks against it.
     *
     * @param ofRanks what speaks against the traces of ranks, each for itself
     * @param run what they say together
     */
    public static Trust of(Trust ofRanks, RunFacts run) {
        if (run.ranks().size() < 2 || run.counts().kernels() == 0) {
            return ofRanks;
        }
        List<Reason> reasons = new ArrayList<>();
        for (RunDoubt doubt : DOUBTS) {
            Reason reason = doubt.of(run);
            if (reason != null) {
                reasons.add(reason);
            }
        }
        return ofRanks.and(new Trust(reasons));
    }

    /** Ranks in words: the first few of them. */
    static String ranks(List<Integer> ranks) {
        int most = 8;
        List<String> named = ranks.stream().limit(most).map(String::valueOf).toList();
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + String.join(", ", named)
                + (ranks.size() > most ? " and " + (ranks.size() - most) + " more" : "");
    }
}
