// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.ComparedRuns.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The pictures of runs side by side. */
public final class RunFigures {
    private static final int DPI = 150;
    private static final List<String> BY_RANK =
            List.of(TimelinePartNames.TOTAL_TIME, "computation_time", "total_comm_time", TimelinePartNames.IDLE_TIME);
    private static final Map<String, String> HEADINGS = Map.of(
            TimelinePartNames.TOTAL_TIME,
            "Total Time",
            "computation_time",
            "Computation Time",
            "total_comm_time",
            "Communication Time",
            TimelinePartNames.IDLE_TIME,
            "Idle Time");

    private final ComparedRuns facts;
    private final RunLook look;
    private final CollectiveFigures collectives;

    private RunFigures(ComparedRuns facts, RunLook look) {
        this.facts = facts;
        this.look = look;
        this.collectives = new CollectiveFigures(facts, look);
    }

    /** Figures under a title. */
    public record Chapter(String title, List<Figure> figures) {
        public Chapter {
            figures = List.copyOf(figures);
        }
    }

    /** The thirteen pictures of two runs, in the chapters of their page. */
    public static List<Chapter> ofTwo(ComparedRuns facts, RunLook look) {
        RunFigures figures = new RunFigures(facts, look);
        List<Figure> ranks = new ArrayList<>();
        ranks.add(figures.heat());
        BY_RANK.forEach(type -> ranks.add(figures.byRank(figures.times(type), 1800, 900)));
        ranks.add(figures.changesByRank());
        return chapters(
                List.of(figures.improvement(1500, 900, DPI), figures.absolute(1500, 900, DPI)),
                ranks,
                List.of(
                        figures.collectives.of(CollectiveMetric.LATENCY, 2100, 900),
                        figures.collectives.of(CollectiveMetric.ALGORITHM_BANDWIDTH, 2100, 900),
                        figures.collectives.of(CollectiveMetric.BUS_BANDWIDTH, 2100, 900),
                        figures.collectives.changes(1800, 900),
                        figures.collectives.of(CollectiveMetric.TOTAL_LATENCY, 2100, 900)));
    }

    /** The pictures of any number of runs, in the chapters of their page; one for each type of time among them. */
    public static List<Chapter> ofAll(ComparedRuns facts, RunLook look) {
        RunFigures figures = new RunFigures(facts, look);
        int rows = Math.max(1, facts.runs().size() / 2);
        return chapters(
                List.of(figures.improvement(2980, 1184 * rows, 200), figures.absolute(1000, 500, 100)),
                facts.times().stream()
                        .map(times -> figures.byRank(times, 1784, 884))
                        .toList(),
                Arrays.stream(CollectiveMetric.values())
                        .map(metric -> figures.collectives.of(metric, 2083, 1030))
                        .toList());
    }

    private static List<Chapter> chapters(List<Figure> overall, List<Figure> ranks, List<Figure> collectives) {
        return List.of(
                new Chapter("1. Overall GPU Metrics Comparison", overall),
                new Chapter("2. Cross-Rank Performance Comparison", ranks),
                new Chapter("3. NCCL Collective Operations Analysis", collectives));
    }

    private Figure improvement(int width, int height, int dpi) {
        List<String> labels =
                new ArrayList<>(facts.times().stream().map(Times::label).toList());
        if (!look.explained()) {
            Collections.reverse(labels);
        }
        List<Panel> panels = new ArrayList<>();
        for (int run = 1; run < facts.runs().size(); run++) {
            panels.add(new Panel(
                    facts.runs().size() > 2
                            ? facts.runs().get(run) + " against " + facts.runs().getFirst()
                            : "",
                    "Change, %",
                    "",
                    new Mark.RowBars(labels, List.of(changes(run)), "%")));
        }
        String title = !look.explained()
                ? !look.moreTimeIsPositive()
                        ? "GPU Metrics Percentage Change (Test vs Baseline)"
                        : "GPU Time Percentage Change"
                : "Change of GPU times against " + facts.runs().getFirst();
        Picture picture =
                new Picture(title, look.signs(), note("n/a: the baseline has none."), width, height, dpi, 2, panels);
        return new Figure(
                "improvement_chart.png",
                "Percentage Change Overview",
                "How much each kind of GPU time changed against the baseline. " + look.signs() + ".",
                picture);
    }

    private Series changes(int run) {
        double[] changes =
                facts.times().stream().mapToDouble(times -> times.change()[run]).toArray();
        if (!look.explained()) {
            for (int i = 0, j = changes.length - 1; i < j; i++, j--) {
                double swap = changes[i];
                changes[i] = changes[j];
                changes[j] = swap;
            }
        }
        return look.changesOfTime(facts.runs().get(run), changes);
    }

    private Figure absolute(int width, int height, int dpi) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < facts.runs().size(); run++) {
            int place = run;
            double[] ms = facts.times().stream().mapToDouble(t -> t.ms()[place]).toArray();
            series.add(new Series(facts.runs().get(run), ms, look.runs().apply(run)));
        }
        List<String> labels = facts.times().stream().map(Times::label).toList();
        Panel panel = new Panel(
                "",
                look.explained() ? "" : "Metric Type",
                look.explained() ? "Mean over ranks, ms" : "Time (ms)",
                new Mark.Bars(labels, series));
        String title = look.explained() ? "GPU times, mean over ranks" : "GPU Metrics Absolute Time Comparison";
        return new Figure(
                "abs_time_comparison.png",
                "Absolute Time Comparison",
                "GPU times of the runs side by side, in milliseconds.",
                new Picture(title, "", "", width, height, dpi, 1, List.of(panel)));
    }

    private Figure heat() {
        int run = facts.runs().size() - 1;
        int[] ranks = facts.times().stream()
                .flatMapToInt(times -> Arrays.stream(times.ranks()))
                .sorted()
                .distinct()
                .toArray();
        double[][] values = facts.times().stream()
                .map(times -> Arrays.stream(ranks)
                        .mapToDouble(rank -> change(times, run, rank))
                        .toArray())
                .toArray(double[][]::new);
        Panel panel = new Panel(
                "",
                "Rank",
                look.explained() ? "" : "Metric Type",
                new Mark.Heat(
                        facts.times().stream().map(Times::type).toList(),
                        Arrays.stream(ranks).mapToObj(String::valueOf).toList(),
                        values,
                        look.explained() ? "Change, %" : "Percent Change (%)",
                        !look.moreTimeIsPositive(),
                        look.explained() ? 5 : 0));
        String title = look.explained()
                ? "Change of GPU times by rank: " + facts.runs().getLast() + " against "
                        + facts.runs().getFirst()
                : "GPU Metric Percentage Change by Rank (HeatMap)";
        String signs = look.explained() ? look.signs() : "(Positive = Better Test)";
        return new Figure(
                "gpu_time_heatmap.png",
                "Performance Heatmap by Rank",
                "The change of each kind of GPU time on each rank, in percent.",
                new Picture(title, signs, note("n/a: not in both runs."), 1800, 1200, DPI, 1, List.of(panel)));
    }

    private static double change(Times times, int run, int rank) {
        int place = Arrays.binarySearch(times.ranks(), rank);
        return place < 0 ? Double.NaN : times.rankChange()[run][place];
    }

    private Times times(String type) {
        int runs = facts.runs().size();
        double[] none = new double[runs];
        Arrays.fill(none, Double.NaN);
        return facts.times().stream()
                .filter(times -> times.type().equals(type))
                .findFirst()
                .orElse(new Times(type, type, none, none, new int[0], new double[runs][0], new double[runs][0]));
    }

    private Figure byRank(Times times, int width, int height) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < facts.runs().size(); run++) {
            double[] ms = Arrays.stream(times.rankMs()[run])
                    .map(value -> Double.isFinite(value) ? value : look.absent())
                    .toArray();
            series.add(new Series(facts.runs().get(run), ms, look.runs().apply(run)));
        }
        List<String> ranks =
                Arrays.stream(times.ranks()).mapToObj(String::valueOf).toList();
        boolean two = facts.runs().size() == 2;
        String y = look.explained() ? times.type() + ", ms" : two ? "Total Time (ms)" : "Time (ms)";
        String title = look.explained()
                ? times.type() + " by rank"
                : two ? times.type() + " Comparison across all ranks" : times.type() + " - Time per Rank";
        return new Figure(
                times.type() + "_by_rank.png",
                HEADINGS.getOrDefault(times.type(), times.type()),
                "Time of the type " + times.type() + " on each rank.",
                new Picture(
                        title,
                        "",
                        note("A gap is a rank that a run lacks."),
                        width,
                        height,
                        DPI,
                        1,
                        List.of(new Panel("", "Rank", y, new Mark.Lines(ranks, series)))));
    }

    private Figure changesByRank() {
        int run = facts.runs().size() - 1;
        List<Panel> panels = new ArrayList<>();
        for (Times times : facts.times()) {
            Series changes = look.changesOfTime(facts.runs().get(run), times.rankChange()[run]);
            List<String> ranks =
                    Arrays.stream(times.ranks()).mapToObj(String::valueOf).toList();
            panels.add(new Panel(times.type(), "Rank", "Change, %", new Mark.Bars(ranks, List.of(changes))));
        }
        String title = look.explained()
                ? "Change of GPU times by rank: " + facts.runs().getLast() + " against "
                        + facts.runs().getFirst()
                : "Percentage Change by Rank";
        String file = "gpu_time_change_percentage_summary_by_rank.png";
        return new Figure(
                file,
                "Detailed Percentage Change by Metric",
                "The change of each kind of GPU time on each rank, one panel for each kind.",
                new Picture(
                        title, look.signs(), note("A cross is a rank without a change."), 1800, 900, DPI, 4, panels));
    }

    private String note(String text) {
        return look.explained() ? text : "";
    }
}
