// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.IntervalSet;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the critical path of one rank, as it is shown; each begins where the one before ends.
 *
 * @param pathClass what the time went into
 * @param name the activity, or what the host was in for most of the time; null when unknown
 * @param operator the operator that launched it, or that the host was in; null when unknown
 * @param runs whether it is an activity itself, not a wait for one
 * @param profiler how much of it the profiler took, in ns, as far as the user said so
 * @param start in ns of the trace's time
 * @param end in ns of the trace's time
 */
public record PathPiece(
        PathClass pathClass,
        @Nullable String name,
        @Nullable String operator,
        boolean runs,
        long profiler,
        long start,
        long end) {
    /** The part of it that lies in a stretch of time; of no length where none does. */
    public PathPiece within(IntervalSet stretch) {
        long from = Math.clamp(start, stretch.start(0), stretch.end(0));
        long to = Math.clamp(end, from, stretch.end(0));
        long left = Math.round((double) profiler * (to - from) / Math.max(1, end - start));
        return new PathPiece(pathClass, name, operator, runs, left, from, to);
    }

    /** Whether mending what an opportunity is about would shorten this piece. */
    boolean isPartOf(Opportunity opportunity) {
        return switch (opportunity.subject()) {
            case "launches" -> pathClass == PathClass.LAUNCH_LATENCY;
            case "communication", "copy", "host" -> pathClass.spelling().equals(opportunity.subject());
            default ->
                runs
                        && pathClass == PathClass.COMPUTATION
                        && opportunity.subject().equals(operator);
        };
    }
}
