// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.report.Evidence;
import dev.lockstep.table.IntList;
import java.util.HashSet;
import java.util.List;
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

    private final MatchedTraces traces;
    private final long[] baselineNs;
    private final long[] candidateNs;
    private final long[] signatures;

    /**
     * The times are those of all activities compared at a node; the arrays pass to this object.
     *
     * @param signatures of the two operators of each row of {@code diff_matched_ops}
     */
    Counterparts(MatchedTraces traces, long[] baselineNs, long[] candidateNs, long[] signatures) {
        this.traces = traces;
        this.baselineNs = baselineNs;
        this.candidateNs = candidateNs;
        this.signatures = signatures;
    }

    /** Where in both traces each row of a sheet of the result lies. */
    List<Evidence> places(TraceDifference.Result result, String sheet) {
        return new DifferencePlaces(traces, result, signatures).of(sheet);
    }

    /** What stands against these device slices of the candidate, or null where no operator around them has a counterpart. */
    public @Nullable Counterpart of(IntList deviceSlices) {
        Set<Integer> contexts = new HashSet<>();
        for (int i = 0; i < deviceSlices.size(); i++) {
            int node = traces.two().launcher(deviceSlices.get(i));
            int context = node < 0 ? -1 : traces.attribution().context(true, node);
            if (context >= 0) {
                contexts.add(context);
            }
        }
        long first = 0;
        long second = 0;
        for (int context : contexts) {
            first += baselineNs[traces.alignment().ofCandidate(context)];
            second += candidateNs[context];
        }
        return contexts.isEmpty() ? null : new Counterpart(contexts.size(), first, second);
    }
}
