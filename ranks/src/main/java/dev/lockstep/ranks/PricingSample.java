// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.WorkerThreads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prices slow ranks by a replay: of all ranks of a small run. Of a large one, those that are priced, the slowest of the others, for
 * they set the pace without them, and an even choice of the rest, for the medians.
 */
public final class PricingSample {
    /** So many ranks are replayed at most. */
    static final int MOST = 64;

    private PricingSample() {}

    /**
     * {@return which ranks to replay, ascending}
     *
     * @param ranks numbers of all ranks, ascending
     * @param steps by which the slowest are told
     * @param priced numbers of those that are priced
     */
    public static List<Integer> of(List<Integer> ranks, FleetSteps steps, List<Integer> priced) {
        if (ranks.size() <= MOST) {
            return ranks;
        }
        Set<Integer> chosen = new TreeSet<>(priced);
        List<Integer> others =
                ranks.stream().filter(rank -> !chosen.contains(rank)).toList();
        int even = (MOST - chosen.size()) / 2;
        for (int i = 0; i < even; i++) {
            chosen.add(others.get((int) ((long) i * others.size() / even)));
        }
        Map<Integer, Double> excess = excess(steps);
        others.stream()
                .filter(rank -> !chosen.contains(rank))
                .sorted(Comparator.comparingDouble((Integer rank) -> -excess.getOrDefault(rank, 0.0))
                        .thenComparing(rank -> rank))
                .limit(MOST - chosen.size())
                .toList()
                .forEach(chosen::add);
        return List.copyOf(chosen);
    }

    /** By rank: the mean by which it takes longer in a step than the median of its kind. */
    private static Map<Integer, Double> excess(FleetSteps steps) {
        double[][] above = steps.aboveMedian(steps.own());
        Map<Integer, Double> excess = new HashMap<>();
        for (int r = 0; r < above.length; r++) {
            excess.put(
                    steps.ranks()[r],
                    Arrays.stream(above[r])
                            .filter(value -> !Double.isNaN(value))
                            .average()
                            .orElse(0));
        }
        return excess;
    }

    /**
     * What the run gains without ranks.
     *
     * @param ranks the ranks to replay, each with what waited for what on it
     * @param slow numbers of slow ranks, the slowest first
     * @param others numbers of ranks that are priced alone
     */
    public static RankGains gains(
            List<KeptRank> ranks,
            CollectiveOptions options,
            List<Integer> slow,
            List<Integer> others,
            WorkerThreads threads) {
        Collectives collectives =
                Collectives.of(ranks.stream().map(KeptRank::collectives).toList(), options);
        List<RankPart> parts =
                ranks.stream().map(KeptRank::part).map(Objects::requireNonNull).toList();
        return RunDependencies.joined(parts, collectives).gains(slow, others, threads);
    }
}
