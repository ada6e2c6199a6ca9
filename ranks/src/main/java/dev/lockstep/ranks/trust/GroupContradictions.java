// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

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
    public @Nullable Reason of(RunFacts run) {
        long count = run.counts().contradictory();
        long apart = run.counts().disagreements();
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
                run.counts().collectives(),
                (double) (count + apart) / run.counts().collectives(),
                members + disagree + "Their members are not compared.",
                Set.of(Topic.MATCHING),
                count == 0 ? "" : "Record the ranks of process groups (PyTorch 2.4 or newer).");
    }
}
