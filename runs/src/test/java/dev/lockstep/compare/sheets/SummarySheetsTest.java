// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.CollectiveSum;
import dev.lockstep.compare.CollectiveSum.Figures;
import dev.lockstep.compare.RankBreakdown.Time;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunCollectives;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What comparisons take from sheets of reports, number by number. */
class SummarySheetsTest {
    private static final String CALL =
            "Collective name | dtype | In msg nelems | Out msg nelems | Process Group Name | Process Group Ranks | Group size";
    private static final CallKey REDUCE = new CallKey("allreduce", "Float", 1024, 2048, "tp", "[0, 1, 12]", 3);

    private static Table timeline(String... rows) {
        String[] lines = new String[rows.length + 1];
        lines[0] = "type | time ms | percent";
        System.arraycopy(rows, 0, lines, 1, rows.length);
        return Shown.sheet("gpu_timeline", lines);
    }

    @Test
    void timelinesAndStepsOfRanks() {
        RunBreakdown times = SummarySheets.times(Map.of(
                0,
                List.of(
                        timeline("total_time | 4 | 100", "idle_time | 1 | 25", "| 7 | 7"),
                        Shown.sheet("gpu_timeline_by_step", "step", "1", "2")),
                3,
                List.of(timeline("total_time | 5 | 100"), Shown.sheet("gpu_timeline_by_step", "step")),
                5,
                List.of(Shown.sheet("gpu_timeline", "type"))));

        assertThat(times.ranks()).containsExactly(0, 3);
        assertThat(times.byRank().get(0).listed())
                .containsOnlyKeys("total_time", "idle_time")
                .containsEntry("total_time", new Time(4, 100))
                .containsEntry("idle_time", new Time(1, 25));
        assertThat(times.stepsByRank()).containsOnlyKeys(0);
        assertThat(times.stepsByRank().get(0)).hasSize(2);
    }

    @Test
    void aTimelineWithoutATimeThatCanBeReadIsNone() {
        for (String cell : List.of("", "NaN", "abc", "0x10", "1_000", "-1", "inf", "Infinity", "1e308", "1e400")) {
            Table total = timeline("idle_time | 1 | 25", "total_time | " + cell + " | 100");
            assertThat(SummarySheets.breakdown(total).isUnknown()).as(cell).isTrue();
            assertThat(SummarySheets.lacks(total))
                    .isEqualTo("the time of total_time in its sheet gpu_timeline cannot be read");
            Table part = timeline("total_time | 4 | 100", "idle_time | " + cell + " | 25");
            assertThat(SummarySheets.breakdown(part).isUnknown()).as(cell).isTrue();
        }
        Table twice = timeline("total_time | 4 | 100", "total_time | 5 | 100");
        assertThat(SummarySheets.lacks(twice)).isEqualTo("its sheet gpu_timeline has total_time twice");
        assertThat(SummarySheets.lacks(timeline("idle_time | 1 | 25")))
                .isEqualTo("its sheet gpu_timeline has no total_time");
        assertThat(SummarySheets.lacks(timeline("total_time | 0 | 100"))).isEmpty();
    }

    @Test
    void stepsOfWhichATimeCannotBeReadAreNotCompared() {
        RunBreakdown times = SummarySheets.times(Map.of(
                0,
                List.of(
                        timeline("total_time | 20 | 100", "busy_time | 14 | 70"),
                        Shown.sheet(
                                "gpu_timeline_by_step",
                                "start ms | total time ms | busy ms",
                                "0 | 8 | 7",
                                "10 | 9 | x"))));

        assertThat(times.bySteps("total_time", List.of(0))).containsExactly(10, 11);
        assertThat(times.bySteps("busy_time", List.of(0))).isEmpty();
    }

    @Test
    void aStepLastsUntilTheNextAndItsPartsAreThoseOfTheTimeline() {
        RunBreakdown times = SummarySheets.times(Map.of(
                0,
                List.of(
                        timeline("total_time | 20 | 100"),
                        Shown.sheet(
                                "gpu_timeline_by_step",
                                "start ms | total time ms | computation ms | exposed comm ms | exposed memcpy ms | busy ms | total comm ms",
                                "0 | 8 | 4 | 2 | 0 | 7 | 3",
                                "10 | 9 | 5 | 2 | 0 | 7 | 3"))));

        assertThat(times.bySteps("total_time", List.of(0))).containsExactly(10, 11);
        assertThat(times.bySteps("idle_time", List.of(0))).containsExactly(3, 4);
        assertThat(times.bySteps("computation_time", List.of(0))).containsExactly(4, 5);
        assertThat(times.bySteps("exposed_other_time", List.of(0))).containsExactly(1, 0);
        assertThat(times.bySteps("total_comm_time", List.of(0))).containsExactly(3, 3);
        assertThat(times.bySteps("total_time", List.of(0, 1))).isEmpty();
    }

    @Test
    void aTimelineThatTellsRecomputationApartIsNoTimelineOfOneSpan() {
        Table split =
                Shown.sheet("gpu_timeline", "type | time ms | percent | is_recompute", "total_time | 4 | 100 | true");

        assertThat(SummarySheets.breakdown(split).isUnknown()).isTrue();
        assertThat(SummarySheets.isTimeline(split)).isTrue();
        assertThat(SummarySheets.isTimeline(Shown.sheet("gpu_timeline", "type | time ms", "x | 1")))
                .isFalse();
        assertThat(SummarySheets.isTimeline(Shown.sheet("gpu_timeline", "type | percent", "x | 1")))
                .isFalse();
        assertThat(SummarySheets.isTimeline(Shown.sheet("gpu_timeline", "time ms | percent", "1 | 1")))
                .isFalse();
    }

    @Test
    void everyCollectiveWithItsLatency() {
        RunCollectives collectives = SummarySheets.collectives(List.of(Shown.sheet(
                "nccl_implicit_sync",
                CALL + " | Full msg size (MB) | comm_latency | skew in start time | algo bw (GB/s) | bus bw (GB/s)",
                "allreduce | Float | 1024 | 2048 | tp | [0, 1, 12] | 3 | 0.5 | 40 | 7 | 2 | 3",
                "allreduce | Float | 1024 | 2048 | tp | [0, 1, 12] | 3 | 0.5 | 50 | | 0 | 3",
                "allreduce | Float | 1024 | 2048 | tp | [0, 1, 12] | 3 | 0.5 | | 7 | 2 | 3")));

        List<CollectiveInstance> instances = collectives.families().getFirst().instances();
        assertThat(instances).hasSize(2);
        assertThat(instances.getFirst()).isEqualTo(new CollectiveInstance(REDUCE, 40, 7, 512 * 1024, 1.5));
        assertThat(instances.getLast().skew()).isNaN();
        assertThat(instances.getLast().busFactor()).isNaN();
        assertThat(collectives.families().get(1).instances()).isEmpty();
        assertThat(collectives.kernels()).isEmpty();
    }

    @Test
    void collectivesSummedUp() {
        String figures = "%1$s_mean | %1$s_median | %1$s_min | %1$s_max";
        Table sums = Shown.sheet(
                "nccl_summary_one_way",
                CALL + " | Full msg size (MB) | count | Total comm latency (ms) | "
                        + String.join(
                                " | ",
                                List.of(
                                        figures.formatted("comm_latency"),
                                        figures.formatted("skew in start time"),
                                        figures.formatted("skew in end time"),
                                        figures.formatted("algo bw (GB/s)"),
                                        figures.formatted("bus bw (GB/s)"))),
                "allreduce | Float | 1024 | 2048 | tp | [0, 1, 12] | 3 | 2 | 8 | 0.4 "
                        + "| 50 | 49 | 40 | 60 | 5 | 4 | 0 | 9 | 6 | 3 | 1 | 8 | 10 | 11 | 7 | 12 | 15 | 16 | 13 | 17");

        List<CollectiveSum> read =
                SummarySheets.collectives(List.of(sums)).families().get(1).sums();
        assertThat(read)
                .containsExactly(new CollectiveSum(
                        REDUCE,
                        2 << 20,
                        8,
                        0.4,
                        new Figures(50, 49, 40, 60),
                        new Figures(5, 4, 0, 9),
                        new Figures(6, 3, 1, 8),
                        new Figures(10, 11, 7, 12),
                        new Figures(15, 16, 13, 17)));
        assertThat(read.getFirst().busFactor()).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void aBandwidthOfNothingHasNoShareThatCrossesALink() {
        Figures none = new Figures(0, 0, 0, 0);
        CollectiveSum sum = new CollectiveSum(REDUCE, 1, 1, 1, none, none, none, none, new Figures(1, 1, 1, 1));

        assertThat(sum.busFactor()).isNaN();
    }

    @Test
    void namesOfKernelsAndRanksThatSheetsKnow() {
        Table kernels =
                Shown.sheet("nccl_summary_long", "Collective name | x", "broadcast | 1", "| 2", "allreduce | 3");
        Table calls = Shown.sheet("any", CALL, "a|b|1|1|g|[3, 1]|2", "a|b|1|1|g|[3, 1]|2", "a|b|1|1|g|(1, 12)|2");

        assertThat(SummarySheets.collectives(List.of(kernels)).kernels()).containsExactly("allreduce", "broadcast");
        assertThat(SummarySheets.ranksOf(List.of(kernels, calls))).containsExactly(1, 3, 12);
        assertThat(SummarySheets.ranksOf(List.of(Shown.sheet("any", "Process Group Ranks", "7"))))
                .as("a number is no list")
                .isEmpty();
    }

    @Test
    void aCallIsNamedByWhatIsKnownOfIt() {
        assertThat(REDUCE.text()).isEqualTo("allreduce of 1,024 Float elements in group tp");
        assertThat(new CallKey("barrier", "", 1, 1, "", "", -1).text()).isEqualTo("barrier of 1 element");
        assertThat(new CallKey("send", "Half", -1, -1, "", "", -1).text()).isEqualTo("send Half");
    }
}
