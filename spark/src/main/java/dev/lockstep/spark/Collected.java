// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.comm.Arrivals;
import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.clocks.Ties;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.ranks.trust.RunCounts;
import dev.lockstep.table.LongColumn;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A collective with the kernels of its members, by rank.
 *
 * @param place where it stands among all
 * @param members its members
 */
record Collected(Place place, List<Member> members) implements Serializable {
    /**
     * What kernels of a collective have in common. The order is that in which collectives are numbered.
     *
     * @param group place of the group among all
     * @param number recorded or counted within it
     * @param agreement place of what members agree on among all
     * @param repetition counts kernels of a rank with one recorded number
     */
    record Place(int group, long number, int agreement, int repetition) implements Comparable<Place>, Serializable {
        private static final Comparator<Place> ORDER = Comparator.comparingInt(Place::group)
                .thenComparingLong(Place::number)
                .thenComparingInt(Place::agreement)
                .thenComparingInt(Place::repetition);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * The kernel of a rank.
     *
     * @param rank its number
     * @param row place of the kernel among those of the rank
     * @param ts start in ns since the origin of the rank's trace
     * @param dur duration in ns
     * @param coalesced whether it is one of several that were called as one
     * @param call what it does, without what is in its group
     */
    record Member(int rank, int row, long ts, long dur, boolean coalesced, CollectiveCall call)
            implements Serializable {}

    static Collected of(Place place, Iterable<Member> members) {
        List<Member> sorted = new java.util.ArrayList<>();
        members.forEach(sorted::add);
        sorted.sort(Comparator.comparingInt(Member::rank).thenComparingInt(Member::row));
        return new Collected(place, sorted);
    }

    /** What its first member recorded. */
    CollectiveCall call() {
        return members.getFirst().call();
    }

    /** Whether its members end together: then it tells of clocks. */
    boolean tellsClocks(Group group) {
        return Ties.isOne(
                group,
                members.stream().map(Member::call).toList(),
                members.stream().anyMatch(Member::coalesced));
    }

    /** Members that it must have, -1 when unknown. */
    long expected(Group group, int listed) {
        return Collectives.expected(group, call(), members.size(), listed);
    }

    /** Its size in bytes, -1 when unknown. */
    long bytes(Group group, int listed) {
        return Bandwidth.size(call(), expected(group, listed));
    }

    /** By member, how long it waited for the last; {@link LongColumn#ABSENT} where it does not wait, or nobody knows how long. */
    long[] waits(RunClock clock, Group group) {
        Timed timed = timed(clock, group);
        long[] waits = new long[members.size()];
        for (int m = 0; m < waits.length; m++) {
            boolean known = timed.waiting == Waiting.KNOWN && timed.arrivals.joins(m);
            waits[m] = known ? timed.arrivals.waitOf(m) : LongColumn.ABSENT;
        }
        return waits;
    }

    /** What it says of whether the traces of the run agree. */
    RunCounts counts(RunClock clock, Group group) {
        Timed timed = timed(clock, group);
        return RunCounts.of(
                group,
                call(),
                timed.waiting != Waiting.UNKNOWN,
                isContradictory(group),
                timed.start,
                timed.end,
                RunCounts.unrecorded(clock.clock(), timed.places, timed.start));
    }

    private boolean isContradictory(Group group) {
        return CollectiveMatch.isContradictory(
                group, call(), members.size(), m -> members.get(m).rank());
    }

    /** Its members on the common clock. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Timed(long[] start, long[] end, int[] places, Arrivals arrivals, Waiting waiting) {}

    private Timed timed(RunClock clock, Group group) {
        int n = members.size();
        long[] start = new long[n];
        long[] end = new long[n];
        int[] places = new int[n];
        CollectiveCall[] calls = new CollectiveCall[n];
        for (int m = 0; m < n; m++) {
            Member member = members.get(m);
            places[m] = clock.place(member.rank());
            start[m] = clock.clock().at(places[m], member.ts());
            end[m] = clock.clock().at(places[m], member.ts() + member.dur());
            calls[m] = member.call();
        }
        Arrivals arrivals = new Arrivals(start, end, calls);
        return new Timed(start, end, places, arrivals, waiting(clock, group, arrivals, places));
    }

    private Waiting waiting(RunClock clock, Group group, Arrivals arrivals, int[] places) {
        if (!Collectives.wait(group, call(), arrivals.joining())) {
            return Waiting.NONE;
        }
        if (isContradictory(group)) {
            return Waiting.UNKNOWN;
        }
        boolean varies = call().kind() == CollectiveKind.ALL_TO_ALL_V;
        long[] listed = varies ? RankNumbers.of(group.members()) : new long[0];
        int last = Collectives.place(listed, members.get(arrivals.last()).rank());
        return arrivals.find(clock.clock(), places, last);
    }

    /** Durations without the wait, of the members of which it is known. */
    long[] transfers(long[] waits) {
        return IntStream.range(0, waits.length)
                .filter(m -> waits[m] != LongColumn.ABSENT)
                .mapToLong(m -> members.get(m).dur() - waits[m])
                .toArray();
    }
}
