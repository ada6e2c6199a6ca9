// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.Steps.Step;
import dev.lockstep.path.StragglerCosts.Cost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What uneven work costs: the graph over all ranks with typical durations, but for one group of activities at a time, contention included.
 * What no edge explains is left out of all replays; how much that is, {@link StragglerCosts#recorded} beside {@link StragglerCosts#replayed}
 * says.
 */
final class UnevenWork {
    private static final int PERCENT_OF_RANKS = 3;
    private static final int HUNDRED = 100;

    private final DependencyGraph graph;
    private final int[] ranks;
    private final long[] numbers;
    private final int leftOut;
    private final TypicalDurations typical;
    /** By vertex: the step that it is part of, -1 before the first, the number of steps behind the last. */
    private final int[] stepOf;

    /** By edge: what it takes as recorded, of computations as if they had run alone. */
    private final long[] recorded;

    private final WorkerThreads threads;

    /** @param steps by rank: its steps on the clock of the graph */
    UnevenWork(DependencyGraph graph, int[] ranks, List<List<Step>> steps, boolean fastest, WorkerThreads threads) {
        this.graph = graph;
        this.ranks = ranks;
        this.threads = threads;
        recorded = new long[graph.weight.length];
        graph.contention.weightsAlone(recorded);
        boolean marked = steps.stream().noneMatch(List::isEmpty);
        TreeSet<Long> all = new TreeSet<>();
        steps.forEach(of -> of.forEach(step -> all.add(step.number())));
        numbers = marked ? shared(all, steps) : new long[] {-1};
        leftOut = marked ? all.size() - numbers.length : 0;
        StepsOfVertices places = new StepsOfVertices(graph, ranks, marked ? steps : List.of(), numbers);
        stepOf = places.stepOf;
        typical = new TypicalDurations(graph, recorded, ranks, places, fastest);
    }

    /**
     * The steps that all ranks have, without the one in which some begin that others have before them: they begin when they were
     * recorded, whatever the others do. All steps where there are no such ones.
     */
    private static long[] shared(NavigableSet<Long> all, List<List<Step>> steps) {
        long first = all.first();
        long last = all.last();
        for (List<Step> own : steps) {
            first = Math.max(first, own.getFirst().number());
            last = Math.min(last, own.getLast().number());
        }
        boolean together = first == all.first();
        SortedSet<Long> shared = first > last ? all : all.subSet(first, together, last, true);
        return (shared.isEmpty() ? all : shared)
                .stream().mapToLong(Long::longValue).toArray();
    }

    StragglerCosts costs() {
        List<String> labels = List.copyOf(typical.types());
        List<Weights> scenarios = new ArrayList<>();
        scenarios.add(weights -> copy(recorded, weights));
        scenarios.add(weights -> copy(typical.weights, weights));
        for (String type : labels) {
            scenarios.add(kept(e -> type.equals(typical.type(e))));
        }
        for (int r = 0; r < ranks.length; r++) {
            int one = r;
            scenarios.add(kept(e -> typical.rank(e) == one));
        }
        List<long[]> lengths = steps(scenarios);
        List<Cost> types = new ArrayList<>();
        for (int t = 0; t < labels.size(); t++) {
            types.add(new Cost(labels.get(t), lengths.get(2 + t)));
        }
        List<Cost> byRank = new ArrayList<>();
        for (int r = 0; r < ranks.length; r++) {
            byRank.add(new Cost(Integer.toString(ranks[r]), lengths.get(2 + types.size() + r)));
        }
        types.sort(Comparator.comparingDouble((Cost cost) -> -cost.mean()).thenComparing(Cost::label));
        int[] worst = IntStream.range(0, ranks.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer r) -> -byRank.get(r).mean())
                        .thenComparingInt(r -> ranks[r]))
                .limit(Math.ceilDiv(PERCENT_OF_RANKS * ranks.length, HUNDRED))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] removed = steps(List.of(mixed(
                        e -> IntStream.of(worst).anyMatch(r -> r == typical.rank(e)), typical.weights, recorded)))
                .getFirst();
        return new StragglerCosts(
                ranks,
                typical.kinds,
                numbers,
                leftOut,
                lengths(graph.time),
                lengths.getFirst(),
                lengths.get(1),
                types,
                byRank,
                excess(),
                worst,
                StragglerCosts.mean(removed));
    }

    /** By rank: how much longer than typical its computations, copies and pieces of the host took in each step. */
    private List<double[]> excess() {
        List<double[]> excess = new ArrayList<>();
        for (int r = 0; r < ranks.length; r++) {
            excess.add(new double[numbers.length]);
        }
        for (int v = 0; v < graph.size(); v++) {
            int step = stepOf[v];
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                if (step >= 0 && step < numbers.length && typical.isOwn(e)) {
                    excess.get(typical.rank(e))[step] += recorded[e] - typical.weights[e];
                }
            }
        }
        return excess;
    }

    /** Puts down what every edge takes in a scenario. */
    private interface Weights {
        void put(long[] weights);
    }

    private static void copy(long[] from, long[] to) {
        System.arraycopy(from, 0, to, 0, to.length);
    }

    private Weights kept(IntPredicate group) {
        return mixed(group, recorded, typical.weights);
    }

    private static Weights mixed(IntPredicate group, long[] inside, long[] outside) {
        return weights -> {
            copy(outside, weights);
            for (int e = 0; e < weights.length; e++) {
                if (inside[e] != outside[e] && group.test(e)) {
                    weights[e] = inside[e];
                }
            }
        };
    }

    /** How long the steps are in each scenario. */
    private List<long[]> steps(List<Weights> scenarios) {
        long[][] lengths = new long[scenarios.size()][];
        threads.share(lengths.length, Scenarios.MOST_THREADS, () -> {
            long[] weights = new long[recorded.length];
            long[] none = new long[graph.size()];
            long[] at = new long[graph.size()];
            return i -> {
                scenarios.get(i).put(weights);
                graph.contention.replay(weights, none, at);
                lengths[i] = lengths(at);
            };
        });
        return List.of(lengths);
    }

    /** A step lasts from the end of the one before to its own end; the first from the last moment before it. */
    private long[] lengths(long[] at) {
        long[] ends = new long[numbers.length];
        long before = Long.MIN_VALUE;
        long first = Long.MAX_VALUE;
        Arrays.fill(ends, Long.MIN_VALUE);
        for (int v = 0; v < at.length; v++) {
            int step = stepOf[v];
            first = Math.min(first, at[v]);
            if (step < 0) {
                before = Math.max(before, at[v]);
            } else if (step < ends.length) {
                ends[step] = Math.max(ends[step], at[v]);
            }
        }
        long[] lengths = new long[ends.length];
        long from = before == Long.MIN_VALUE ? first : before;
        for (int s = 0; s < ends.length; s++) {
            long until = Math.max(from, ends[s]);
            lengths[s] = until - from;
            from = until;
        }
        return lengths;
    }
}
