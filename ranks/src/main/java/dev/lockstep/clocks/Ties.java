// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What ties the clocks of ranks: kernels of one collective, or of both sides of a message, that end together. One point for
 * each kernel, with its times since the origin of all clocks. Of very many collectives, evenly chosen ones of each group.
 *
 * <p>All-reduces, reduce-scatters, all-gathers, barriers and all-to-alls of equal sizes end together, for nobody can leave
 * before all have come, and all have as much to do. Messages end together. Nothing is told from broadcasts and the like,
 * from all-to-alls of other or unknown sizes, and from calls that run together (coalesced): of these, some members may leave
 * early.
 */
public final class Ties {
    private static final int ENOUGH_POINTS = 400_000;
    private static final int FEWEST_OF_GROUP = 64;

    /** Sizes of an all-to-all that are not equal. */
    private static final long UNEQUAL = -2;

    /** Number of ranks. */
    final int ranks;

    /** Number of collectives. */
    final int instances;

    /** By collective: its first point; its points lie one behind the other. */
    final int[] firstPoint;

    /** By collective: a number that those of the same ranks have in common. */
    final int[] group;

    /** By point. */
    final int[] rank;

    /** By point. */
    final int[] instance;

    /** By point: start and end as the rank's clock showed them. */
    final long[] start;

    final long[] end;

    /** By rank. */
    final int[][] pointsOf;

    private Ties(Collector from) {
        ranks = from.ranks;
        instances = from.first.size();
        rank = from.rank.toArray();
        start = from.start.toArray();
        end = from.end.toArray();
        firstPoint = Arrays.copyOf(from.first.toArray(), instances + 1);
        firstPoint[instances] = rank.length;
        instance = new int[rank.length];
        group = new int[instances];
        IntList[] of = new IntList[ranks];
        Arrays.setAll(of, r -> new IntList(16));
        Map<IntBuffer, Integer> groups = new HashMap<>();
        for (int c = 0; c < instances; c++) {
            int[] members = Arrays.copyOfRange(rank, firstPoint[c], firstPoint[c + 1]);
            Integer known = groups.putIfAbsent(IntBuffer.wrap(members), groups.size());
            group[c] = known == null ? groups.size() - 1 : known;
            for (int point = firstPoint[c]; point < firstPoint[c + 1]; point++) {
                instance[point] = c;
                of[rank[point]].add(point);
            }
        }
        pointsOf = new int[ranks][];
        Arrays.setAll(pointsOf, r -> of[r].toArray());
    }

    /** Takes collectives that tie clocks, in an order that depends on them alone. Confined to one thread. */
    public static final class Collector {
        private final int ranks;
        private final IntList first = new IntList(256);
        private final IntList rank = new IntList(1024);
        private final LongList start = new LongList(1024);
        private final LongList end = new LongList(1024);

        /** @param ranks number of ranks */
        public Collector(int ranks) {
            this.ranks = ranks;
        }

        /** Begins a collective, whose members follow. */
        public void collective() {
            first.add(rank.size());
        }

        /**
         * Adds a member; members come by place.
         *
         * @param place of its rank among the ranks
         * @param starts start of its kernel in ns since the origin of all clocks, as the rank's clock showed it
         * @param ends its end, likewise
         */
        public void member(int place, long starts, long ends) {
            rank.add(place);
            start.add(starts);
            end.add(ends);
        }

        /** What was taken. */
        public Ties ties() {
            return new Ties(this);
        }
    }

    /** What ties the ranks of a match. */
    static Ties of(CollectiveMatch match) {
        IntList usable = new IntList(256);
        long[] ofGroup = new long[match.groups().size()];
        for (int i = 0; i < match.size(); i++) {
            if (isOne(match, i)) {
                usable.add(i);
                ofGroup[match.group(i)]++;
            }
        }
        long groups = Arrays.stream(ofGroup).filter(n -> n > 0).count();
        long[] seen = new long[ofGroup.length];
        Collector chosen = new Collector(match.ranks().size());
        for (int u = 0; u < usable.size(); u++) {
            int i = usable.get(u);
            int of = match.group(i);
            if (seen[of]++ % stride(ofGroup[of], groups, match.members(i)) == 0) {
                add(match, i, chosen);
            }
        }
        return chosen.ties();
    }

    private static void add(CollectiveMatch match, int i, Collector chosen) {
        chosen.collective();
        for (int m = 0; m < match.members(i); m++) {
            RankCollectives kernels = match.ranks().get(match.rank(i, m));
            int row = match.row(i, m);
            long origin = kernels.info().originNs();
            chosen.member(match.rank(i, m), kernels.ts(row) + origin, kernels.end(row) + origin);
        }
    }

    /**
     * {@return of the collectives of a group, every how manieth is enough}
     *
     * @param ofGroup how many of its collectives tie clocks
     * @param groups how many groups have such collectives
     * @param members of the collective that is asked about
     */
    public static long stride(long ofGroup, long groups, int members) {
        long wanted = Math.max(FEWEST_OF_GROUP, ENOUGH_POINTS / Math.max(1, groups) / Math.max(1, members));
        return Math.max(1, ofGroup / wanted);
    }

    private static boolean isOne(CollectiveMatch match, int i) {
        CollectiveCall[] calls = new CollectiveCall[match.members(i)];
        for (int m = 0; m < calls.length; m++) {
            calls[m] = match.call(i, m);
        }
        return isOne(match.groups().get(match.group(i)), List.of(calls), match.isCoalesced(i));
    }

    /**
     * {@return whether the members of a collective end together}
     *
     * @param group its group
     * @param calls what its members called
     * @param coalesced whether it is one of several that were called as one
     */
    public static boolean isOne(Group group, List<CollectiveCall> calls, boolean coalesced) {
        CollectiveCall first = calls.getFirst();
        boolean tooMany = !group.isPair() && first.groupSize() > 0 && calls.size() > first.groupSize();
        if (coalesced || calls.size() < 2 || tooMany || isCoalesced(first.collective())) {
            return false;
        }
        return switch (first.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BARRIER -> true;
            case ALL_TO_ALL, ALL_TO_ALL_V -> areEqual(calls);
            case SEND, RECEIVE ->
                group.isPair()
                        && calls.size() == 2
                        && first.kind() != calls.getLast().kind();
            case BROADCAST, REDUCE, GATHER, SCATTER, SEND_RECEIVE, OTHER -> false;
        };
    }

    private static boolean isCoalesced(@Nullable String collective) {
        return collective != null && collective.contains("coalesced");
    }

    private static boolean areEqual(List<CollectiveCall> calls) {
        long size = part(calls.getFirst());
        return size != UNEQUAL && calls.stream().allMatch(call -> part(call) == size);
    }

    /** What each pair of members of an all-to-all exchanges, in elements; -1 where it is equal by its name alone. */
    private static long part(CollectiveCall call) {
        long[] in = RankNumbers.of(call.inSplit());
        long[] out = RankNumbers.of(call.outSplit());
        if (in.length == 0 && out.length == 0) {
            boolean equal = call.kind() == CollectiveKind.ALL_TO_ALL
                    && (call.inElements() < 0 || call.outElements() < 0 || call.inElements() == call.outElements());
            return equal ? -1 : UNEQUAL;
        }
        boolean whole = isWhole(call.inSplit(), in, call) && isWhole(call.outSplit(), out, call);
        long size = in.length > 0 ? in[0] : UNEQUAL;
        boolean equal =
                Arrays.stream(in).allMatch(v -> v == size) && Arrays.stream(out).allMatch(v -> v == size);
        return whole && equal && size > 0 ? size : UNEQUAL;
    }

    /** Whether a list names all members: long ones may be shortened. */
    private static boolean isWhole(@Nullable String text, long[] numbers, CollectiveCall call) {
        return numbers.length > 0
                && text != null
                && !text.contains("...")
                && (call.groupSize() < 0 || numbers.length == call.groupSize());
    }
}
