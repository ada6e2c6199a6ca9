// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static Ranking of(RunSummary... points) {
        return SweepTimelines.of(List.of(points), Averaging.MEAN).ranking();
    }

    private static String label(Ranking.Entry entry) {
        assertThat(entry).isNotNull();
        return entry.point().label();
    }

    @Test
    void theFastestIsFirstAndThePartsAddUpToTheDifference() {
        Ranking ranking = of(
                Timelines.point(256, 28, new double[] {10, 5, 1}, new double[] {10, 6, 1}),
                Timelines.point(512, 28, new double[] {11, 1, 1}, new double[] {11, 2, 1}),
                Timelines.absent(512, 42));

        assertThat(label(ranking.best())).isEqualTo("512thread_28ch");
        assertThat(label(ranking.worst())).isEqualTo("256thread_28ch");
        Ranking.Entry worst = ranking.worst();
        assertThat(worst.behind().mean()).isCloseTo(3, within(1e-9));
        assertThat(worst.shares().get("exposed_comm_time")).isCloseTo(4, within(1e-9));
        assertThat(worst.shares().get("computation_time")).isCloseTo(-1, within(1e-9));
        assertThat(worst.shares().values().stream().mapToDouble(v -> v).sum()).isCloseTo(3, within(1e-9));
        assertThat(worst.percentBehind()).isCloseTo(100 * 3 / 13.5, within(1e-9));
    }

    @Test
    void whatStepsScatterByIsNoDifference() {
        Ranking ranking = of(
                Timelines.point(256, 28, new double[] {10, 0, 0}, new double[] {50, 0, 0}),
                Timelines.point(512, 28, new double[] {11, 0, 0}, new double[] {51, 0, 0}));

        assertThat(ranking.ties()).isEmpty();
        assertThat(ranking.worst().isSlower()).isTrue();
    }

    @Test
    void lessThanTheThresholdIsNoDifference() {
        Ranking ranking = of(
                Timelines.point(256, 28, new double[] {10, 0, 0}, new double[] {11, 0, 0}),
                Timelines.point(512, 28, new double[] {10.05, 0, 0}, new double[] {11.05, 0, 0}));

        assertThat(ranking.ties()).extracting(e -> e.point().label()).containsExactly("512thread_28ch");
        Table table = ranking.table();
        assertThat(table.strings(table.schema().indexOf("told apart")).get(1)).isEqualTo("no");
    }

    @Test
    void configurationsThatRecordedDifferentNumbersOfStepsAreComparedByStep() {
        RunSummary twice = Timelines.withSteps(Timelines.point(256, 28, new double[] {20, 0, 0}), 4);
        RunSummary once = Timelines.withSteps(Timelines.point(512, 28, new double[] {12, 0, 0}), 2);
        Ranking ranking = of(twice, once);

        assertThat(ranking.perStep()).isTrue();
        assertThat(label(ranking.best())).isEqualTo("256thread_28ch");
        assertThat(ranking.best().time()).isEqualTo(5);
    }

    @Test
    void aRankThatIsMissingInOneConfigurationDoesNotShiftTheOther() {
        Ranking ranking = of(
                Timelines.point(256, 28, new double[] {10, 0, 0}, new double[] {30, 0, 0}),
                Timelines.point(512, 28, new double[] {11, 0, 0}));
        Ranking.Entry behind = ranking.entries().stream()
                .filter(e -> e.point().threads() == 256)
                .findFirst()
                .orElseThrow();

        assertThat(label(ranking.best())).isEqualTo("256thread_28ch");
        assertThat(behind.behind().mean()).isZero();
        assertThat(ranking.worst().behind().mean()).isCloseTo(1, within(1e-9));
    }

    private static String findings(RunSummary... points) {
        return Shown.findings(SweepFindings.of(of(points), SweepCollectives.of(List.of()), List.of(points)));
    }

    /** A job of more ranks is another job: nobody shall take it for the faster one by two of them without a word. */
    @Test
    void ofConfigurationsWithDifferentRanksItIsSaidWhichAreCompared() {
        assertThat(findings(
                        Timelines.point(256, 28, new double[] {10, 0, 0}, new double[] {10, 0, 0}),
                        Timelines.point(
                                256,
                                56,
                                new double[] {9, 0, 0},
                                new double[] {9, 0, 0},
                                new double[] {18, 0, 0},
                                new double[] {19, 0, 0})))
                .contains("256thread_56ch is fastest: 9 ms, the mean of ranks 0, 1, which all have. 256thread_28ch")
                .contains(
                        "NOTICE sweep_other_ranks: Configurations have different ranks. Compared are those that all have:"
                                + " ranks 0, 1. The longest of the others takes 19 ms in 256thread_56ch.");
    }

    @Test
    void configurationsWithoutACommonRankAreNotToldApart() {
        RunSummary one = Timelines.point(256, 28, new double[] {10, 0, 0});
        RunSummary two = Timelines.point(256, 56, new double[] {8, 1, 0}, new double[] {8, 1, 0});
        RunSummary other = two.only(List.of(1));

        assertThat(findings(one, other))
                .contains("NOTICE sweep_unsure: The configurations take 9 ms (256thread_56ch) to 10 ms"
                        + " (256thread_28ch). Noise cannot be ruled out: no rank is in all of"
                        + " them. Record the same ranks of each.")
                .contains("Configurations have different ranks. None is in all, so times are means over the own ranks"
                        + " of each.");
        assertThat(Shown.of(of(one, other).table()).lines().toList().getLast())
                .as("nothing is known of what it takes longer")
                .startsWith("2 | 256thread_28ch | 1 | 10 | - | - | - | - | - | - | -");
    }

    @Test
    void ranksThatRecordedDifferentNumbersOfStepsAreNamed() {
        RunSummary even = Timelines.point(256, 28, new double[] {10, 0, 0}, new double[] {10, 0, 0});
        RunSummary whole = Timelines.point(256, 56, new double[] {9, 0, 0}, new double[] {9, 0, 0});
        TreeMap<Integer, List<RankBreakdown>> steps =
                new TreeMap<>(whole.times().stepsByRank());
        steps.put(1, steps.get(1).subList(0, 3));
        RunSummary uneven = new RunSummary(
                whole.label(),
                whole.settings(),
                2,
                new RunBreakdown(whole.times().byRank(), steps),
                whole.collectives());

        assertThat(findings(even, uneven))
                .contains("cannot be ruled out: ranks recorded different numbers of steps in 256thread_56ch.");
    }

    @Test
    void nothingIsRankedWithoutReports() {
        Ranking ranking = of(Timelines.absent(256, 28));

        assertThat(ranking.best()).isNull();
        assertThat(ranking.ties()).isEmpty();
    }
}
