// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.kernels.GanttBars;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** When kernels ran, as a picture: computation, communication and copies in colours of their own. */
public final class GanttFigure {
    /** More rows than this cannot be told apart. */
    private static final int MOST_ROWS = 800;

    private static final int WIDTH = 2100;
    private static final int DPI = 150;
    private static final int COLUMNS = 1800;
    private static final double NS_PER_MS = 1e6;

    /** In the order of {@link KernelClass}. */
    private static final List<Series> CLASSES = List.of(
            series("computation", 0x2b6cb0),
            series("communication", 0xd1495b),
            series("copies and fills", 0xe0a100),
            series("other", 0x718096));

    private GanttFigure() {}

    /** The picture of a chart, as wide as a page. */
    public static Picture of(GanttChart chart) {
        List<GanttChart.Row> all = chart.rows();
        List<GanttChart.Row> shown = all.subList(0, Math.min(MOST_ROWS, all.size()));
        List<Mark.GanttRow> rows = new ArrayList<>();
        for (GanttChart.Row row : shown) {
            rows.add(row(row, chart.bars(row, COLUMNS), chart.ranks().size() > 1));
        }
        int height = 330 + (int) Math.round(shown.size() * Math.clamp(1600.0 / Math.max(1, shown.size()), 16, 60));
        return new Picture(
                "Kernels over time",
                chart.reading(),
                String.format(
                                Locale.ROOT,
                                "%,d kernels, copies and fills in %d lanes. What is narrower than two pixels is drawn joined,"
                                        + " the paler the less of the time something ran.",
                                chart.kernels(),
                                all.size())
                        + (shown.size() < all.size() ? " Only the first " + shown.size() + " lanes are drawn." : ""),
                WIDTH,
                height,
                DPI,
                1,
                List.of(new Panel(
                        "",
                        "time since the first kernel, ms",
                        "",
                        new Mark.Gantt(rows, chart.from() / NS_PER_MS, chart.to() / NS_PER_MS, CLASSES))));
    }

    private static Mark.GanttRow row(GanttChart.Row row, GanttBars bars, boolean grouped) {
        int n = bars.size();
        double[] from = new double[n];
        double[] to = new double[n];
        int[] kind = new int[n];
        double[] share = new double[n];
        for (int i = 0; i < n; i++) {
            from[i] = (bars.start(i) - row.rank().origin()) / NS_PER_MS;
            to[i] = (bars.end(i) - row.rank().origin()) / NS_PER_MS;
            kind[i] = Math.min(bars.kind(i), CLASSES.size() - 1);
            share[i] = bars.share(i);
        }
        String group = grouped ? "rank " + row.rank().number() : "";
        return new Mark.GanttRow(group, row.label(), from, to, kind, share);
    }

    private static Series series(String name, int rgb) {
        return new Series(name, new double[0], Colour.of(rgb));
    }
}
