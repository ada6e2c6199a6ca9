// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * By how much the host of the candidate takes longer for the same operators. Of each operator with a counterpart counts its own time
 * on the host: without calls of the vendor's library, which may wait for the device, and without operators inside that have
 * counterparts of their own.
 *
 * @param factor how many times as long operators take in the candidate, in the median of all pairs, each weighted by the shorter of
 *     its two times, so that a call that was interrupted weighs no more than others; NaN without pairs
 * @param log the same as a logarithm, with its interval over places of the run; unknown with too few pairs
 * @param places share of the places of the run whose factor is nearer to this one than to 1
 * @param operators share of the operators, by the same weight, whose factor is
 * @param kinds operators by name, longest first
 */
public record HostPace(double factor, Confidence log, double places, double operators, List<Kind> kinds) {
    /** Places of the run whose factors are compared. */
    private static final int PLACES = 64;

    /** Fewer pairs than this at a place say nothing of it. */
    private static final int FEWEST = 4;

    /** The share of the time and of the places that must follow a factor that holds throughout. */
    private static final double NEARLY_ALL = 0.9;

    /**
     * Operators of one name that have counterparts.
     *
     * @param factor how many times as long they take in the candidate, in the median weighted as above
     */
    public record Kind(String op, int pairs, long baselineNs, long candidateNs, double factor) {}

    public HostPace {
        kinds = List.copyOf(kinds);
    }

    /**
     * Whether the host takes longer, or less, by one factor for everything and all along: the factor is more than chance, and nine
     * tenths of the operators' time and of the places of the run follow it, which means that they are nearer to it than to 1.
     */
    public boolean isThroughout() {
        return log.isKnown() && log.excludesZero() && places >= NEARLY_ALL && operators >= NEARLY_ALL;
    }

    private static boolean isNearer(double other, double factor) {
        double own = Math.log(factor);
        return Math.abs(Math.log(other) - own) < Math.abs(Math.log(other));
    }

    static HostPace of(DerivedCache baseline, DerivedCache candidate, MatchedTraces traces) {
        OpForest one = traces.one();
        long[] own1 = own(baseline, one);
        long[] own2 = own(candidate, traces.two());
        int[] nodes = new int[one.size()];
        long[] before = new long[one.size()];
        long[] after = new long[one.size()];
        int count = 0;
        for (int node = 0; node < one.size(); node++) {
            int other = traces.alignment().ofBaseline(node);
            if (other >= 0 && own1[node] > 0 && own2[other] > 0) {
                nodes[count] = node;
                before[count] = own1[node];
                after[count++] = own2[other];
            }
        }
        double factor = median(before, after, 0, count);
        int places = Math.min(PLACES, count / FEWEST);
        double[] logs = new double[places];
        int near = 0;
        for (int place = 0; place < places; place++) {
            int from = (int) ((long) count * place / places);
            int to = (int) ((long) count * (place + 1) / places);
            double own = median(before, after, from, to);
            logs[place] = Math.log(own);
            near += isNearer(own, factor) ? 1 : 0;
        }
        List<Kind> kinds = kinds(traces, nodes, before, after, count);
        Map<String, Double> factors = new HashMap<>();
        kinds.forEach(kind -> factors.put(kind.op, kind.factor));
        long all = 0;
        long alike = 0;
        for (int pair = 0; pair < count; pair++) {
            long weight = Math.min(before[pair], after[pair]);
            double own = factors.getOrDefault(name(traces, nodes[pair]), Double.NaN);
            all += weight;
            alike += isNearer(own, factor) ? weight : 0;
        }
        return new HostPace(
                factor,
                places == 0
                        ? Confidence.UNKNOWN
                        : LongRunMeans.of(List.of(logs)).mean(0),
                places == 0 ? 0 : (double) near / places,
                all == 0 ? 0 : (double) alike / all,
                kinds);
    }

    private static String name(MatchedTraces traces, int node) {
        return traces.names().name(traces.one().name(node));
    }

    private static List<Kind> kinds(MatchedTraces traces, int[] nodes, long[] before, long[] after, int count) {
        Map<String, List<Integer>> byName = new TreeMap<>();
        for (int pair = 0; pair < count; pair++) {
            byName.computeIfAbsent(name(traces, nodes[pair]), name -> new ArrayList<>())
                    .add(pair);
        }
        List<Kind> kinds = new ArrayList<>();
        byName.forEach((name, pairs) -> {
            long[] own = pairs.stream().mapToLong(pair -> before[pair]).toArray();
            long[] other = pairs.stream().mapToLong(pair -> after[pair]).toArray();
            kinds.add(new Kind(
                    name,
                    own.length,
                    Arrays.stream(own).sum(),
                    Arrays.stream(other).sum(),
                    median(own, other, 0, own.length)));
        });
        kinds.sort(Comparator.comparingLong(Kind::baselineNs).reversed().thenComparing(Kind::op));
        return kinds;
    }

    /** The median of the ratios from one place to another, weighted by the shorter times; NaN for none. */
    private static double median(long[] before, long[] after, int from, int to) {
        double[] ratios = new double[to - from];
        double[] weights = new double[to - from];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) after[from + i] / before[from + i];
            weights[i] = Math.min(before[from + i], after[from + i]);
        }
        return Quantiles.weightedMedian(ratios, weights);
    }

    /** By node, the time of an operator itself; 0 for what is no operator. */
    private static long[] own(DerivedCache cache, OpForest forest) {
        Slices slices = cache.trace().slices();
        HostNesting nesting = cache.get(new HostNesting.Key());
        int[] nodeOf = new int[slices.size()];
        Arrays.fill(nodeOf, -1);
        long[] own = new long[forest.size()];
        for (int node = 0; node < own.length; node++) {
            int slice = forest.slice(node);
            if (slices.kind(slice) == SliceKind.CPU_OP) {
                nodeOf[slice] = node;
                own[node] = slices.dur(slice);
            }
        }
        for (int slice = 0; slice < nodeOf.length; slice++) {
            if (nodeOf[slice] >= 0 || slices.kind(slice).isLaunchCall()) {
                int around = nesting.around(slice);
                while (around >= 0 && nodeOf[around] < 0 && !slices.kind(around).isLaunchCall()) {
                    around = nesting.around(around);
                }
                if (around >= 0 && nodeOf[around] >= 0) {
                    own[nodeOf[around]] -= slices.dur(slice);
                }
            }
        }
        return own;
    }
}
