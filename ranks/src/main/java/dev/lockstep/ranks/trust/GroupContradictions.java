// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code group_contradiction}: what should be one collective has more members than its group, a rank twice, or members that disagree
 * about its kind or size. Such members are not matched.
 */
final class GroupContradictions implements RunDoubt {
    @Override
    public @Nullable Reason of(MatchedRanks run) {
        CollectiveMatch match = run.collectives().match();
        long count = 0;
        for (int i = 0; i < match.size(); i++) {
            count += match.isContradictory(i) ? 1 : 0;
        }
        long apart = match.disagreements();
        if (count + apart == 0) {
            return null;
        }
        String members = count == 0
                ? ""
                : Words.count(count, "collective has", "collectives have") + " more members than their group. ";
        String disagree = apart == 0
                ? ""
                : "In " + Words.count(apart, "place", "places") + " ranks disagree about kind or size. ";
        return new Reason(
                "group_contradiction",
                count + apart,
                match.size(),
                (double) (count + apart) / match.size(),
                members + disagree + "Their members are not compared.",
                Set.of(Topic.MATCHING),
                count == 0 ? "" : "Record the ranks of process groups (PyTorch 2.4 or newer).");
    }
}
