// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.kernels.GanttBars;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Palette;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** When kernels ran, as a picture: computation, communication and copies in colours of their own. */
public final class GanttFigure {
    /** More rows than this cannot be told apart. */
    private static final int MOST_ROWS = 800;

    private static final int WIDTH = 2100;
    private static final int DPI = 150;
    private static final int COLUMNS = 1800;
    private static final int LEAST_COLUMNS = 400;
    private static final int MOST_PLACES = 600_000;
    private static final double NS_PER_MS = 1e6;

    /** In the order of {@link KernelClass}. */
    private static final List<String> CLASSES = List.of("computation", "communication", "copies and fills", "other");

    private GanttFigure() {}

    /** The picture of a chart, as wide as a page. */
    public static Picture of(GanttChart chart) {
        List<GanttChart.Row> all = chart.rows();
        List<GanttChart.Row> shown = all.subList(0, Math.min(MOST_ROWS, all.size()));
        List<Mark.GanttRow> rows = new ArrayList<>();
        int columns = Math.clamp(MOST_PLACES / Math.max(1, shown.size()), LEAST_COLUMNS, COLUMNS);
        for (GanttChart.Row row : shown) {
            rows.add(row(chart, row, columns));
        }
        int height = 330 + (int) Math.round(shown.size() * Math.clamp(1600.0 / Math.max(1, shown.size()), 16, 60));
        return new Picture(
                "Kernels over time",
                chart.reading(),
                String.format(
                                Locale.ROOT,
                                "%,d kernels, copies and fills in %,d lanes. Where they are narrower than a pixel, the"
                                        + " height is the share of the time they ran.",
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
                        new Mark.Gantt(rows, chart.from() / NS_PER_MS, chart.to() / NS_PER_MS, series()))));
    }

    /** What is narrower than a column, or was joined, goes to the columns; the rest are bars. */
    private static Mark.GanttRow row(GanttChart chart, GanttChart.Row row, int columns) {
        GanttBars bars = chart.bars(row, columns);
        long origin = row.rank().origin();
        double width = (double) (chart.to() - chart.from()) / columns;
        DoubleList from = new DoubleList(bars.size());
        DoubleList to = new DoubleList(bars.size());
        IntList kind = new IntList(bars.size());
        List<String> names = new ArrayList<>();
        double[][] shares = new double[CLASSES.size()][columns];
        for (int i = 0; i < bars.size(); i++) {
            long begin = bars.start(i) - origin;
            long end = bars.end(i) - origin;
            if (bars.name(i) < 0 || end - begin < width) {
                double density = (double) bars.busy(i) / Math.max(1, end - begin);
                spread(shares[bars.kind(i)], (begin - chart.from()) / width, (end - chart.from()) / width, density);
            } else {
                from.add(begin / NS_PER_MS);
                to.add(end / NS_PER_MS);
                kind.add(bars.kind(i));
                names.add(row.rank().lanes().name(bars.name(i)));
            }
        }
        String group = chart.ranks().size() > 1 ? "rank " + row.rank().number() : "";
        return new Mark.GanttRow(group, row.label(), from.toArray(), to.toArray(), kind.toArray(), names, shares);
    }

    private static void spread(double[] columns, double from, double to, double density) {
        for (int c = (int) Math.max(0, from); c < Math.min(to, columns.length); c++) {
            columns[c] += (Math.min(to, c + 1) - Math.max(from, c)) * density;
        }
    }

    private static List<Series> series() {
        return IntStream.range(0, CLASSES.size())
                .mapToObj(i -> new Series(CLASSES.get(i), new double[0], Palette.series(i)))
                .toList();
    }
}
