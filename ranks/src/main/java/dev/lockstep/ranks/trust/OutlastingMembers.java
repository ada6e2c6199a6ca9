// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code impossible_duration} across ranks: the kernel of one member ends long after those of all others, in a collective that none can
 * leave before the last. Where that happens often, it is the clock that is wrong, and not the kernels.
 */
final class OutlastingMembers implements RunDoubt {
    private static final int MOST_OF = 20;

    @Override
    public @Nullable Reason of(RunFacts run) {
        RunCounts counts = run.counts();
        if (counts.outlasting() == 0 || counts.outlasting() * MOST_OF > counts.collectives()) {
            return null;
        }
        return new Reason(
                "impossible_duration",
                counts.outlasting(),
                counts.collectives(),
                (double) counts.outlastingNs() / counts.runningNs(),
                "In " + Words.count(counts.outlasting(), "collective", "collectives")
                        + " one kernel ends long after those of all other ranks, by "
                        + Words.time(counts.outlastingNs()) + " in total. None can go on alone.",
                Set.of(Topic.WAITING, Topic.LATENESS),
                "The profiler wrote these durations: update it or record again.");
    }
}
