// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.Mending;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankWork.KernelTotal;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.OfRank;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * What the report of a run says about ranks that take longer than their like in most steps, by the rule of {@link SlowRanks}, and do
 * not show at collectives: because they pass what they were late on as messages of a pipeline, or others are late as well.
 */
final class SlowRankFindings {
    private static final int MOST_NAMED = 5;

    private SlowRankFindings() {}

    /** {@return the ranks of a run that take longer than their like} */
    static SlowRanks slow(SortedMap<Integer, RankFigures> figures) {
        return SlowRanks.of(steps(figures));
    }

    /**
     * {@return what is said of ranks that have not been named}
     *
     * @param found the slow ranks
     * @param figures of the ranks, by number
     * @param late ranks that have been named already
     */
    static List<Finding> of(SlowRanks found, SortedMap<Integer, RankFigures> figures, List<Mending.Row> late) {
        Set<Integer> named = late.stream().map(Mending.Row::rank).collect(Collectors.toSet());
        List<Integer> rows = new ArrayList<>(figures.keySet());
        return found.slow().stream()
                .filter(one -> !named.contains(one.rank()))
                .limit(MOST_NAMED)
                .map(one -> finding(one, found.totalNs())
                        .on(new Evidence.Rows("ranks", List.of(rows.indexOf(one.rank()))))
                        .on(new OfRank(one.rank(), null)))
                .toList();
    }

    private static Finding finding(SlowRanks.Slow one, double totalNs) {
        return new Finding(
                Severity.PROBLEM,
                "slow_rank",
                String.format(
                        Locale.ROOT,
                        "Rank %d takes %s in a step without waiting, %s: %s a step. It costs about %s (%.1f %%).",
                        one.rank(),
                        one.times("like ranks"),
                        one.where().words(),
                        Words.time(Math.round(one.excessNs())),
                        Words.time(Math.round(one.costNs())),
                        100 * one.costNs() / totalNs),
                "rank_steps");
    }

    private static FleetSteps steps(SortedMap<Integer, RankFigures> figures) {
        int[] ranks = figures.keySet().stream().mapToInt(Integer::intValue).toArray();
        long[] numbers = figures.values().stream()
                .flatMap(one -> one.steps().stream())
                .mapToLong(RankFigures.Step::number)
                .sorted()
                .distinct()
                .toArray();
        RankKinds known = new RankKinds();
        int[] kinds = new int[ranks.length];
        List<RankFigures> all = List.copyOf(figures.values());
        double[][][] cells = new double[4][ranks.length][numbers.length];
        for (int r = 0; r < ranks.length; r++) {
            RankFigures one = all.get(r);
            kinds[r] = known.of(work(one));
            for (double[][] of : cells) {
                Arrays.fill(of[r], Double.NaN);
            }
            for (RankFigures.Step step : one.steps()) {
                int s = Arrays.binarySearch(numbers, step.number());
                cells[0][r][s] = step.lasting();
                cells[1][r][s] = step.own();
                cells[2][r][s] = step.parts().computation();
                cells[3][r][s] = step.parts().exposedMemory();
            }
        }
        return new FleetSteps(ranks, kinds, numbers, cells[0], cells[1], cells[2], cells[3]);
    }

    private static RankKinds.Work work(RankFigures rank) {
        RankCollectives collectives = rank.collectives();
        Map<String, Double> often = new HashMap<>();
        for (int row = 0; row < collectives.size() && !rank.steps().isEmpty(); row++) {
            if (collectives.step(row) >= 0) {
                often.merge(collectives.call(row).name(), 1.0 / rank.steps().size(), Double::sum);
            }
        }
        return new RankKinds.Work(
                collectives.work().kernels().stream().map(KernelTotal::name).collect(Collectors.toSet()), often);
    }
}
