// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.report.Chart.TimelineHead;

/** A row of a timeline that shows how a number changes. Where it changes too often, each stretch shows its largest value. */
final class CounterLane {
    /** As many values a row holds. */
    private static final int MOST_VALUES = 20_000;

    private final TimelineHead head;
    private final int kind;
    private final int name;

    /**
     * @param kind class of its slices
     * @param name text that says what is counted
     */
    CounterLane(TimelineHead head, int kind, int name) {
        this.head = head;
        this.kind = kind;
        this.name = name;
    }

    /**
     * The row.
     *
     * @param times when the number changes, ascending, in ns
     * @param values what it is from then on, 0 or more
     * @param n how many of both count
     */
    TimelineLane of(long[] times, int[] values, int n) {
        TimelineLane lane = new TimelineLane(head);
        long raster = n > MOST_VALUES ? (times[n - 1] - times[0]) / MOST_VALUES + 1 : 0;
        int most = 0;
        long from = n == 0 ? 0 : times[0];
        for (int i = 0; i < n; i++) {
            boolean last = i + 1 == n;
            most = Math.max(most, values[i]);
            if (last || times[i + 1] > times[i] && times[i + 1] - from >= raster) {
                long until = last ? times[i] : times[i + 1];
                if (until > from) {
                    lane.add(from, until, kind, name);
                    lane.counts(most);
                    from = until;
                }
                most = 0;
            }
        }
        return lane;
    }
}
