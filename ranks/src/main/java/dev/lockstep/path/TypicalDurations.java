// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each activity takes on the median rank of its role: the n-th of its name in a step, over all steps and the ranks of the role, of two
 * in the middle the quicker. Where ranks or steps do not have equally many of a name, as where one has more work, what they take in sum
 * becomes the median of the sums.
 */
final class TypicalDurations {
    private static final String HOST = "host";

    /** By edge: its typical weight; where it takes no time of its own, as recorded. */
    final long[] weights;
    /** By rank: its kind. */
    final int[] kinds;

    private final DependencyGraph graph;
    private final long[] recorded;
    private final StepsOfVertices places;
    private final boolean fastest;
    /** Edges that are activities. */
    private final IntList edges = new IntList(1024);
    /** The vertex at which each edge ends. */
    private final int[] target;

    /**
     * What is usual on these ranks.
     *
     * @param recorded by edge: what it took
     * @param ranks their numbers
     * @param fastest whether the least median of a rank is typical; else it is the median of all
     */
    TypicalDurations(DependencyGraph graph, long[] recorded, int[] ranks, StepsOfVertices places, boolean fastest) {
        this.graph = graph;
        this.recorded = recorded;
        this.places = places;
        this.fastest = fastest;
        weights = recorded.clone();
        target = new int[weights.length];
        for (int v = 0; v < graph.size(); v++) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                target[e] = v;
            }
        }
        kinds = Arrays.stream(ranks).map(graph::role).toArray();
        collect();
        fill();
    }

    /** The types of activities, in order. */
    SortedSet<String> types() {
        SortedSet<String> found = new TreeSet<>();
        for (int i = 0; i < edges.size(); i++) {
            String type = type(edges.get(i));
            if (type != null) {
                found.add(type);
            }
        }
        return found;
    }

    /** What kind of activity an edge is: computation, communication, copy or host; null where it is none. */
    @Nullable
    String type(int edge) {
        if (graph.kind[edge] == EdgeKind.THREAD.ordinal()) {
            return HOST;
        }
        if (graph.kind[edge] == EdgeKind.RUN.ordinal()) {
            return graph.pathClass(target[edge]).spelling();
        }
        return isTransfer(edge) ? PathClass.COMMUNICATION.spelling() : null;
    }

    /** Whether an edge is something that a rank did by itself. */
    boolean isOwn(int edge) {
        String type = type(edge);
        return type != null && !type.equals(PathClass.COMMUNICATION.spelling()) && rank(edge) >= 0;
    }

    /** Place of the rank whose activity an edge is. */
    int rank(int edge) {
        return places.rankOf[target[edge]];
    }

    /** From where a collective's members have met to the end of one: what comes before meeting is no transfer. */
    private boolean isTransfer(int edge) {
        if (graph.kind[edge] != EdgeKind.MEMBER.ordinal()) {
            return false;
        }
        int met = graph.source[edge];
        for (int e = graph.firstEdge[met]; e < graph.firstEdge[met + 1]; e++) {
            if (graph.kind[e] == EdgeKind.MEMBER.ordinal()) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        for (int e = 0; e < weights.length; e++) {
            if (type(e) != null && rank(e) >= 0) {
                edges.add(e);
            }
        }
    }

    private void fill() {
        int n = edges.size();
        LongIntMap lanes = new LongIntMap(64);
        LongIntMap sums = new LongIntMap(1024);
        LongIntMap names = new LongIntMap(1024);
        LongIntMap groups = new LongIntMap(1024);
        int[] sumOf = new int[n];
        int[] nameOf = new int[n];
        int[] groupOf = new int[n];
        int[] counts = new int[n];
        List<String> types = List.copyOf(types());
        for (int i : inOrderOfTime(n)) {
            int edge = edges.get(i);
            int type = types.indexOf(type(edge));
            int label = graph.label(target[edge]) + 1;
            int lane = lanes.numberOf(pair(rank(edge), places.stepOf[target[edge]] + 1));
            int phase = places.phase(target[edge]);
            nameOf[i] = names.numberOf(pair(
                    (kinds[rank(edge)] * types.size() + type) * StepsOfVertices.PHASES + phase, label));
            sumOf[i] = sums.numberOf(pair(nameOf[i], lane));
            groupOf[i] = groups.numberOf(pair(nameOf[i], counts[sumOf[i]]++));
        }
        Buckets byName = new Buckets(nameOf, names.size());
        boolean[] uneven = uneven(byName, names.size(), sumOf, counts);
        Buckets byPlace = new Buckets(groupOf, groups.size());
        for (int g = 0; g < groups.size(); g++) {
            int[] members = byPlace.of(g);
            boolean transfers = PathClass.COMMUNICATION.spelling().equals(type(edges.get(members[0])));
            if (!uneven[nameOf[members[0]]] || transfers) {
                typify(members, usual(members, transfers));
            }
        }
        for (int name = 0; name < names.size(); name++) {
            int[] members = byName.of(name);
            if (uneven[name] && !PathClass.COMMUNICATION.spelling().equals(type(edges.get(members[0])))) {
                scale(members, sumOf);
            }
        }
    }

    private int[] inOrderOfTime(int n) {
        long[] times = new long[n];
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            times[i] = graph.time[target[edges.get(i)]];
            order[i] = i;
        }
        LongOrder.sort(times, order);
        return order;
    }

    private static long pair(int a, int b) {
        return (long) a << Integer.SIZE | b;
    }

    /**
     * By name: whether a rank has more of it in a step than another, or some have none, so that the n-th of one is not that of
     * the other.
     */
    private boolean[] uneven(Buckets byName, int names, int[] sumOf, int[] counts) {
        boolean[] uneven = new boolean[names];
        for (int name = 0; name < names; name++) {
            int[] members = byName.of(name);
            BitSet lanes = new BitSet();
            for (int i : members) {
                lanes.set(sumOf[i]);
                uneven[name] |= counts[sumOf[i]] != counts[sumOf[members[0]]];
            }
            uneven[name] |= lanes.cardinality() != lanes(members);
        }
        return uneven;
    }

    /** In how many steps of ranks of the kind an activity could be, by the first of its name. */
    private int lanes(int[] members) {
        int vertex = target[edges.get(members[0])];
        int steps = places.phase(vertex) == 1 ? places.steps : 1;
        return ranks(kinds[places.rankOf[vertex]]) * steps;
    }

    private int ranks(int kind) {
        return (int) Arrays.stream(kinds).filter(k -> k == kind).count();
    }

    private void typify(int[] members, long duration) {
        for (int i : members) {
            weights[edges.get(i)] = duration;
        }
    }

    /** The median, of all or, where that is least, of a rank. Transfers belong to no single rank. */
    private long usual(int[] members, boolean transfers) {
        long[] values = new long[members.length];
        int[] ranks = new int[members.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = recorded[edges.get(members[i])];
            ranks[i] = rank(edges.get(members[i]));
        }
        return fastest && !transfers ? least(values, ranks) : Quantiles.lowerMedianOf(values);
    }

    private long least(long[] values, int[] ranks) {
        long least = Long.MAX_VALUE;
        for (int rank = 0; rank < kinds.length; rank++) {
            LongList own = new LongList(16);
            for (int i = 0; i < values.length; i++) {
                if (ranks[i] == rank) {
                    own.add(values[i]);
                }
            }
            least = own.size() == 0 ? least : Math.min(least, Quantiles.lowerMedianOf(own.toArray()));
        }
        return least;
    }

    /**
     * Where ranks do more or less of it, each takes in a step what is usual in sum, divided as it divides it. What some never do
     * is compared within the step alone: if all do it there, as when all collect garbage, it is no rank's own.
     */
    private void scale(int[] members, int[] sumOf) {
        long[] bySum = new long[sumOf.length];
        for (int i : members) {
            bySum[sumOf[i]] += recorded[edges.get(i)];
        }
        BitSet seen = new BitSet();
        LongList sums = new LongList(64);
        IntList ranks = new IntList(64);
        long[][] sumsOfStep = new long[places.steps + 2][];
        for (int i : members) {
            if (!seen.get(sumOf[i])) {
                seen.set(sumOf[i]);
                int rank = rank(edges.get(i));
                sums.add(bySum[sumOf[i]]);
                ranks.add(rank);
                int step = places.stepOf[target[edges.get(i)]] + 1;
                sumsOfStep[step] = sumsOfStep[step] == null ? new long[kinds.length] : sumsOfStep[step];
                sumsOfStep[step][rank] = bySum[sumOf[i]];
            }
        }
        int kind = kinds[rank(edges.get(members[0]))];
        boolean everywhere = seen.cardinality() == lanes(members);
        long ofAll = fastest ? least(sums.toArray(), ranks.toArray()) : Quantiles.lowerMedianOf(sums.toArray());
        long[] ofStep = new long[sumsOfStep.length];
        for (int step = 0; step < ofStep.length; step++) {
            ofStep[step] = everywhere || sumsOfStep[step] == null ? ofAll : usualOf(sumsOfStep[step], kind);
        }
        for (int i : members) {
            long own = bySum[sumOf[i]];
            double usual = ofStep[places.stepOf[target[edges.get(i)]] + 1];
            weights[edges.get(i)] = own > 0 ? Math.round(recorded[edges.get(i)] * (usual / own)) : 0;
        }
    }

    /** What ranks of a kind usually take in a step; nothing where they do not do it. */
    private long usualOf(long[] ofStep, int kind) {
        LongList sums = new LongList(16);
        for (int r = 0; r < kinds.length; r++) {
            if (kinds[r] == kind) {
                sums.add(ofStep[r]);
            }
        }
        long[] all = sums.toArray();
        return fastest ? Arrays.stream(all).min().orElse(0) : Quantiles.lowerMedianOf(all);
    }

    /** Places by group. */
    private static final class Buckets {
        private final int[] first;
        private final int[] members;

        Buckets(int[] groupOf, int groups) {
            first = new int[groups + 1];
            for (int group : groupOf) {
                first[group + 1]++;
            }
            for (int g = 0; g < groups; g++) {
                first[g + 1] += first[g];
            }
            members = new int[groupOf.length];
            int[] next = first.clone();
            for (int i = 0; i < groupOf.length; i++) {
                members[next[groupOf[i]]++] = i;
            }
        }

        int[] of(int group) {
            return Arrays.copyOfRange(members, first[group], first[group + 1]);
        }
    }
}
