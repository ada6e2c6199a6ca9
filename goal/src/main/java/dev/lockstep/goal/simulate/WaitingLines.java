// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import dev.lockstep.goal.stored.Operations;
import java.util.Arrays;

/**
 * Lines of events in front of processors; first come, first served. There is a line for those that need a processor alone,
 * and one for those that need one side of one network card, too, so that whoever waits changes no line when the card is what
 * is busy. Only the first of a line is among the events to come, so that many who wait are not looked at over and over.
 */
final class WaitingLines {
    /** No event, and no line. */
    static final long NONE = -1;

    /** What an event needs besides a processor. */
    static final int CPU_ALONE = 0;

    static final int OUTGOING = 1;
    static final int INCOMING = 2;

    private static final int SIDES = 3;

    private final Operations[] ranks;
    private final int[] cpus;
    private final int nics;
    private final int perRank;
    private final long[][] next;
    private final long[][] line;
    private final long[][] last;

    /**
     * @param cpus how many processors each rank has
     * @param nics how many network cards
     */
    WaitingLines(Operations[] ranks, int[] cpus, int[] nics) {
        this.ranks = ranks;
        this.cpus = cpus.clone();
        this.nics = Arrays.stream(nics).max().orElse(1);
        perRank =
                Math.multiplyExact(SIDES * this.nics, Arrays.stream(cpus).max().orElse(1));
        next = new long[ranks.length][];
        line = new long[ranks.length][];
        last = new long[ranks.length][];
    }

    /** The line that an event waits in, or {@link #NONE}. */
    long lineOf(int rank, int operation) {
        return line[rank] == null ? NONE : line[rank][operation];
    }

    /** The event that waits behind another one in its line, or {@link #NONE}. */
    long behind(int rank, int operation) {
        return next[rank][operation];
    }

    /** Lets the first event of a line step out of it; it is to {@link #stepBack} or to {@link #close} behind it. */
    void stepOut(int rank, int operation) {
        line[rank][operation] = NONE;
    }

    /** Lets it be the first again, in front of those behind it. */
    void stepBack(long number, int rank, int operation) {
        line[rank][operation] = number;
    }

    /** States that the last event of a line has gone. */
    void close(long number) {
        last[rankOf(number)][placeOf(number)] = NONE;
    }

    /** Puts an event behind the others of a line; whether it is the first. */
    boolean join(long number, long event, int rank, int operation) {
        if (line[rank] == null) {
            line[rank] = none(ranks[rank].size());
            next[rank] = none(ranks[rank].size());
        }
        int owner = rankOf(number);
        if (last[owner] == null) {
            last[owner] = none(SIDES * nics * cpus[owner]);
        }
        long before = last[owner][placeOf(number)];
        last[owner][placeOf(number)] = event;
        line[rank][operation] = number;
        next[rank][operation] = NONE;
        if (before == NONE) {
            return true;
        }
        next[Simulation.rankOf(before)][(int) before] = event;
        return false;
    }

    /** The number of a line. */
    long of(int rank, int cpu, int side, int nic) {
        return (long) rank * perRank + ((long) cpu * nics + nic) * SIDES + side;
    }

    int rankOf(long number) {
        return (int) (number / perRank);
    }

    int cpuOf(long number) {
        return placeOf(number) / SIDES / nics;
    }

    int nicOf(long number) {
        return placeOf(number) / SIDES % nics;
    }

    int sideOf(long number) {
        return placeOf(number) % SIDES;
    }

    private int placeOf(long number) {
        return (int) (number % perRank);
    }

    private static long[] none(int size) {
        long[] none = new long[size];
        Arrays.fill(none, NONE);
        return none;
    }
}
