// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each activity usually takes: the n-th of its name in a step, over all steps and the ranks of one role. The
 * mean of computations, copies and pieces of the host, the median of transfers. Where ranks or steps do not have equally many of a
 * name, as where one has more work, what they take in sum is made the usual.
 */
final class TypicalDurations {
    private static final String HOST = "host";

    /** By edge: its typical weight; where it takes no time of its own, as recorded. */
    final long[] weights;
    /** By rank: its kind. */
    final int[] kinds;

    private final DependencyGraph graph;
    private final StepsOfVertices places;
    private final boolean fastest;
    /** Edges that are activities. */
    private final IntList edges = new IntList(1024);
    /** The vertex at which each edge ends. */
    private final int[] target;

    /**
     * What is usual on these ranks.
     *
     * @param ranks their numbers
     * @param fastest whether the least mean of a rank is typical; else it is the mean of all
     */
    TypicalDurations(DependencyGraph graph, int[] ranks, StepsOfVertices places, boolean fastest) {
        this.graph = graph;
        this.places = places;
        this.fastest = fastest;
        weights = graph.weight.clone();
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
                typify(members, transfers ? median(members) : mean(members));
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

    private long median(int[] members) {
        long[] values = new long[members.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = graph.weight[edges.get(members[i])];
        }
        Arrays.sort(values);
        return Quantiles.wholeMedian(values);
    }

    /** The mean, of all or of the rank where that is least. */
    private long mean(int[] members) {
        double[] sums = new double[kinds.length];
        int[] counts = new int[kinds.length];
        for (int i : members) {
            sums[rank(edges.get(i))] += graph.weight[edges.get(i)];
            counts[rank(edges.get(i))]++;
        }
        return Math.round(usual(sums, counts));
    }

    private double usual(double[] sums, int[] counts) {
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        int count = 0;
        for (int r = 0; r < sums.length; r++) {
            if (counts[r] > 0) {
                least = Math.min(least, sums[r] / counts[r]);
                sum += sums[r];
                count += counts[r];
            }
        }
        return fastest ? least : sum / count;
    }

    /**
     * Where ranks do more or less of it, each takes in a step what is usual in sum, divided as it divides it. What some never do
     * is compared within the step alone: if all do it there, as when all collect garbage, it is no rank's own.
     */
    private void scale(int[] members, int[] sumOf) {
        double[] bySum = new double[sumOf.length];
        for (int i : members) {
            bySum[sumOf[i]] += graph.weight[edges.get(i)];
        }
        BitSet seen = new BitSet();
        double[] sums = new double[kinds.length];
        int[] counts = new int[kinds.length];
        double[][] sumsOfStep = new double[places.steps + 2][];
        for (int i : members) {
            if (!seen.get(sumOf[i])) {
                seen.set(sumOf[i]);
                int rank = rank(edges.get(i));
                sums[rank] += bySum[sumOf[i]];
                counts[rank]++;
                int step = places.stepOf[target[edges.get(i)]] + 1;
                sumsOfStep[step] = sumsOfStep[step] == null ? new double[kinds.length] : sumsOfStep[step];
                sumsOfStep[step][rank] = bySum[sumOf[i]];
            }
        }
        int kind = kinds[rank(edges.get(members[0]))];
        int ranks = ranks(kind);
        boolean everywhere = seen.cardinality() == lanes(members);
        for (int i : members) {
            double own = bySum[sumOf[i]];
            int step = places.stepOf[target[edges.get(i)]] + 1;
            double usual = everywhere ? usual(sums, counts) : usualOf(sumsOfStep[step], kind, ranks);
            weights[edges.get(i)] = own > 0 ? Math.round(graph.weight[edges.get(i)] * (usual / own)) : 0;
        }
    }

    /** What ranks of a kind usually take in a step; nothing where they do not do it. */
    private double usualOf(double[] ofStep, int kind, int ranks) {
        double sum = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < kinds.length; r++) {
            if (kinds[r] == kind) {
                sum += ofStep[r];
                least = Math.min(least, ofStep[r]);
            }
        }
        return fastest ? least : sum / ranks;
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
