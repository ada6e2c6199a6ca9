// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTimelinesTest {
    private static SweepTimelines of(Averaging averaging, RunSummary... points) {
        return SweepTimelines.of(List.of(points), averaging);
    }

    private static SweepTimelines.Row row(SweepTimelines timelines, int place, String type) {
        SweepTimelines.Row row = timelines.row(timelines.points().get(place), type);
        assertThat(row).isNotNull();
        return row;
    }

    @Test
    void configurationsStandInTheOrderOfTheirNumbersAndMissingOnesHaveTheirPlace() {
        SweepTimelines timelines = of(
                Averaging.MEAN,
                Timelines.point(1024, 28, new double[] {1, 1, 1}),
                Timelines.absent(256, 56),
                Timelines.point(256, 112, new double[] {2, 1, 1}));
        Table pivot = Timelines.sheet(timelines.tables(), "Pivot_Time_ms");
        Table summary = Timelines.sheet(timelines.tables(), "Summary_By_Config");

        assertThat(pivot.schema().columns().stream().map(ColumnSpec::header))
                .containsExactly("type", "256thread_56ch", "256thread_112ch", "1024thread_28ch");
        assertThat(summary.rows()).isEqualTo(3);
        assertThat(summary.shown(summary.schema().indexOf("total_time_ms"), 0)).isNaN();
        assertThat(summary.longs(summary.schema().indexOf("num_ranks")).get(0)).isZero();
        assertThat(summary.shown(summary.schema().indexOf("total_time_ms"), 1)).isEqualTo(4);
    }

    @Test
    void sharesOfAveragesAddUpToTheTotal() {
        SweepTimelines timelines =
                of(Averaging.MEAN, Timelines.point(256, 28, new double[] {1, 2, 1}, new double[] {3, 0, 3}));

        double sum = row(timelines, 0, "computation_time").percent()
                + row(timelines, 0, "exposed_comm_time").percent()
                + row(timelines, 0, "idle_time").percent();
        assertThat(sum).isCloseTo(100, within(1e-9));
        assertThat(row(timelines, 0, "computation_time").percent()).isCloseTo(40, within(1e-9));
    }

    @Test
    void aRankWithoutAPartDoesNotDestroyTheGeometricMean() {
        SweepTimelines timelines = of(
                Averaging.GEOMETRIC,
                Timelines.point(256, 28, new double[] {5, 5, 1}, new double[] {5, 0, 1}, new double[] {5, 20, 1}));
        SweepTimelines.Row exposed = row(timelines, 0, "exposed_comm_time");

        assertThat(exposed.time()).isCloseTo(10, within(1e-9));
        assertThat(exposed.zeros()).isEqualTo(1);
        assertThat(row(timelines, 0, "computation_time").time()).isCloseTo(5, within(1e-9));
    }

    @Test
    void aPartThatNoRankHasAveragesToZero() {
        SweepTimelines timelines =
                of(Averaging.GEOMETRIC, Timelines.point(256, 28, new double[] {5, 0, 1}, new double[] {5, 0, 1}));

        assertThat(row(timelines, 0, "exposed_comm_time").time()).isZero();
        assertThat(row(timelines, 0, "exposed_comm_time").zeros()).isEqualTo(2);
    }

    @Test
    void theIntervalOfAMeanComesFromItsSteps() {
        SweepTimelines timelines = of(
                Averaging.MEAN,
                Timelines.point(256, 28, new double[] {1, 0, 0}, new double[] {2, 0, 0}, new double[] {3, 0, 0}));
        SweepTimelines.Row row = row(timelines, 0, "computation_time");

        // Mean 2, ranks scatter by 1, the four steps by a thousandth of themselves.
        assertThat(row.std()).isCloseTo(1, within(1e-9));
        assertThat(row.mean().mean()).isCloseTo(2, within(1e-9));
        assertThat(row.mean().reach()).isBetween(0.001, 0.05);
        assertThat(row.least()).isEqualTo(1);
        assertThat(row.most()).isEqualTo(3);
    }

    @Test
    void aSweepWithoutReportsIsEmpty() {
        assertThat(of(Averaging.MEAN, Timelines.absent(256, 28)).isEmpty()).isTrue();
    }
}
