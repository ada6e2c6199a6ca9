// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.ClockOffsets;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.LongColumn;

/**
 * How the members of a collective lie in time, in ns on one clock. Of members that start at the same time the lowest is
 * first and last.
 *
 * @param firstStart start of the first member
 * @param lastStart start of the last member
 * @param beforeLast start of the last member but one; {@link Long#MIN_VALUE} if there is only one
 * @param latency the shortest member
 * @param first place of the member that came first
 * @param last place of the member that came last
 */
record Spread(
        long firstStart,
        long lastStart,
        long beforeLast,
        long firstEnd,
        long lastEnd,
        long latency,
        int first,
        int last) {
    static Spread of(CollectiveMatch match, ClockOffsets clocks, int instance) {
        long firstStart = Long.MAX_VALUE;
        long lastStart = Long.MIN_VALUE;
        long beforeLast = Long.MIN_VALUE;
        long firstEnd = Long.MAX_VALUE;
        long lastEnd = Long.MIN_VALUE;
        long latency = Long.MAX_VALUE;
        int first = 0;
        int last = 0;
        for (int m = 0; m < match.members(instance); m++) {
            long start = start(match, clocks, instance, m);
            long duration = kernels(match, instance, m).dur(match.row(instance, m));
            if (start < firstStart) {
                firstStart = start;
                first = m;
            }
            if (start > lastStart) {
                beforeLast = lastStart;
                lastStart = start;
                last = m;
            } else {
                beforeLast = Math.max(beforeLast, start);
            }
            firstEnd = Math.min(firstEnd, start + duration);
            lastEnd = Math.max(lastEnd, start + duration);
            latency = Math.min(latency, duration);
        }
        return new Spread(firstStart, lastStart, beforeLast, firstEnd, lastEnd, latency, first, last);
    }

    /**
     * When the kernel of the member that came last was launched, not later than it started; {@link LongColumn#ABSENT} if
     * that is not known.
     */
    long launchOfLast(CollectiveMatch match, ClockOffsets clocks, int instance) {
        long launch = kernels(match, instance, last).launch(match.row(instance, last));
        return launch == LongColumn.ABSENT
                ? LongColumn.ABSENT
                : Math.min(launch - clocks.offset(match.rank(instance, last)), lastStart);
    }

    /** Time that members had waited for the last at this moment, summed over members. */
    long waitedUntil(CollectiveMatch match, ClockOffsets clocks, int instance, long moment) {
        long waited = 0;
        for (int m = 0; m < match.members(instance); m++) {
            waited += Math.max(0, moment - start(match, clocks, instance, m));
        }
        return waited;
    }

    /**
     * Time that members had waited when the kernel of the last was launched, as far as its host was the cause. While the
     * launching thread stood in a call that waits for the device, and the device worked, the device was.
     */
    long waitedForHost(CollectiveMatch match, ClockOffsets clocks, int instance, long launch) {
        long offset = clocks.offset(match.rank(instance, last));
        IntervalSet blocked = kernels(match, instance, last).blocked(match.row(instance, last));
        long waited = 0;
        for (int m = 0; m < match.members(instance); m++) {
            long from = start(match, clocks, instance, m);
            if (from < launch) {
                waited += launch - from - blocked.within(from + offset, launch + offset);
            }
        }
        return waited;
    }

    private static long start(CollectiveMatch match, ClockOffsets clocks, int instance, int member) {
        return kernels(match, instance, member).ts(match.row(instance, member))
                - clocks.offset(match.rank(instance, member));
    }

    private static RankCollectives kernels(CollectiveMatch match, int instance, int member) {
        return match.ranks().get(match.rank(instance, member));
    }
}
