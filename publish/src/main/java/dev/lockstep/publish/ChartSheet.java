// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Polyline;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The sheet of pictures: bars and points of the report as charts of the spreadsheet, each above the next, and to the right of
 * each the numbers that it draws.
 */
final class ChartSheet {
    static final String NAME = "Charts";

    private static final int MOST_BARS = 40;

    /** A picture of Excel holds no more. */
    private static final int MOST_SERIES = 255;

    private static final int MOST_POINTS = 400;

    /** Columns that a picture covers, and where its numbers begin. */
    private static final int WIDE = 12;

    private static final int NUMBERS = WIDE + 1;
    private static final int SCATTER_ROWS = 26;
    private static final int LEAST_ROWS = 11;
    private static final int LONGEST_LABEL = 44;

    /** What lies beyond so much of the weight is in the numbers, but not in the picture. */
    private static final double SHOWN = 0.999;

    private static final double NARROW = 10;
    private static final double LABEL_WIDTH = 34;

    private final Worksheet sheet;
    private final List<ChartPart> parts = new ArrayList<>();
    private int row;

    /** Where the numbers of the chart at hand begin: beside those of charts above that reach further down than their pictures. */
    private int column = NUMBERS;

    private int lastRow;
    private int lastColumn = NUMBERS;

    private ChartSheet(Worksheet sheet) {
        this.sheet = sheet;
    }

    /** The pictures of a report that a spreadsheet can draw. */
    static List<Chart> drawn(Report report) {
        return report.sections().stream()
                .filter(Section.ChartSection.class::isInstance)
                .map(Section.ChartSection.class::cast)
                .filter(section -> !section.onPagesOnly())
                .map(Section.ChartSection::chart)
                .filter(chart ->
                        chart instanceof Chart.StackedBars bars && !bars.bars().isEmpty()
                                || chart instanceof Chart.Scatter points
                                        && points.series().stream().anyMatch(one -> one.x().length > 0))
                .toList();
    }

    static void write(List<Chart> charts, Worksheet sheet) throws IOException {
        ChartSheet written = new ChartSheet(sheet);
        sheet.value(0, 0, "Pictures of what the sheets hold");
        sheet.look(0, 0, CellLook.TITLE);
        for (int column = 0; column < NUMBERS; column++) {
            sheet.width(column, NARROW);
        }
        sheet.note(0, "Beside each picture stand the numbers that it draws.");
        written.row = 2;
        for (Chart chart : charts) {
            switch (chart) {
                case Chart.StackedBars bars -> written.bars(bars);
                case Chart.Scatter points -> written.points(points);
                default -> throw new IllegalArgumentException(chart.title());
            }
        }
        sheet.printOnly(written.row + 1, WIDE + 1);
        sheet.fitToPaper(false);
        sheet.extent(Math.max(written.row, written.lastRow), written.lastColumn);
        sheet.charts(written.parts);
        sheet.finish();
    }

    private void heading(Chart chart) {
        sheet.value(row, 0, SheetText.cell(chart.title()));
        sheet.look(row, 0, CellLook.BOLD);
        sheet.value(row + 1, 0, SheetText.cell(chart.doc()));
        row += 2;
        column = row > lastRow ? NUMBERS : lastColumn + 1;
    }

    /** Goes on below a picture, whose numbers reached so far. */
    private void below(int rows, int numbers, int next) {
        lastRow = Math.max(lastRow, row + numbers);
        lastColumn = Math.max(lastColumn, next);
        row += rows + 2;
    }

    private void bars(Chart.StackedBars chart) {
        heading(chart);
        List<Bar> bars =
                chart.bars().subList(0, Math.min(MOST_BARS, chart.bars().size()));
        String unit = chart.unit().isEmpty() ? "" : " (" + chart.unit() + ")";
        List<ChartPart.Series> series = new ArrayList<>();
        sheet.width(column, LABEL_WIDTH);
        List<String> labels = bars.stream().map(bar -> brief(bar.label())).toList();
        for (int bar = 0; bar < labels.size(); bar++) {
            put(row + 1 + bar, column, labels.get(bar));
        }
        int parted = Math.min(MOST_SERIES, chart.parts().size());
        for (int part = 0; part < parted; part++) {
            int at = column + 1 + part;
            put(row, at, chart.parts().get(part) + unit);
            double[] lengths = new double[bars.size()];
            for (int bar = 0; bar < lengths.length; bar++) {
                lengths[bar] = Math.max(0, bars.get(bar).values()[part]);
                put(row + 1 + bar, at, lengths[bar]);
            }
            series.add(new ChartPart.Series(chart.parts().get(part), labels, spelt(lengths), false));
        }
        int rows = Math.max(LEAST_ROWS, bars.size() + 5);
        parts.add(ChartPart.bars(chart, series, new ChartPart.Place(row, rows, WIDE)));
        below(rows, bars.size() + 1, column + 1 + parted);
    }

    /** A label that leaves room for its bar: cut in the middle, since names differ at their ends. */
    private static String brief(String label) {
        int half = LONGEST_LABEL / 2;
        return label.length() <= LONGEST_LABEL
                ? label
                : Unicode.head(label, half) + "…" + label.substring(label.length() - half);
    }

    private static List<String> spelt(double[] numbers) {
        return DoubleStream.of(numbers)
                .mapToObj(number -> Double.isFinite(number) ? String.valueOf(number) : "")
                .toList();
    }

    private void points(Chart.Scatter chart) {
        heading(chart);
        int at = column;
        int longest = 0;
        List<ChartPart.Series> series = new ArrayList<>();
        double least = least(chart);
        int lines = Math.min(MOST_SERIES, chart.lines().size());
        int clouds = Math.min(MOST_SERIES - lines, chart.series().size());
        for (Points points : chart.series().subList(0, clouds)) {
            int[] there = heaviest(points);
            int shown = (int) IntStream.of(there)
                    .filter(i -> points.connected() || points.weight()[i] >= least)
                    .count();
            if (there.length > 0) {
                sheet.width(at, LABEL_WIDTH);
                put(row, at, points.name());
                for (int i = 0; i < there.length && !points.labels().isEmpty(); i++) {
                    put(row + 1 + i, at, points.labels().get(there[i]));
                }
                double[] x = IntStream.of(there).mapToDouble(i -> points.x()[i]).toArray();
                double[] y = IntStream.of(there).mapToDouble(i -> points.y()[i]).toArray();
                ChartPart.Series all = pairs(chart, points.name(), at + 1, x, y, points.connected());
                if (shown > 0) {
                    series.add(all.first(shown));
                }
                longest = Math.max(longest, there.length);
                at += 3;
            }
        }
        for (Polyline line : chart.lines().subList(0, lines)) {
            series.add(pairs(chart, line.name(), at, line.x(), line.y(), true).plain());
            longest = Math.max(longest, line.x().length);
            at += 2;
        }
        parts.add(ChartPart.points(chart, series, new ChartPart.Place(row, SCATTER_ROWS, WIDE)));
        below(SCATTER_ROWS, longest + 1, at);
    }

    /** The weight from which points are drawn: those of less have next to none together, and would stretch the axes. */
    private static double least(Chart.Scatter chart) {
        double[] weights = chart.series().stream()
                .filter(points -> !points.connected())
                .flatMapToDouble(points -> DoubleStream.of(points.weight()).filter(Double::isFinite))
                .sorted()
                .toArray();
        double rest = DoubleStream.of(weights).sum() * (1 - SHOWN);
        for (double weight : weights) {
            rest -= weight;
            if (rest < 0) {
                return weight;
            }
        }
        return 0;
    }

    private ChartPart.Series pairs(Chart.Scatter chart, String of, int at, double[] x, double[] y, boolean line) {
        put(row, at, chart.x().label());
        put(row, at + 1, line && !of.isEmpty() ? of : chart.y().label());
        for (int i = 0; i < x.length; i++) {
            put(row + 1 + i, at, x[i]);
            put(row + 1 + i, at + 1, y[i]);
        }
        return new ChartPart.Series(of, spelt(x), spelt(y), line);
    }

    /** Points that have a place on the axes, in their order where a line joins them, else the heaviest first; not too many. */
    private static int[] heaviest(Points points) {
        IntStream there = IntStream.range(0, points.x().length)
                .filter(i -> Double.isFinite(points.x()[i]) && Double.isFinite(points.y()[i]));
        if (!points.connected()) {
            there = there.boxed()
                    .sorted(Comparator.comparingDouble((Integer i) -> -points.weight()[i]))
                    .mapToInt(Integer::intValue);
        }
        return there.limit(MOST_POINTS).toArray();
    }

    private void put(int at, int column, String text) {
        sheet.value(at, column, SheetText.cell(text));
    }

    private void put(int at, int column, double value) {
        if (Double.isFinite(value)) {
            sheet.value(at, column, value);
        }
    }
}
