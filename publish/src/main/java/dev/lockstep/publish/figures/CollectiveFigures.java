// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.ComparedRuns.Calls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The pictures of collectives. */
final class CollectiveFigures {
    private static final int DPI = 150;
    private static final int TITLES = 260;
    private static final int ROW = 64;
    private static final List<CollectiveMetric> CHANGES =
            List.of(CollectiveMetric.LATENCY, CollectiveMetric.ALGORITHM_BANDWIDTH, CollectiveMetric.BUS_BANDWIDTH);

    private final ComparedRuns facts;
    private final RunLook look;
    private final List<Calls> shown;

    CollectiveFigures(ComparedRuns facts, RunLook look) {
        this.facts = facts;
        this.look = look;
        this.shown = longest(facts.calls(), look.mostCollectives());
    }

    /** Those of most total latency, in their own order. */
    private static List<Calls> longest(List<Calls> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        Set<Calls> kept = new HashSet<>(all.stream()
                .sorted(Comparator.comparingDouble(CollectiveFigures::total).reversed())
                .limit(most)
                .toList());
        return all.stream().filter(kept::contains).toList();
    }

    private static double total(Calls calls) {
        return Arrays.stream(calls.values()[CollectiveMetric.TOTAL_LATENCY.ordinal()])
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    Figure of(CollectiveMetric metric, int width, int height) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < facts.runs().size(); run++) {
            int place = run;
            double[] values = shown.stream()
                    .mapToDouble(c -> c.values()[metric.ordinal()][place])
                    .toArray();
            series.add(new Series(facts.runs().get(run), values, look.runs().apply(run)));
        }
        String name = "NCCL " + metric.title;
        String unit = look.unit(metric);
        Panel panel = new Panel(
                "",
                look.explained() ? "Collective, number of elements" : "Collective Operation (Message Size)",
                look.explained() ? metric.title + ", " + unit : metric.title + " (" + unit + ")",
                new Mark.Bars(shown.stream().map(look.collective()).toList(), series));
        boolean two = facts.runs().size() == 2;
        String title = look.explained() ? name : two ? name + " Comparison" : name + " per Message Size";
        return new Figure(
                metric.file(),
                name,
                metric.title + " of each collective, in " + unit + ".",
                new Picture(title, "", note(), width, height, DPI, 1, List.of(panel)));
    }

    Figure changes(int width, int height) {
        int run = facts.runs().size() - 1;
        List<String> labels = shown.stream().map(look.collectiveOfChange()).toList();
        List<Panel> panels = new ArrayList<>();
        for (CollectiveMetric metric : CHANGES) {
            double[] changes = shown.stream()
                    .mapToDouble(c -> c.changes()[metric.ordinal()][run])
                    .toArray();
            Series series = look.changes(metric, facts.runs().get(run), changes);
            panels.add(new Panel(metric.brief, "Change, %", "", new Mark.RowBars(labels, List.of(series), "%")));
        }
        String title = look.explained()
                ? "Change of collectives: " + facts.runs().getLast() + " against "
                        + facts.runs().getFirst()
                : "NCCL Performance Percentage Change By Message Size";
        return new Figure(
                "NCCL_Performance_Percentage_Change_comparison.png",
                "NCCL Performance Percentage Change",
                "How latency and bandwidth of each collective changed, in percent.",
                new Picture(title, look.signs(), note(), width, high(height), DPI, 3, panels));
    }

    /** Room for labels of several lines. */
    private int high(int least) {
        return look.explained() ? Math.max(least, TITLES + shown.size() * ROW) : least;
    }

    private String note() {
        int all = facts.calls().size();
        return shown.size() == all
                ? ""
                : "The " + shown.size() + " collectives of most total latency, of " + all + "; the workbook has all.";
    }
}
