// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.BitSet;

/**
 * At which moment of its call a launch is handed to the device. What the call does before is the host's: it loads the kernel, or
 * compiles it, or waits for a lock. Most devices start work when the call ends, whatever it took; some recordings show starts that
 * follow the beginning. Activities that surely waited for nothing but their launch say which of both it is, by majority: the moment
 * to which their distance differs less from the usual one.
 *
 * <p>Single calls may lie otherwise. Where starts follow ends, one that lasts on after its launch has launched before the start, as
 * long before as is usual. Where they follow beginnings, a call that takes longer than any launch first does something else.
 */
final class LaunchMoments {
    /** A start that follows the end of its call sooner than nine of ten do was launched before. */
    private static final double SOON = 0.1;

    private final RankGraph rank;
    private final Slices slices;
    private final LaunchLinks links;
    private final boolean followEnds;

    /** From the moment to the start, in ns: how little is usual, and how much. */
    private final long least;

    private final long usual;

    /** What calls take that launch, in ns. */
    private final long usualLength;

    /**
     * Finds out which moment it is.
     *
     * @param order what each activity follows on its stream
     */
    LaunchMoments(RankGraph rank, Slices slices, LaunchLinks links, StreamOrder order) {
        this.rank = rank;
        this.slices = slices;
        this.links = links;
        LongList afterBegins = new LongList(64);
        LongList afterEnds = new LongList(64);
        LongList lengths = new LongList(64);
        BitSet seen = new BitSet();
        for (int a = 0; a < rank.activity.size(); a++) {
            int call = call(a);
            if (call >= 0 && !seen.get(call)) {
                seen.set(call);
                boolean copied = rank.classOf(a) == PathClass.COPY && slices.end(call) >= rank.end(a);
                if (!copied && order.lastEnd(a) <= slices.ts(call)) {
                    afterBegins.add(rank.start(a) - slices.ts(call));
                    afterEnds.add(rank.start(a) - slices.end(call));
                    lengths.add(slices.dur(call));
                }
            }
        }
        followEnds = followEnds(afterBegins.toArray(), afterEnds.toArray());
        long[] sorted = sorted(followEnds ? afterEnds.toArray() : afterBegins.toArray());
        least = Quantiles.at(sorted, SOON, 0);
        usual = Quantiles.upperMedian(sorted, 0);
        usualLength = Quantiles.upperMedian(sorted(lengths.toArray()), 0);
    }

    private static boolean followEnds(long[] afterBegins, long[] afterEnds) {
        long usualAfterBegin = Quantiles.upperMedian(sorted(afterBegins.clone()), 0);
        long usualAfterEnd = Quantiles.upperMedian(sorted(afterEnds.clone()), 0);
        int more = 0;
        for (int i = 0; i < afterBegins.length; i++) {
            long offBegin = Math.abs(afterBegins[i] - usualAfterBegin);
            long offEnd = Math.abs(afterEnds[i] - usualAfterEnd);
            more += Integer.signum(Long.compare(offBegin, offEnd));
        }
        return more > 0;
    }

    private static long[] sorted(long[] values) {
        LongOrder.sort(values);
        return values;
    }

    /** The call that launched an activity, -1 where none is known. */
    int call(int a) {
        int call = links.launchOf(rank.activity.slice(a));
        return call >= 0 && slices.kind(call).isLaunchCall() ? call : -1;
    }

    /** From when on starts count that follow this call, unless it is an odd one out. */
    long usual(int call) {
        return followEnds ? slices.end(call) : slices.ts(call);
    }

    /** Whether the start of an activity says how long launching takes: one that comes sooner was launched before that moment. */
    boolean tells(int a) {
        return !followEnds || rank.start(a) - slices.end(call(a)) >= least;
    }

    /**
     * The first start of what a call launched.
     *
     * @param time when it was, in ns
     * @param onlyForLaunch whether there is nothing else that it may have waited for
     * @param blocked whether the call waited for the device
     */
    record Start(long time, boolean onlyForLaunch, boolean blocked) {}

    /**
     * When a call hands over to the device.
     *
     * @param longest what launches take at most, in ns
     */
    long of(int call, Start start, long longest) {
        long begin = slices.ts(call);
        long end = slices.end(call);
        long found;
        if (start.time >= end && (followEnds || start.blocked)
                || followEnds && !start.blocked && start.time - end >= least) {
            found = end;
        } else if (start.time < end && !start.onlyForLaunch) {
            found = followEnds ? begin + Math.min(usualLength, start.time - least - begin) : begin;
        } else if (followEnds) {
            found = start.time - Math.max(usual, 0);
        } else {
            long reached = Math.min(start.time, end);
            found = reached - begin <= longest ? begin : reached - Math.min(usual, longest);
        }
        return Math.max(begin, Math.min(end, found));
    }
}
