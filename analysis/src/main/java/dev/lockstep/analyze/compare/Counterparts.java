// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.table.IntList;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the baseline needs for work of the candidate, for sheets that show groups of the candidate's device activity. */
public final class Counterparts {
    /**
     * What stands against a group of activities.
     *
     * @param operators how many operators with a counterpart the activities belong to
     * @param baselineNs sum of the durations of what the baseline runs in these operators
     * @param candidateNs the same for the candidate
     */
    public record Counterpart(int operators, long baselineNs, long candidateNs) {}

    private final OpForest candidate;
    private final OpAlignment alignment;
    private final Attribution attribution;
    private final long[] baselineNs;
    private final long[] candidateNs;

    /** The times are those of all activities compared at a node; the arrays pass to this object. */
    Counterparts(
            OpForest candidate, OpAlignment alignment, Attribution attribution, long[] baselineNs, long[] candidateNs) {
        this.candidate = candidate;
        this.alignment = alignment;
        this.attribution = attribution;
        this.baselineNs = baselineNs;
        this.candidateNs = candidateNs;
    }

    /** What stands against these device slices of the candidate, or null where no operator around them has a counterpart. */
    public @Nullable Counterpart of(IntList deviceSlices) {
        Set<Integer> contexts = new HashSet<>();
        for (int i = 0; i < deviceSlices.size(); i++) {
            int node = candidate.launcher(deviceSlices.get(i));
            int context = node < 0 ? -1 : attribution.context(true, node);
            if (context >= 0) {
                contexts.add(context);
            }
        }
        long first = 0;
        long second = 0;
        for (int context : contexts) {
            first += baselineNs[alignment.ofCandidate(context)];
            second += candidateNs[context];
        }
        return contexts.isEmpty() ? null : new Counterpart(contexts.size(), first, second);
    }
}
