// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.TwoRuns;
import dev.lockstep.runs.Settings;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every table, sentence and picture of a sweep of four configurations, in numbers that can be checked by hand: one of 100 ms, one
 * of 110 ms, one that cannot be told apart from the first, and one that was not run.
 */
class SweepNumbersTest {
    private static final RunSummary SLOWER = TwoRuns.slower("256thread_28ch", new Settings(256, 28, -1), 2);

    private final List<RunSummary> runs = List.of(
            SLOWER,
            TwoRuns.faster("512thread_28ch", new Settings(512, 28, -1), 2),
            TwoRuns.nearlyAsFast("256thread_42ch", new Settings(256, 42, -1), 2),
            TwoRuns.absent("512thread_42ch", new Settings(512, 42, -1)));

    private final SweepTimelines timelines = SweepTimelines.of(runs, Averaging.MEAN);
    private final SweepTimelines geometric = SweepTimelines.of(runs, Averaging.GEOMETRIC);
    private final SweepTimelines alone = SweepTimelines.of(List.of(SLOWER), Averaging.MEAN);
    private final SweepTimelines byStep = SweepTimelines.of(
            List.of(
                    TwoRuns.slower("256thread_28ch", new Settings(256, 28, -1), 4),
                    TwoRuns.faster("512thread_28ch", new Settings(512, 28, -1), 2)),
            Averaging.MEAN);
    private final SweepCollectives collectives = SweepCollectives.of(runs);

    @Test
    void everyPartOfEveryConfigurationIsAveraged() {
        assertThat(Shown.of(timelines.data())).isEqualTo("""
            256thread_28ch | 256 | 28 | 3 | 3 | computation_time | 63.333 | 57.576 | 0 | 5.7735 | 60 | 70 | 62.529 | 64.138
            256thread_28ch | 256 | 28 | 3 | 3 | exposed_comm_time | 26.667 | 24.242 | 0 | 5.7735 | 20 | 30 | 26.328 | 27.005
            256thread_28ch | 256 | 28 | 3 | 3 | exposed_memcpy_time | 0 | 0 | 3 | 0 | 0 | 0 | 0 | 0
            256thread_28ch | 256 | 28 | 3 | 3 | exposed_other_time | 3.3333 | 3.0303 | 2 | 5.7735 | 0 | 10 | 3.291 | 3.3757
            256thread_28ch | 256 | 28 | 3 | 3 | busy_time | 93.333 | 84.848 | 0 | 11.547 | 80 | 100 | 92.147 | 94.519
            256thread_28ch | 256 | 28 | 3 | 3 | idle_time | 16.667 | 15.152 | 0 | 5.7735 | 10 | 20 | 16.455 | 16.878
            256thread_28ch | 256 | 28 | 3 | 3 | total_time | 110 | 100 | 0 | 10 | 100 | 120 | 108.6 | 111.4
            256thread_28ch | 256 | 28 | 3 | 3 | total_comm_time | 50 | 45.455 | 0 | 10 | 40 | 60 | 49.365 | 50.635
            256thread_42ch | 256 | 42 | 3 | 3 | computation_time | 63.333 | 63.123 | 0 | 5.7735 | 60 | 70 | 62.529 | 64.138
            256thread_42ch | 256 | 42 | 3 | 3 | exposed_comm_time | 18.333 | 18.272 | 0 | 4.9329 | 15 | 24 | 18.1 | 18.566
            256thread_42ch | 256 | 42 | 3 | 3 | exposed_memcpy_time | 1.6667 | 1.6611 | 2 | 2.8868 | 0 | 5 | 1.6455 | 1.6878
            256thread_42ch | 256 | 42 | 3 | 3 | exposed_other_time | 0 | 0 | 3 | 0 | 0 | 0 | 0 | 0
            256thread_42ch | 256 | 42 | 3 | 3 | busy_time | 83.333 | 83.056 | 0 | 3.0551 | 80 | 86 | 82.274 | 84.392
            256thread_42ch | 256 | 42 | 3 | 3 | idle_time | 17 | 16.944 | 0 | 5.5678 | 11 | 22 | 16.784 | 17.216
            256thread_42ch | 256 | 42 | 3 | 3 | total_time | 100.33 | 100 | 0 | 8.6217 | 91 | 108 | 99.058 | 101.61
            256thread_42ch | 256 | 42 | 3 | 3 | total_comm_time | 54.667 | 54.485 | 0 | 12.858 | 40 | 64 | 53.972 | 55.361
            512thread_28ch | 512 | 28 | 3 | 3 | computation_time | 63.333 | 63.333 | 0 | 5.7735 | 60 | 70 | 62.529 | 64.138
            512thread_28ch | 512 | 28 | 3 | 3 | exposed_comm_time | 18.333 | 18.333 | 0 | 4.9329 | 15 | 24 | 18.1 | 18.566
            512thread_28ch | 512 | 28 | 3 | 3 | exposed_memcpy_time | 1.6667 | 1.6667 | 2 | 2.8868 | 0 | 5 | 1.6455 | 1.6878
            512thread_28ch | 512 | 28 | 3 | 3 | exposed_other_time | 0 | 0 | 3 | 0 | 0 | 0 | 0 | 0
            512thread_28ch | 512 | 28 | 3 | 3 | busy_time | 83.333 | 83.333 | 0 | 3.0551 | 80 | 86 | 82.274 | 84.392
            512thread_28ch | 512 | 28 | 3 | 3 | idle_time | 16.667 | 16.667 | 0 | 5.7735 | 10 | 20 | 16.455 | 16.878
            512thread_28ch | 512 | 28 | 3 | 3 | total_time | 100 | 100 | 0 | 8.7178 | 90 | 106 | 98.729 | 101.27
            512thread_28ch | 512 | 28 | 3 | 3 | total_comm_time | 54.667 | 54.667 | 0 | 12.858 | 40 | 64 | 53.972 | 55.361
            """);
    }

    @Test
    void pivotsAndSummaryShowTheSameAverages() {
        assertThat(Shown.of(Shown.named(timelines.tables(), "Pivot_Time_ms"))).isEqualTo("""
            computation_time | 63.333 | 63.333 | 63.333 | -
            exposed_comm_time | 26.667 | 18.333 | 18.333 | -
            exposed_memcpy_time | 0 | 1.6667 | 1.6667 | -
            exposed_other_time | 3.3333 | 0 | 0 | -
            busy_time | 93.333 | 83.333 | 83.333 | -
            idle_time | 16.667 | 17 | 16.667 | -
            total_time | 110 | 100.33 | 100 | -
            total_comm_time | 50 | 54.667 | 54.667 | -
            """);
        assertThat(Shown.of(Shown.named(timelines.tables(), "Pivot_Percent"))).isEqualTo("""
            computation_time | 57.576 | 63.123 | 63.333 | -
            exposed_comm_time | 24.242 | 18.272 | 18.333 | -
            exposed_memcpy_time | 0 | 1.6611 | 1.6667 | -
            exposed_other_time | 3.0303 | 0 | 0 | -
            busy_time | 84.848 | 83.056 | 83.333 | -
            idle_time | 15.152 | 16.944 | 16.667 | -
            total_time | 100 | 100 | 100 | -
            total_comm_time | 45.455 | 54.485 | 54.667 | -
            """);
        assertThat(Shown.of(Shown.named(timelines.tables(), "Summary_By_Config")))
                .isEqualTo("""
                    256thread_28ch | 256 | 28 | 3 | 3 | 63.333 | 26.667 | 0 | 93.333 | 16.667 | 110 | 50
                    256thread_42ch | 256 | 42 | 3 | 3 | 63.333 | 18.333 | 1.6667 | 83.333 | 17 | 100.33 | 54.667
                    512thread_28ch | 512 | 28 | 3 | 3 | 63.333 | 18.333 | 1.6667 | 83.333 | 16.667 | 100 | 54.667
                    512thread_42ch | 512 | 42 | 0 | 0 | - | - | - | - | - | - | -
                    """);
    }

    @Test
    void theRankingComparesRanksWithThemselves() {
        assertThat(Shown.of(timelines.ranking().table())).isEqualTo("""
            1 | 512thread_28ch | 3 | 100 | 0 | 0 | - | - | - | 0 | 0 | 0 | 0 | 0
            2 | 256thread_42ch | 3 | 100.33 | 0.33333 | 0.33333 | 0.2719 | 0.39477 | no | 0 | 0 | 0 | 0 | 0.33333
            3 | 256thread_28ch | 3 | 110 | 10 | 10 | 9.9235 | 10.076 | yes | 0 | 8.3333 | -1.6667 | 3.3333 | 0
            """);
    }

    @Test
    void collectivesKeepTheirFigures() {
        assertThat(Shown.of(collectives.data())).isEqualTo("""
            OP_01 | allgather 1 MiB Float (group 0, 3 ranks) | 1 | 512 | 256 | 28 | 256thread_28ch | allgather | Float | 0 | [0, 1, 2] | 3 | 2 | 30 | 29 | 25 | 35 | 0.06 | 10 | 11 | 9 | 12 | 15 | 16 | 14 | 17 | 2 | 1 | 0 | 4 | 3 | 2 | 1 | 5
            OP_02 | allreduce 1 MiB Float (group 0, 3 ranks) | 1 | 1024 | 256 | 28 | 256thread_28ch | allreduce | Float | 0 | [0, 1, 2] | 3 | 4 | 100 | 99 | 95 | 105 | 0.4 | 10 | 11 | 9 | 12 | 15 | 16 | 14 | 17 | 2 | 1 | 0 | 4 | 3 | 2 | 1 | 5
            OP_02 | allreduce 1 MiB Float (group 0, 3 ranks) | 1 | 1024 | 512 | 28 | 512thread_28ch | allreduce | Float | 0 | [0, 1, 2] | 3 | 4 | 60 | 59 | 55 | 65 | 0.24 | 10 | 11 | 9 | 12 | 15 | 16 | 14 | 17 | 2 | 1 | 0 | 4 | 3 | 2 | 1 | 5
            """);
        assertThat(Shown.of(collectives.best())).isEqualTo("""
            OP_01 | allgather 1 MiB Float (group 0, 3 ranks) | 256thread_28ch | 30 | - | - | 0 | 1
            OP_02 | allreduce 1 MiB Float (group 0, 3 ranks) | 512thread_28ch | 60 | 256thread_28ch | 100 | 66.667 | 2
            """);
        assertThat(Shown.of(collectives.byConfiguration())).isEqualTo("""
            256thread_28ch | 6 | 0.46
            256thread_42ch | 0 | -
            512thread_28ch | 4 | 0.24
            512thread_42ch | 0 | -
            """);
    }

    @Test
    void wordsSayWhichIsBestAndWhy() {
        assertThat(Shown.findings(SweepFindings.of(timelines.ranking(), collectives, timelines.points())))
                .isEqualTo("""
                    NOTICE sweep_best: 512thread_28ch is among the fastest: 100 ms, the mean of 3 ranks. 256thread_28ch is \
                    slowest: 110 ms, 10 % more (95 % CI 9.9 % to 10 %).
                    INFO sweep_ties: Equal to 512thread_28ch within noise or 1 %: 256thread_42ch (+333 µs).
                    NOTICE sweep_why: 256thread_28ch takes 10 ms longer than 512thread_28ch: exposed communication +8.33 ms, \
                    other activity +3.33 ms, exposed copies −1.67 ms.
                    PROBLEM sweep_gaps: 1 of 4 configurations could not be compared, as no report has a device timeline: \
                    512thread_42ch. CPU-only traces have none. Table coverage lists what could not be read.
                    """);
    }

    @Test
    void picturesShowTheSameNumbers() {
        assertThat(SweepCharts.of(timelines, collectives, new SweepRanks(List.of(), java.util.Map.of())).stream()
                        .map(Shown::of)
                        .collect(Collectors.joining("\n")))
                .isEqualTo("""
                    Time of each configuration [computation, exposed communication, exposed copies, other, idle]
                    256thread_28ch: [63.333, 26.667, 0, 3.3333, 16.667]
                    256thread_42ch: [63.333, 18.333, 1.6667, 0, 17]
                    512thread_28ch: [63.333, 18.333, 1.6667, 0, 16.667]
                    512thread_42ch: [0, 0, 0, 0, 0]

                    Span of device activity by setting [28 ch, 42 ch]
                    256 threads: [10, 0.33333]
                    512 threads: [0, -]

                    Exposed communication by setting [28 ch, 42 ch]
                    256 threads: [26.667, 18.333]
                    512 threads: [18.333, -]

                    Latency of collectives by size and configuration [256thread_28ch, 256thread_42ch, 512thread_28ch, 512thread_42ch]
                    allgather 1 MiB Float (group 0, 3 ranks): [0, -, -, -]
                    allreduce 1 MiB Float (group 0, 3 ranks): [66.667, -, 0, -]
                    """);
    }

    @Test
    void geometricMeansLeaveZerosOut() {
        assertThat(Shown.of(geometric.summary())).isEqualTo("""
            256thread_28ch | 256 | 28 | 3 | 3 | 63.164 | 26.207 | 0 | 92.832 | 15.874 | 109.7 | 49.324
            256thread_42ch | 256 | 42 | 3 | 3 | 63.164 | 17.926 | 5 | 83.296 | 16.332 | 100.08 | 53.555
            512thread_28ch | 512 | 28 | 3 | 3 | 63.164 | 17.926 | 5 | 83.296 | 15.874 | 99.738 | 53.555
            512thread_42ch | 512 | 42 | 0 | 0 | - | - | - | - | - | - | -
            """);
    }

    @Test
    void differentNumbersOfStepsAreRankedByStep() {
        assertThat(Shown.of(byStep.ranking().table())).isEqualTo("""
            1 | 256thread_28ch | 3 | 27.5 | 0 | 0 | - | - | - | 0 | 0 | 0 | 0 | 0
            2 | 512thread_28ch | 3 | 50 | 22.5 | 81.818 | 21.963 | 23.037 | yes | 15.833 | 2.5 | 0.83333 | -0.83333 | 4.1667
            """);
        assertThat(Shown.findings(SweepFindings.of(byStep.ranking(), SweepCollectives.of(List.of()), byStep.points())))
                .isEqualTo("""
                    NOTICE sweep_best: 256thread_28ch is fastest: 27.5 ms for each step, the mean of 3 ranks. 512thread_28ch is \
                    slowest: 50 ms, 82 % more (95 % CI 80 % to 84 %).
                    NOTICE sweep_why: 512thread_28ch takes 22.5 ms longer than 256thread_28ch: computation +15.8 ms, idle time \
                    +4.17 ms, exposed communication +2.50 ms.
                    """);
    }

    @Test
    void oneConfigurationHasNothingToBeComparedWith() {
        assertThat(Shown.findings(SweepFindings.of(alone.ranking(), SweepCollectives.of(List.of()), alone.points())))
                .isEqualTo("""
                    NOTICE sweep_best: 256thread_28ch takes 110 ms, the mean of 3 ranks. There is nothing to compare it with.
                    """);
    }
}
