// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.RankNumbers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How the members of a collective lie in time, in ns on one clock, and how long each waited for the last: no longer than its
 * own kernel ran. Members that have nothing to exchange neither wait nor are waited for. Of members that start at the same
 * time the lowest is first and last. Confined to one thread.
 */
public final class Arrivals {
    private static final long[] NOTHING = {};

    private final long[] start;
    private final long[] end;
    private final CollectiveCall[] calls;
    private final boolean[] joins;
    private final long[] waits;
    private int joining;
    private int first = -1;
    private int last = -1;
    private long beforeLast = Long.MIN_VALUE;
    private long firstEnd = Long.MAX_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private long latency = Long.MAX_VALUE;
    private long longest;

    /**
     * The members, in order of ranks; the arrays pass to it.
     *
     * @param start when their kernels started
     * @param end when they ended
     * @param calls what they called
     */
    public Arrivals(long[] start, long[] end, CollectiveCall[] calls) {
        this.start = start;
        this.end = end;
        this.calls = calls;
        joins = new boolean[start.length];
        waits = new long[start.length];
        for (int m = 0; m < start.length; m++) {
            joins[m] = exchangesAnything(calls[m]);
            joining += joins[m] ? 1 : 0;
        }
        for (int m = 0; m < start.length; m++) {
            if (joins[m] || joining == 0) {
                add(m);
            }
        }
    }

    private void add(int m) {
        if (first < 0 || start[m] < start[first]) {
            first = m;
        }
        if (last < 0 || start[m] > start[last]) {
            beforeLast = last < 0 ? beforeLast : start[last];
            last = m;
        } else {
            beforeLast = Math.max(beforeLast, start[m]);
        }
        firstEnd = Math.min(firstEnd, end[m]);
        lastEnd = Math.max(lastEnd, end[m]);
        latency = Math.min(latency, end[m] - start[m]);
        longest = Math.max(longest, end[m] - start[m]);
    }

    /** Whether a member of an all-to-all has anything to send or to get, as far as that is known. */
    private static boolean exchangesAnything(CollectiveCall call) {
        boolean toAll = call.kind() == CollectiveKind.ALL_TO_ALL || call.kind() == CollectiveKind.ALL_TO_ALL_V;
        return !toAll || call.inElements() != 0 || call.outElements() != 0;
    }

    /** Whether a member of an all-to-all exchanges anything with another one, as far as that is known. */
    private static boolean exchanges(CollectiveCall call, int other) {
        if (call.kind() != CollectiveKind.ALL_TO_ALL_V || other < 0) {
            return true;
        }
        return isSome(call.inSplit(), other) || isSome(call.outSplit(), other);
    }

    private static boolean isSome(@Nullable String split, int place) {
        long[] sizes = split == null || split.contains("...") ? NOTHING : RankNumbers.of(split);
        return place >= sizes.length || sizes[place] > 0;
    }

    /**
     * Finds out how long members waited for the last; before, and where it is unknown, none waited. It is unknown where times
     * cannot be compared, or are known no better than the kernels are long, and where they contradict each other: a member that
     * must wait for the last ended before it started, by more than clocks may be wrong. (Who sends may hand everything over and
     * leave.) It is unknown, too, where a member came before the recording of the last began: the last may have waited for its profiler.
     *
     * @param clock on which the times are
     * @param rank by member: the place by which the clock knows its rank
     * @param lastPlace place of the last among the members of its group, -1 when unknown
     */
    public Waiting find(CommonClock clock, int[] rank, int lastPlace) {
        for (int m = 0; m < start.length; m++) {
            if (joins[m] && m != last && exchanges(calls[m], lastPlace)) {
                boolean leftBefore = start[last] - end[m] > clock.error(rank[m], rank[last]);
                boolean comparable = clock.compares(rank[m], rank[last]) && isSteady(clock, rank, m);
                if (!comparable
                        || start[m] < clock.surelyBefore(rank[m], rank[last])
                        || leftBefore && calls[m].kind() != CollectiveKind.SEND) {
                    Arrays.fill(waits, 0);
                    return Waiting.UNKNOWN;
                }
                waits[m] = leftBefore ? 0 : Math.min(start[last], end[m]) - start[m];
            }
        }
        return Waiting.KNOWN;
    }

    /**
     * Whether the clocks of a member and of the last are on their lines here, or leave them by less than kernels are long. Where
     * members end together, their ends say it.
     */
    private boolean isSteady(CommonClock clock, int[] rank, int m) {
        long unsteady = clock.unsteady(rank[m], rank[last]);
        boolean endsTell = calls[m].kind() != CollectiveKind.ALL_TO_ALL_V
                && Math.abs(end[m] - end[last]) <= clock.steadyError(rank[m], rank[last]);
        return unsteady == 0 || unsteady < longest || endsTell;
    }

    /** Whether members wait for one another, and how much is known of it. */
    public enum Waiting {
        /** They do not, or there is only one. */
        NONE,
        /** It is known how long. */
        KNOWN,
        /** It is not known how long. */
        UNKNOWN
    }

    /** Whether a member has anything to exchange. */
    public boolean joins(int member) {
        return joins[member];
    }

    /** Number of members that have. */
    public int joining() {
        return joining;
    }

    /** Place of the member that came first. */
    int first() {
        return first;
    }

    /** Place of the member that came last. */
    public int last() {
        return last;
    }

    long firstStart() {
        return start[first];
    }

    long lastStart() {
        return start[last];
    }

    /** Start of the last member but one; {@link Long#MIN_VALUE} if there is only one. */
    long beforeLast() {
        return beforeLast;
    }

    long firstEnd() {
        return firstEnd;
    }

    long lastEnd() {
        return lastEnd;
    }

    /** The shortest member. */
    long latency() {
        return latency;
    }

    /** The longest member. */
    long longest() {
        return longest;
    }

    /** How long a member waited. */
    public long waitOf(int member) {
        return waits[member];
    }

    /** The same, summed over members. */
    long waited() {
        long sum = 0;
        for (long wait : waits) {
            sum += wait;
        }
        return sum;
    }

    /** How long a member had waited at a moment. */
    long waitedUntil(int member, long moment) {
        return Math.max(0, Math.min(moment - start[member], waits[member]));
    }

    /** Start of a member. */
    long start(int member) {
        return start[member];
    }
}
