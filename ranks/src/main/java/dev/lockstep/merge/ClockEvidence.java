// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;

/**
 * What is known of a rank's clock: its collectives, and from when to when it was recorded.
 *
 * @param collectives its collectives
 * @param firstNs begin of its first slice on the trace's own clock, 0 when there is none
 * @param lastNs end of its last slice
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public record ClockEvidence(RankCollectives collectives, long firstNs, long lastNs) {
    /**
     * {@return the evidence of a trace}
     *
     * @param trace a trace with its collectives, not yet aligned
     */
    public static ClockEvidence of(Trace trace) {
        Slices slices = trace.slices();
        long last = 0;
        for (int i = 0; i < slices.size(); i++) {
            last = Math.max(i == 0 ? Long.MIN_VALUE : last, slices.ts(i) + slices.dur(i));
        }
        return new ClockEvidence(
                new DerivedCache(trace).get(RankCollectives.Key.standard()),
                slices.size() == 0 ? 0 : slices.ts(0),
                last);
    }

    /**
     * {@return the same under what is now known about the trace}
     *
     * @param info what the trace says about itself, its final rank among it
     */
    public ClockEvidence withInfo(TraceInfo info) {
        return new ClockEvidence(collectives.withInfo(info), firstNs, lastNs);
    }

    TraceInfo info() {
        return collectives.info();
    }

    /** The first moment as time since the origin of all clocks. */
    long first() {
        return firstNs + info().originNs();
    }

    /** The last moment, likewise. */
    long last() {
        return lastNs + info().originNs();
    }
}
