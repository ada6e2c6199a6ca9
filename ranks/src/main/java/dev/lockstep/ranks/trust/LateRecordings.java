// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code late_recording}: members of a collective waited before the recording of another one began. How long they waited for that rank,
 * and how long for its profiler, is unknown.
 */
final class LateRecordings implements RunDoubt {
    @Override
    public @Nullable Reason of(RunFacts run) {
        RunCounts counts = run.counts();
        if (counts.outside() == 0) {
            return null;
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        int late = 0;
        for (int place = 0; place < run.ranks().size(); place++) {
            if (run.isCompared(place)) {
                long from = run.clock().begin(place);
                late = from > last ? place : late;
                first = Math.min(first, from);
                last = Math.max(last, from);
            }
        }
        return new Reason(
                "late_recording",
                counts.outside(),
                counts.collectives(),
                counts.runningNs() == 0 ? 0 : (double) counts.beforeNs() / counts.runningNs(),
                "The traces of ranks begin " + Words.time(Math.max(0, last - first)) + " apart, that of rank "
                        + run.ranks().get(late) + " last. Waiting in "
                        + Words.count(counts.outside(), "collective", "collectives") + " before that is unknown.",
                Set.of(Topic.OUTSIDE),
                "Start the profilers in the same step of all ranks.");
    }
}
