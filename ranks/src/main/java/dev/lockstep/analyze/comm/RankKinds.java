// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankWork.KernelTotal;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which ranks do the same work, so that their times can be compared. They have most names of computing kernels in common,
 * communicate equally often, and exchange messages with ranks on the same side: in a pipeline the first and the last stage may compute
 * much like those in the middle, but they have a neighbour on one side only, and work that the others do not have. Stages need not be
 * equal, either: of ranks that exchange messages, those are alike that launch each computing kernel equally often. Other ranks may have
 * picked variants of kernels, each its own: where they launch equally many in all, most launches in common will do. A rank is of the kind
 * of the first one that is like it.
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

    private final List<Work> firsts = new ArrayList<>();

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
            boolean message = call.kind().pointToPoint() || call.kind() == CollectiveKind.SEND_RECEIVE;
            return call.peer() < 0 && message ? SOMEWHERE : side(rank, call.peer());
        }

        /** {@return on which side of a rank the other side of its message is: 1 below, 2 above, 0 where there is none} */
        public static int side(int rank, long peer) {
            return peer < 0 || peer == rank ? 0 : peer < rank ? 1 : 2;
        }

        private boolean isLike(Work other) {
            if (neighbours != other.neighbours) {
                return false;
            }
            Set<String> common = new HashSet<>(computing.keySet());
            common.retainAll(other.computing.keySet());
            boolean names = common.size() >= ALIKE * (computing.size() + other.computing.size() - common.size());
            boolean computesAlike = neighbours == 0
                    ? names || launchesMostly(other, common)
                    : names && common.stream().allMatch(name -> areAsMany(launches(name), other.launches(name)));
            if (!computesAlike) {
                return false;
            }
            Set<String> calls = new HashSet<>(communication.keySet());
            calls.addAll(other.communication.keySet());
            return calls.stream().allMatch(name -> isLike(often(name), other.often(name)));
        }

        /** Whether both launch as many kernels in all, most of them of common names. */
        private boolean launchesMostly(Work other, Set<String> common) {
            double own = sum(computing.values());
            double both = common.stream()
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
     * {@return the kind of each rank, by its number}
     *
     * @param ranks in order of their numbers
     */
    public static Map<Integer, Integer> of(List<RankCollectives> ranks) {
        RankKinds known = new RankKinds();
        Map<Integer, Integer> kinds = new HashMap<>();
        ranks.forEach(rank -> kinds.put(rank.rank(), known.of(Work.of(rank))));
        return kinds;
    }

    /** {@return the kind of a rank, counted from 0; ranks are asked for in the order of their numbers} */
    public int of(Work rank) {
        for (int kind = 0; kind < firsts.size(); kind++) {
            if (firsts.get(kind).isLike(rank)) {
                return kind;
            }
        }
        firsts.add(rank);
        return firsts.size() - 1;
    }
}
