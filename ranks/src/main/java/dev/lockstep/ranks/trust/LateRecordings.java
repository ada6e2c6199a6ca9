// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.ranks.MatchedRanks;
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
    public @Nullable Reason of(MatchedRanks run) {
        Collectives all = run.collectives();
        long count = 0;
        long before = 0;
        long running = 0;
        for (Collective one : all.all()) {
            for (int m = 0; m < one.present(); m++) {
                running += Math.max(0, all.end(one.instance(), m) - all.start(one.instance(), m));
            }
            long out = before(all, one);
            count += out > 0 ? 1 : 0;
            before += out;
        }
        if (count == 0) {
            return null;
        }
        return reason(run, count, before, running);
    }

    private static Reason reason(MatchedRanks run, long count, long before, long running) {
        Collectives all = run.collectives();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        int late = 0;
        int reference = all.clocks().reference();
        for (int place = 0; place < run.present().size(); place++) {
            if (all.clock().compares(place, reference)) {
                long from = all.clock().begin(place);
                late = from > last ? place : late;
                first = Math.min(first, from);
                last = Math.max(last, from);
            }
        }
        return new Reason(
                "late_recording",
                count,
                all.all().size(),
                running == 0 ? 0 : (double) before / running,
                "The recordings begin " + Words.time(Math.max(0, last - first)) + " apart, that of rank "
                        + run.present().get(late).rank() + " last. Waiting in "
                        + Words.count(count, "collective", "collectives") + " before that is unknown.",
                Set.of(Topic.OUTSIDE),
                "Start the profilers in the same step of all ranks.");
    }

    /** How long members ran before the recording of the last began, in ns; 0 where waiting is known or nobody waits. */
    private static long before(Collectives all, Collective one) {
        if (one.waiting() != Waiting.UNKNOWN) {
            return 0;
        }
        int last = 0;
        for (int m = 1; m < one.present(); m++) {
            last = all.start(one.instance(), m) > all.start(one.instance(), last) ? m : last;
        }
        long begin = all.clock().begin(all.match().rank(one.instance(), last));
        long before = 0;
        for (int m = 0; m < one.present(); m++) {
            before += Math.max(0, Math.min(begin, all.end(one.instance(), m)) - all.start(one.instance(), m));
        }
        return before;
    }
}
