// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.analyze.TimelinePartNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the time of one rank went: the parts of its timeline. Every part has a time here: one that the timeline does not list
 * took none, since timelines leave out what did not happen.
 *
 * @param listed the parts that the timeline lists, in its order
 */
public record RankBreakdown(Map<String, Time> listed) {
    /** From the first start to the last end of device activity. */
    public static final String TOTAL = TimelinePartNames.TOTAL_TIME;

    /** Time with any communication, hidden or not. */
    public static final String COMMUNICATION = TimelinePartNames.TOTAL_COMM_TIME;

    /** Communication while no computation runs. */
    public static final String EXPOSED = TimelinePartNames.EXPOSED_COMM_TIME;

    /** What makes up the total, each nanosecond once. Idle time is either whole or told apart by the length of gaps. */
    public static final List<String> SHARES = List.of(
            TimelinePartNames.COMPUTATION_TIME,
            EXPOSED,
            TimelinePartNames.EXPOSED_MEMCPY_TIME,
            TimelinePartNames.EXPOSED_OTHER_TIME,
            TimelinePartNames.IDLE_TIME,
            TimelinePartNames.MICRO_IDLE_TIME,
            TimelinePartNames.MACRO_IDLE_TIME);

    /** No timeline: nothing is known. */
    public static final RankBreakdown UNKNOWN = new RankBreakdown(Map.of());

    /**
     * Of a part.
     *
     * @param ms time in ms
     * @param percent share of the total of the rank; NaN where that is not known
     */
    public record Time(double ms, double percent) {
        private static final Time NONE = new Time(0, 0);
    }

    public RankBreakdown {
        listed = Collections.unmodifiableMap(new LinkedHashMap<>(listed));
    }

    /** Whether there is no timeline. */
    public boolean isUnknown() {
        return listed.isEmpty();
    }

    /** Time and share of a part, none of either for a part that is not listed. Not for a rank without a timeline. */
    public Time of(String part) {
        return listed.getOrDefault(part, Time.NONE);
    }
}
