// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankWork;
import dev.lockstep.model.IntervalSet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank takes in each of its steps, without waiting: the one definition for every command.
 *
 * <p>A step lasts from the end of the step before to the end of its own last activity, or of its mark where that is later. So what the rank
 * does before its first kernel (loading data, say), pauses in the middle, and what it does at the end (writing a checkpoint) all belong to
 * the step. The first step that was
 * recorded begins with its mark, or with its first activity where that is earlier. What is the rank's own is the step without exposed
 * communication: communication that no computation hides, waiting included.
 */
public final class OwnTimes {
    private OwnTimes() {}

    /**
     * {@return the steps of a rank that have activity, in order}
     *
     * @param trace of the rank
     * @param timeline its steps
     */
    public static List<StepsByRank.Step> of(DerivedCache trace, StepTimeline.Result timeline) {
        RankWork work = trace.get(RankCollectives.Key.standard()).work();
        IntervalSet exposed = work.exposed();
        long[] begins =
                timeline.rows().stream().mapToLong(row -> row.step().start()).toArray();
        HostStages stages = HostStages.of(trace.trace(), work, begins);
        List<StepsByRank.Step> steps = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (int index = 0; index < timeline.rows().size(); index++) {
            StepTimeline.Row row = timeline.rows().get(index);
            if (row.activities() == 0) {
                continue;
            }
            long first = timeline.origin() + row.first();
            long from = before == Long.MIN_VALUE ? Math.min(first, row.step().start()) : before;
            long end = Math.max(
                    from, Math.max(first + row.parts().total(), row.step().end()));
            steps.add(new StepsByRank.Step(
                    row.step().number(),
                    index,
                    end - from,
                    end - from - exposed.within(from, end),
                    row.parts().computation(),
                    row.parts().exposedMemory(),
                    stages == null
                            ? null
                            : stages.within(row.step().start(), row.step().end())));
            before = end;
        }
        return steps;
    }
}
