// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import java.util.List;
import java.util.SortedSet;

/** Why it cannot be said whether a difference of runs is more than chance. */
public final class Unsure {
    private Unsure() {}

    /** {@return the ranks that all these runs have; none if there are no such, or no runs} */
    public static List<Integer> shared(List<RunBreakdown> runs) {
        SortedSet<Integer> shared =
                runs.isEmpty() ? RunBreakdown.NONE.ranks() : runs.getFirst().ranks();
        runs.forEach(run -> shared.retainAll(run.ranks()));
        return List.copyOf(shared);
    }

    /** {@return what these runs lack for an interval of their difference, in words that go on a sentence} */
    public static String why(List<RunSummary> runs) {
        List<Integer> shared = shared(runs.stream().map(RunSummary::times).toList());
        if (shared.isEmpty()) {
            return "no rank is in all of them. Record the same ranks of each";
        }
        List<String> uneven = runs.stream()
                .filter(run -> run.times().stepCounts(shared).size() > 1)
                .map(RunSummary::label)
                .toList();
        return uneven.isEmpty()
                ? "the reports hold fewer than two steps. Record several steps with step marks"
                : "ranks recorded different numbers of steps in " + String.join(", ", uneven);
    }
}
