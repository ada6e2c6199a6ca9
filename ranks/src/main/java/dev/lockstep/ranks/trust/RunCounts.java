// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch.Group;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What collectives say of whether the traces of a run agree. Those of parts of a run add up.
 *
 * @param collectives how many there are
 * @param contradictory of them, those with more members than their group has
 * @param disagreements places at which members disagree about kind or size
 * @param kernels members of all
 * @param messages of them, those that send or receive
 * @param unpaired of these, those without a partner
 * @param outside collectives in which members waited before the recording of the last began
 * @param beforeNs how long members ran then
 * @param runningNs how long members ran in all
 * @param outlasting collectives of which one member ends long after all others, though they end together
 * @param outlastingNs how long these members run on
 */
public record RunCounts(
        long collectives,
        long contradictory,
        long disagreements,
        long kernels,
        long messages,
        long unpaired,
        long outside,
        long beforeNs,
        long runningNs,
        long outlasting,
        long outlastingNs)
        implements Serializable {
    /** Of two members nobody can say which is right. */
    private static final int FEWEST = 3;

    /** What the last part of a collective takes, and errors of clocks, are less. */
    private static final long LONG = 1_000_000;

    private static final int TIMES_AS_LONG = 10;

    /** No collectives. */
    public static final RunCounts NONE = new RunCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * One collective.
     *
     * @param isKnown whether its waiting is known, or nobody waits in it
     * @param isContradictory whether it contradicts itself
     * @param start of its members on the common clock
     * @param end of its members, likewise
     * @param unrecorded by member, until when the recording of the member that starts last had not begun for certain
     */
    public static RunCounts of(
            Group group,
            CollectiveCall call,
            boolean isKnown,
            boolean isContradictory,
            long[] start,
            long[] end,
            long[] unrecorded) {
        int members = start.length;
        boolean message = call.kind().exchangesMessages();
        boolean paired = group.isPair() && members == 2;
        long before = 0;
        long running = 0;
        for (int m = 0; m < members; m++) {
            before += isKnown ? 0 : Math.max(0, Math.min(unrecorded[m], end[m]) - start[m]);
            running += Math.max(0, end[m] - start[m]);
        }
        long outlasting = endTogether(call) ? outlasting(end) : 0;
        return new RunCounts(
                1,
                isContradictory ? 1 : 0,
                0,
                members,
                message ? members : 0,
                message && !paired ? members : 0,
                before > 0 ? 1 : 0,
                before,
                running,
                outlasting > 0 ? 1 : 0,
                outlasting);
    }

    /** Whether members end together, so that none can go on alone. */
    private static boolean endTogether(CollectiveCall call) {
        String name = call.collective();
        return switch (call.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BARRIER -> name == null || !name.contains("coalesced");
            default -> false;
        };
    }

    /** How long the member that ends last runs on without the others, where that is long beside what lies between their ends; else 0. */
    private static long outlasting(long[] end) {
        if (end.length < FEWEST) {
            return 0;
        }
        long[] sorted = end.clone();
        Arrays.sort(sorted);
        long others = sorted[end.length - 2];
        long alone = sorted[end.length - 1] - others;
        return alone > Math.max(LONG, TIMES_AS_LONG * (others - sorted[0])) ? alone : 0;
    }

    /**
     * {@return by member, until when the recording of the member that starts last had not begun for certain}
     *
     * @param places of their ranks, as the clock knows them
     * @param start of the members on the clock
     */
    public static long[] unrecorded(CommonClock clock, int[] places, long[] start) {
        int last = places[last(start)];
        return Arrays.stream(places)
                .mapToLong(place -> clock.surelyBefore(place, last))
                .toArray();
    }

    /** The member that starts last; of several the first. */
    private static int last(long[] start) {
        int last = 0;
        for (int m = 1; m < start.length; m++) {
            last = start[m] > start[last] ? m : last;
        }
        return last;
    }

    /** Those of both. */
    public RunCounts plus(RunCounts other) {
        return new RunCounts(
                collectives + other.collectives,
                contradictory + other.contradictory,
                disagreements + other.disagreements,
                kernels + other.kernels,
                messages + other.messages,
                unpaired + other.unpaired,
                outside + other.outside,
                beforeNs + other.beforeNs,
                runningNs + other.runningNs,
                outlasting + other.outlasting,
                outlastingNs + other.outlastingNs);
    }

    /** The same with places at which members disagree. */
    public RunCounts withDisagreements(long places) {
        return new RunCounts(
                collectives,
                contradictory,
                places,
                kernels,
                messages,
                unpaired,
                outside,
                beforeNs,
                runningNs,
                outlasting,
                outlastingNs);
    }
}
