// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Where the communication kernels of one rank belong among those of its run: kernels of several ranks with the same group, number,
 * repetition and agreement are one collective. Needs nothing of other ranks, so that whoever matches them need not hold all.
 */
public final class CollectivePlaces {
    private final List<Group> numbered = new ArrayList<>();
    private final List<Group> ordered = new ArrayList<>();
    private final List<String> agreements = new ArrayList<>();
    private final boolean[] isNumbered;
    private final long[] number;
    private final int[] repetition;
    private final BitSet coalesced = new BitSet();

    /**
     * The places of a rank's kernels.
     *
     * @param rank its number in the run
     * @param calls what its kernels do, once each
     * @param call of each kernel, place of its call
     * @param sequence of each kernel, its recorded number, -1 when not recorded
     */
    public CollectivePlaces(int rank, List<CollectiveCall> calls, int[] call, long[] sequence) {
        this(rank, calls, call, sequence, IntStream.range(0, call.length).toArray());
    }

    /** @param order the kernels in the order in which they count where numbers are not recorded */
    private CollectivePlaces(int rank, List<CollectiveCall> calls, int[] call, long[] sequence, int[] order) {
        Map<String, long[]> members = new HashMap<>();
        Map<Group, Integer> groups = new HashMap<>();
        int[] byNumber = new int[calls.size()];
        int[] byOrder = new int[calls.size()];
        for (int c = 0; c < byNumber.length; c++) {
            numbered.add(groupOf(rank, calls.get(c), true, members));
            ordered.add(groupOf(rank, calls.get(c), false, members));
            agreements.add(agreementOf(calls.get(c)));
            byNumber[c] = id(groups, numbered.get(c));
            byOrder[c] = id(groups, ordered.get(c));
        }
        isNumbered = new boolean[call.length];
        number = new long[call.length];
        repetition = new int[call.length];
        long[] next = new long[groups.size()];
        LongIntMap[] seen = new LongIntMap[groups.size()];
        for (int i : order) {
            int group = byNumber[call[i]];
            isNumbered[i] = sequence[i] >= 0 && group != byOrder[call[i]];
            if (isNumbered[i]) {
                number[i] = sequence[i];
                if (seen[group] == null) {
                    seen[group] = new LongIntMap(1 << 8);
                }
                repetition[i] = seen[group].get(number[i]) + 1;
                seen[group].put(number[i], repetition[i]);
            } else {
                number[i] = next[byOrder[call[i]]]++;
            }
        }
        for (int i = 0; i < call.length; i++) {
            coalesced.set(i, isNumbered[i] && seen[byNumber[call[i]]].get(number[i]) > 0);
        }
    }

    private static int id(Map<Group, Integer> groups, Group group) {
        Integer known = groups.putIfAbsent(group, groups.size());
        return known == null ? groups.size() - 1 : known;
    }

    static CollectivePlaces of(RankCollectives kernels) {
        int[] call = new int[kernels.size()];
        long[] sequence = new long[call.length];
        for (int i = 0; i < call.length; i++) {
            call[i] = kernels.callIndex(i);
            sequence[i] = kernels.sequence(i);
        }
        return new CollectivePlaces(kernels.rank(), kernels.calls(), call, sequence, kernels.inOrderOfIssue());
    }

    /** The group of the kernels of a call, of those with recorded numbers or of those without. */
    public Group group(int call, boolean numbers) {
        return (numbers ? numbered : ordered).get(call);
    }

    /** What members of an instance must have in common with kernels of a call. */
    public String agreement(int call) {
        return agreements.get(call);
    }

    /** Whether a kernel's number was recorded, and counts. */
    public boolean isNumbered(int kernel) {
        return isNumbered[kernel];
    }

    /** Recorded number of a kernel, else its place in the order of its group. */
    public long number(int kernel) {
        return number[kernel];
    }

    /** Counts kernels of one group with one recorded number, from 0; 0 where numbers are not recorded. */
    public int repetition(int kernel) {
        return repetition[kernel];
    }

    /** Whether the rank has several kernels of one group with this kernel's recorded number: parts of one call. */
    public boolean isCoalesced(int kernel) {
        return coalesced.get(kernel);
    }

    private static Group groupOf(int rank, CollectiveCall call, boolean numbered, Map<String, long[]> members) {
        String name = Objects.requireNonNullElse(call.group(), "");
        String ranks = Objects.requireNonNullElse(call.groupRanks(), "");
        if (call.group() == null && call.groupRanks() == null) {
            String kind = call.host() == null ? kindOf(call) : call.host() + ' ' + kindOf(call);
            return new Group(Basis.KIND_AND_ORDER, "", "", -1, -1, kind);
        }
        if (call.kind().pointToPoint() && call.peer() >= 0) {
            long[] places = members.computeIfAbsent(ranks, RankNumbers::of);
            long own = place(places, rank);
            long other = place(places, call.peer());
            boolean sends = call.kind() == CollectiveKind.SEND;
            return new Group(Basis.GROUP_AND_ORDER, name, ranks, sends ? own : other, sends ? other : own, call.host());
        }
        return new Group(numbered ? Basis.SEQUENCE : Basis.GROUP_AND_ORDER, name, ranks, -1, -1, call.host());
    }

    private static String kindOf(CollectiveCall call) {
        return call.kind() == CollectiveKind.OTHER ? call.name() : call.kind().word();
    }

    /** The place of a rank in its group; the rank itself where members are not recorded. */
    private static long place(long[] members, long rank) {
        for (int i = 0; i < members.length; i++) {
            if (members[i] == rank) {
                return i;
            }
        }
        return rank;
    }

    /** What members of an instance must have in common. */
    private static String agreementOf(CollectiveCall call) {
        long size = switch (call.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, REDUCE, GATHER, SEND -> call.inElements();
            case BROADCAST, SCATTER, RECEIVE -> call.outElements() >= 0 ? call.outElements() : call.inElements();
            case ALL_TO_ALL_V, SEND_RECEIVE, BARRIER, OTHER -> -1;
        };
        return (call.kind().pointToPoint() ? "message" : kindOf(call)) + '\0' + call.dtype() + '\0' + size;
    }
}
