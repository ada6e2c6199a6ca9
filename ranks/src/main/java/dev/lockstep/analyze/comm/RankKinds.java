// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.derive.RankWork.KernelTotal;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which ranks do the same work, so that their times can be compared. They have most names of computing kernels in common,
 * communicate equally often, and exchange messages with ranks on the same side: in a pipeline the first and the last stage may compute
 * much like those in the middle, but they have a neighbour on one side only, and work that the others do not have. Stages need not be
 * equal, either: of ranks that exchange messages, those are alike that launch each computing kernel equally often or work together on one
 * stage, which a process group says whose members exchange no messages. Other ranks may have picked variants of kernels, each its own:
 * where they launch equally many in all, most launches in common will do. A stage is of the kind of the first one whose
 * rank in the middle does like work.
 */
public final class RankKinds {
    /** From which share of computing kernels in common on ranks are alike, of their names or of their launches. */
    private static final double ALIKE = 0.8;

    /** Steps are not all equal: by such a share of the larger number, or one a step, like ranks may differ. */
    private static final double TOLERANCE = 0.25;

    /** Ranks launch computing kernels equally often where they differ by such a share at most, or by one in every other step. */
    private static final double LAUNCHES = 0.01;

    private static final double LAUNCHES_OF_STEP = 0.5;

    /** The side of a message whose other side is not recorded. */
    private static final int SOMEWHERE = 4;

    private RankKinds() {}

    /**
     * What a rank does.
     *
     * @param computing how often it runs each computing kernel in a step, by name
     * @param communication how often it runs each communication kernel in a step, by name
     * @param neighbours on which {@linkplain #side sides} it exchanges messages
     */
    public record Work(Map<String, Double> computing, Map<String, Double> communication, int neighbours)
            implements Serializable {
        /** Copies both. */
        public Work {
            computing = Map.copyOf(computing);
            communication = Map.copyOf(communication);
        }

        /** {@return what a rank does, by its communication kernels and the sums of its computing ones} */
        public static Work of(RankCollectives rank) {
            BitSet steps = new BitSet();
            for (int row = 0; row < rank.size(); row++) {
                if (rank.step(row) >= 0) {
                    steps.set(rank.step(row));
                }
            }
            boolean known = !steps.isEmpty();
            double each = 1.0 / Math.max(1, steps.cardinality());
            Map<String, Double> often = new HashMap<>();
            int neighbours = 0;
            for (int row = 0; row < rank.size(); row++) {
                neighbours |= side(rank.rank(), rank.call(row));
                if (!known || rank.step(row) >= 0) {
                    often.merge(rank.call(row).name(), each, Double::sum);
                }
            }
            Map<String, Double> computing = new HashMap<>();
            for (KernelTotal kernel : rank.work().kernels()) {
                computing.merge(kernel.name(), kernel.count() * each, Double::sum);
            }
            return new Work(computing, often, neighbours);
        }

        /** {@return on which side of a rank the other side of a message is, 4 where that is not recorded; 0 of what is no message} */
        public static int side(int rank, CollectiveCall call) {
            return call.peer() < 0 && call.kind().exchangesMessages() ? SOMEWHERE : side(rank, call.peer());
        }

        /** {@return on which side of a rank the other side of its message is: 1 below, 2 above, 0 where there is none} */
        public static int side(int rank, long peer) {
            return peer < 0 || peer == rank ? 0 : peer < rank ? 1 : 2;
        }

        private boolean isLike(Work other) {
            return equals(other)
                    || isRelated(other)
                            && (neighbours == 0
                                    || common(other).allMatch(name -> areAsMany(launches(name), other.launches(name))));
        }

        /** Whether ranks of one stage may do this and that work. */
        private boolean isRelated(Work other) {
            return equals(other)
                    || neighbours == other.neighbours
                            && (namesMostly(other) || neighbours == 0 && launchesMostly(other))
                            && communicatesAlike(other);
        }

        /** Names of computing kernels that both launch. */
        private Stream<String> common(Work other) {
            return computing.keySet().stream().filter(other.computing::containsKey);
        }

        private boolean namesMostly(Work other) {
            long common = common(other).count();
            return common >= ALIKE * (computing.size() + other.computing.size() - common);
        }

        private boolean communicatesAlike(Work other) {
            Set<String> calls = new HashSet<>(communication.keySet());
            calls.addAll(other.communication.keySet());
            return calls.stream().allMatch(name -> isLike(often(name), other.often(name)));
        }

        /** Whether both launch as many kernels in all, most of them of common names. */
        private boolean launchesMostly(Work other) {
            double own = sum(computing.values());
            double both = common(other)
                    .mapToDouble(name -> Math.min(launches(name), other.launches(name)))
                    .sum();
            return areAsMany(own, sum(other.computing.values())) && both >= ALIKE * own;
        }

        private static double sum(Collection<Double> counts) {
            return counts.stream().mapToDouble(Double::doubleValue).sum();
        }

        private static boolean areAsMany(double a, double b) {
            return Math.abs(a - b) <= Math.max(LAUNCHES_OF_STEP, LAUNCHES * Math.max(a, b));
        }

        private double launches(String name) {
            return computing.getOrDefault(name, 0.0);
        }

        private double often(String name) {
            return communication.getOrDefault(name, 0.0);
        }

        private static boolean isLike(double a, double b) {
            return Math.abs(a - b) <= Math.max(1, TOLERANCE * Math.max(a, b));
        }
    }

    /**
     * A rank.
     *
     * @param work what it does
     * @param groups names of the {@linkplain #groupsOfStage groups} whose members work on its stage
     */
    public record Member(Work work, Set<String> groups) {
        /** Copies the names. */
        public Member {
            groups = Set.copyOf(groups);
        }
    }

    /**
     * {@return short names, for each list of members another, of the process groups of a rank with none of whose members it exchanges
     * messages; none where it exchanges no messages, or the other side of one is not recorded}
     */
    public static Set<String> groupsOfStage(Collection<CollectiveCall> calls) {
        Set<Long> peers = new HashSet<>();
        Set<String> lists = new HashSet<>();
        for (CollectiveCall call : calls) {
            if (Work.side(0, call) == SOMEWHERE) {
                return Set.of();
            }
            if (call.peer() >= 0) {
                peers.add(call.peer());
            }
            if (call.groupRanks() != null && !call.groupRanks().contains("...")) {
                lists.add(call.groupRanks());
            }
        }
        Set<String> groups = new HashSet<>();
        for (String list : peers.isEmpty() ? Set.<String>of() : lists) {
            long[] members = RankNumbers.of(list);
            if (members.length > 1 && Arrays.stream(members).noneMatch(peers::contains)) {
                groups.add(members[0] + " " + members.length + ' ' + Arrays.hashCode(members));
            }
        }
        return groups;
    }

    /** {@return the kind of each rank, by its number} */
    public static Map<Integer, Integer> of(List<RankCollectives> ranks) {
        SortedMap<Integer, Member> members = new TreeMap<>();
        ranks.forEach(rank -> members.put(rank.rank(), new Member(Work.of(rank), groupsOfStage(rank.calls()))));
        return of(members);
    }

    /** {@return the kind of each rank, by its number; kinds are counted from 0 in the order in which they occur} */
    public static Map<Integer, Integer> of(SortedMap<Integer, Member> byNumber) {
        List<Member> ranks = List.copyOf(byNumber.values());
        Map<Integer, List<Work>> stages = new TreeMap<>();
        int[] stageOf = stages(ranks);
        for (int i = 0; i < stageOf.length; i++) {
            stages.computeIfAbsent(stageOf[i], stage -> new ArrayList<>()).add(ranks.get(i).work);
        }
        List<Work> kinds = new ArrayList<>();
        Map<Integer, Integer> kindOf = new HashMap<>();
        stages.forEach((stage, works) -> {
            Work typical = typical(works);
            int kind = 0;
            while (kind < kinds.size() && !kinds.get(kind).isLike(typical)) {
                kind++;
            }
            if (kind == kinds.size()) {
                kinds.add(typical);
            }
            kindOf.put(stage, kind);
        });
        Map<Integer, Integer> kindsByNumber = new HashMap<>();
        int place = 0;
        for (int number : byNumber.keySet()) {
            kindsByNumber.put(number, kindOf.get(stageOf[place++]));
        }
        return kindsByNumber;
    }

    /** For each rank, the first one that is known to work on its stage: itself, or one that a chain of groups leads to. */
    private static int[] stages(List<Member> ranks) {
        int[] first = new int[ranks.size()];
        Map<String, Integer> known = new HashMap<>();
        for (int i = 0; i < first.length; i++) {
            first[i] = i;
            for (String group : ranks.get(i).groups) {
                Integer other = known.putIfAbsent(group, i);
                if (other != null && ranks.get(other).work.isRelated(ranks.get(i).work)) {
                    int a = first(first, i);
                    int b = first(first, other);
                    first[Math.max(a, b)] = Math.min(a, b);
                }
            }
        }
        for (int i = 0; i < first.length; i++) {
            first[i] = first(first, i);
        }
        return first;
    }

    private static int first(int[] first, int rank) {
        int at = rank;
        while (first[at] != at) {
            at = first[at];
        }
        return at;
    }

    /** The work of the rank in the middle, by launches. */
    private static Work typical(List<Work> works) {
        return works.stream()
                .sorted(Comparator.comparingDouble(work -> Work.sum(work.computing.values())))
                .toList()
                .get((works.size() - 1) / 2);
    }
}
