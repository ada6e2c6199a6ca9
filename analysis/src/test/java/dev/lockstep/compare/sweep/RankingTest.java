// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.table.Table;
import java.util.List;
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

    @Test
    void nothingIsRankedWithoutReports() {
        Ranking ranking = of(Timelines.absent(256, 28));

        assertThat(ranking.best()).isNull();
        assertThat(ranking.ties()).isEmpty();
    }
}
