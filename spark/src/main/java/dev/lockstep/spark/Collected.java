// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch.Group;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

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
     * @param call what it does, without what is in its group
     */
    record Member(int rank, int row, long ts, long dur, CollectiveCall call) implements Serializable {}

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

    /** Whether nobody leaves it before all have come: then it tells of clocks. */
    boolean tellsClocks() {
        return members.size() > 1 && call().kind().synchronising();
    }

    /** Members that it must have, -1 when unknown. */
    long expected(Group group, int listed) {
        return Collectives.expected(group, call(), members.size(), listed);
    }

    /** Its size in bytes, -1 when unknown. */
    long bytes(Group group, int listed) {
        return Bandwidth.size(call(), expected(group, listed));
    }

    /**
     * By member, from its start to the last start.
     *
     * @param offsets how far the clocks of ranks are ahead
     */
    long[] waits(Map<Integer, Long> offsets) {
        long[] waits = new long[members.size()];
        for (int m = 0; m < waits.length; m++) {
            waits[m] = members.get(m).ts() - offsets.getOrDefault(members.get(m).rank(), 0L);
        }
        long last = Arrays.stream(waits).max().orElse(0);
        for (int m = 0; m < waits.length; m++) {
            waits[m] = last - waits[m];
        }
        return waits;
    }

    /** By member, its duration without the wait, at least 0. */
    long[] transfers(long[] waits) {
        long[] transfers = new long[waits.length];
        for (int m = 0; m < waits.length; m++) {
            transfers[m] = Math.max(0, members.get(m).dur() - waits[m]);
        }
        return transfers;
    }
}
