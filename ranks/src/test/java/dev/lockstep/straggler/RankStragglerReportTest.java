// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.path.StragglerCosts;
import dev.lockstep.path.StragglerCosts.Cost;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Section.FindingsSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that wait for one another in each step, whose durations scatter. */
class RankStragglerReportTest {
    private static final int RUNS = 400;

    /** More false alarms of 400 would be a test that is wrong more often than once in twenty. */
    private static final int MOST_FALSE = 27;

    private static final double STEP = 10_000_000;

    @ParameterizedTest(name = "{0} ranks, {1} steps")
    @CsvSource({"2, 3", "2, 6", "2, 12", "4, 3", "4, 6", "4, 12", "8, 3", "8, 6", "8, 12"})
    void chanceIsNoSlowRank(int ranks, int steps) {
        assertThat(said(ranks, steps, 0.06, false, 0)).isLessThanOrEqualTo(MOST_FALSE);
        assertThat(said(ranks, steps, 0.005, true, 0)).isLessThanOrEqualTo(MOST_FALSE);
    }

    @Test
    void aSlowRankIsFoundInThreeEvenSteps() {
        assertThat(said(4, 3, 0.002, false, 0.15)).isEqualTo(RUNS);
    }

    /** In how many runs single ranks are called slow; in few of the steps some take far longer. */
    private static int said(int ranks, int steps, double scatter, boolean far, double slower) {
        int count = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            Random random = new Random(seed);
            double[][] takes = new double[ranks][steps];
            for (int r = 0; r < ranks; r++) {
                double course = random.nextGaussian();
                for (int s = 0; s < steps; s++) {
                    double longer = far && random.nextInt(10) == 0 ? 0.3 * random.nextDouble() : 0;
                    takes[r][s] = STEP * (1 + scatter * course + longer + (r == 1 ? slower : 0));
                    course = course / 2 + Math.sqrt(0.75) * random.nextGaussian();
                }
            }
            count +=
                    RankStragglerReport.of(costs(takes), List.of(), "", "", StragglerOptions.THRESHOLD)
                                    .sections()
                                    .stream()
                                    .filter(FindingsSection.class::isInstance)
                                    .flatMap(section -> ((FindingsSection) section).findings().stream())
                                    .anyMatch(RankStragglerReportTest::namesRanks)
                            ? 1
                            : 0;
        }
        return count;
    }

    private static boolean namesRanks(Finding finding) {
        return finding.code().equals("straggler_workers") && finding.severity() == Severity.PROBLEM;
    }

    private static StragglerCosts costs(double[][] takes) {
        int ranks = takes.length;
        int steps = takes[0].length;
        double usual =
                Arrays.stream(takes).flatMapToDouble(Arrays::stream).average().orElseThrow();
        List<Cost> byRank = new ArrayList<>();
        List<double[]> excess = new ArrayList<>();
        for (double[] own : takes) {
            byRank.add(new Cost("" + byRank.size(), longest(new double[][] {own}, usual, -1)));
            excess.add(Arrays.stream(own).map(x -> x - usual).toArray());
        }
        int worst = IntStream.range(0, ranks)
                .reduce(0, (a, b) -> byRank.get(b).mean() > byRank.get(a).mean() ? b : a);
        long[] recorded = longest(takes, 0, -1);
        long[] ideal = new long[steps];
        Arrays.fill(ideal, Math.round(usual));
        return new StragglerCosts(
                IntStream.range(0, ranks).toArray(),
                new int[ranks],
                IntStream.range(0, steps).asLongStream().toArray(),
                0,
                recorded,
                recorded,
                ideal,
                List.of(),
                byRank,
                excess,
                new int[] {worst},
                StragglerCosts.mean(longest(takes, usual, worst)));
    }

    /** What each step takes as long as its slowest rank, with one of them as usual, and no less than some time. */
    private static long[] longest(double[][] takes, double least, int without) {
        long[] longest = new long[takes[0].length];
        for (int s = 0; s < longest.length; s++) {
            double most = least;
            for (int r = 0; r < takes.length; r++) {
                most = r == without ? most : Math.max(most, takes[r][s]);
            }
            longest[s] = Math.round(most);
        }
        return longest;
    }
}
