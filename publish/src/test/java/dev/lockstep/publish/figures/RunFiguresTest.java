// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.publish.page.PageWriter;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Palette;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.ComparedRuns.Calls;
import dev.lockstep.report.ComparedRuns.Times;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunFiguresTest {
    private static ComparedRuns facts(int runs, int collectives) {
        List<String> labels =
                IntStream.range(0, runs).mapToObj(i -> "run <" + i + ">").toList();
        Times total = new Times(
                "total_time",
                "GPU_total_time",
                row(runs, 100),
                row(runs, 4),
                new int[] {0, 3},
                IntStream.range(0, runs)
                        .mapToObj(i -> new double[] {90, Double.NaN})
                        .toArray(double[][]::new),
                IntStream.range(0, runs)
                        .mapToObj(i -> new double[] {4, Double.NaN})
                        .toArray(double[][]::new));
        List<Calls> all = IntStream.range(0, collectives)
                .mapToObj(i -> new Calls(
                        "allreduce", "c10::BFloat16", Integer.toString(1024 + i), table(runs, 1 + i), table(runs, -2)))
                .toList();
        return new ComparedRuns(labels, List.of(total), all);
    }

    private static double[] row(int runs, double value) {
        double[] row = new double[runs];
        Arrays.fill(row, value);
        return row;
    }

    private static double[][] table(int runs, double value) {
        return IntStream.range(0, 4).mapToObj(i -> row(runs, value)).toArray(double[][]::new);
    }

    private static List<Figure> figures(List<RunFigures.Chapter> chapters) {
        return chapters.stream().flatMap(c -> c.figures().stream()).toList();
    }

    private static Panel panel(List<RunFigures.Chapter> chapters, String file) {
        return figures(chapters).stream()
                .filter(f -> f.file().equals(file))
                .findFirst()
                .orElseThrow()
                .picture()
                .panels()
                .getFirst();
    }

    @Test
    void twoRunsHaveThirteenPicturesInTheOrderOfTheirPage() {
        assertThat(figures(RunFigures.ofTwo(facts(2, 1), RunLook.RIGHT)))
                .extracting(f ->
                        f.file() + " " + f.picture().width() + "x" + f.picture().height())
                .containsExactly(
                        "improvement_chart.png 1500x900",
                        "abs_time_comparison.png 1500x900",
                        "gpu_time_heatmap.png 1800x1200",
                        "total_time_by_rank.png 1800x900",
                        "computation_time_by_rank.png 1800x900",
                        "total_comm_time_by_rank.png 1800x900",
                        "idle_time_by_rank.png 1800x900",
                        "gpu_time_change_percentage_summary_by_rank.png 1800x900",
                        "NCCL_Communication_Latency_comparison.png 2100x900",
                        "NCCL_Algorithm_Bandwidth_comparison.png 2100x900",
                        "NCCL_Bus_Bandwidth_comparison.png 2100x900",
                        "NCCL_Performance_Percentage_Change_comparison.png 1800x900",
                        "NCCL_Total_Communication_Latency_comparison.png 2100x900");
    }

    @Test
    void anyNumberOfRunsHasAPanelOfChangesForEachButTheBaseline() {
        for (int runs = 2; runs < 7; runs++) {
            Figure changes =
                    figures(RunFigures.ofAll(facts(runs, 1), RunLook.AORTA_ALL)).getFirst();

            assertThat(changes.picture().panels()).hasSize(runs - 1);
            assertThat(FigureFiles.drawn(List.of(changes))).containsOnlyKeys("improvement_chart.png");
        }
    }

    @Test
    void latenciesAreInMicrosecondsExceptWhereAnotherToolSaysOtherwise() {
        String file = "NCCL_Communication_Latency_comparison.png";

        assertThat(panel(RunFigures.ofTwo(facts(2, 1), RunLook.RIGHT), file).y())
                .isEqualTo("Communication Latency, µs");
        assertThat(panel(RunFigures.ofTwo(facts(2, 1), RunLook.AORTA_TWO), file).y())
                .isEqualTo("Communication Latency (ms)");
    }

    @Test
    void moreTimeIsWorseAndMoreBandwidthBetter() {
        Series time = RunLook.RIGHT.changesOfTime("t", new double[] {1});
        Series bandwidth = RunLook.RIGHT.changes(CollectiveMetric.BUS_BANDWIDTH, "b", new double[] {1});

        assertThat(time.colour()).isEqualTo(Palette.WORSE);
        assertThat(bandwidth.colour()).isEqualTo(Palette.BETTER);
    }

    @Test
    void aRankThatARunLacksIsAGapOrZeroWhereAnotherToolSaysSo() {
        String file = "total_time_by_rank.png";
        Mark.Lines own = (Mark.Lines)
                panel(RunFigures.ofAll(facts(3, 1), RunLook.RIGHT), file).mark();
        Mark.Lines other = (Mark.Lines)
                panel(RunFigures.ofAll(facts(3, 1), RunLook.AORTA_ALL), file).mark();

        assertThat(own.series().getFirst().values()).containsExactly(90, Double.NaN);
        assertThat(other.series().getFirst().values()).containsExactly(90, 0);
        assertThat(own.places()).containsExactly("0", "3");
    }

    @Test
    void ofManyCollectivesThoseOfMostLatencyAreShownInTheirOrder() {
        Mark.Bars bars =
                (Mark.Bars) panel(RunFigures.ofTwo(facts(2, 40), RunLook.RIGHT), "NCCL_Bus_Bandwidth_comparison.png")
                        .mark();

        assertThat(bars.places()).hasSize(24).first().asString().contains("1040");
        assertThat(bars.places()).last().asString().contains("1063");
    }

    @Test
    void thePageHoldsEveryPictureAndTheNumbers() {
        ComparedRuns facts = facts(2, 1);
        List<RunFigures.Chapter> chapters = RunFigures.ofTwo(facts, RunLook.RIGHT);
        Map<String, byte[]> pictures = FigureFiles.drawn(figures(chapters));

        String page = PageWriter.html(RunPage.of(facts, RunLook.RIGHT, chapters, pictures));

        assertThat(page.split("src=\"data:image/png;base64,", -1)).hasSize(14);
        assertThat(page)
                .contains("on 2 ranks")
                .contains("<td class=\"n\">+4.00</td>")
                .doesNotContain("run <1>");
    }
}
