// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import dev.lockstep.goal.stored.Operations;
import java.util.Arrays;

/**
 * Lines of events in front of processors and sides of network cards; first come, first served. Only the first of a line is
 * among the events to come, so that many who wait are not looked at over and over. A line is told by its number, the rank it
 * belongs to and the place within the rank together.
 */
final class WaitingLines {
    /** No event, and no line. */
    static final long NONE = -1;

    private final Operations[] ranks;
    private final int perRank;
    private final long[][] next;
    private final long[][] line;
    private final long[][] last;

    /** @param perRank how many lines a rank has */
    WaitingLines(Operations[] ranks, int perRank) {
        this.ranks = ranks;
        this.perRank = perRank;
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
            last[owner] = none(perRank);
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
    long number(int rank, int place) {
        return (long) rank * perRank + place;
    }

    int rankOf(long number) {
        return (int) (number / perRank);
    }

    int placeOf(long number) {
        return (int) (number % perRank);
    }

    private static long[] none(int size) {
        long[] none = new long[size];
        Arrays.fill(none, NONE);
        return none;
    }
}
