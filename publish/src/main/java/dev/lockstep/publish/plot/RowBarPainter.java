// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Draws {@link Mark.RowBars} with their axes. */
final class RowBarPainter {
    private static final double PAD = 5;
    private static final double WIDEST = 24;
    private static final String ABSENT = "n/a";
    private static final Ink VALUE = Ink.SMALL.coloured(Palette.INK);

    private final Canvas canvas;
    private final Mark.RowBars bars;
    private final Scale scale;
    private final Area plot;
    private final Ink labels;
    private final double room;

    private RowBarPainter(Canvas canvas, Area area, Panel panel, Mark.RowBars bars) {
        this.canvas = canvas;
        this.bars = bars;
        double below = Ink.TICK.leading() + PAD + (panel.x().isEmpty() ? 0 : Ink.AXIS.leading() + 4);
        double slot = (area.height() - below) / Math.max(1, bars.places().size());
        this.labels = Ink.TICK.sized(Math.clamp(slot * 0.8 / lines(bars.places()), 7.5, Ink.TICK.size()));
        double widest = bars.places().stream()
                .flatMap(String::lines)
                .mapToDouble(labels::width)
                .max()
                .orElse(0);
        this.room = Math.min(widest, area.width() * 0.42);
        this.plot = area.inside(room + 2 * PAD, PAD, 2 * PAD, below);
        this.scale = scale();
    }

    static void paint(Canvas canvas, Area area, Panel panel, Mark.RowBars bars) {
        RowBarPainter painter = new RowBarPainter(canvas, area, panel, bars);
        painter.grid();
        painter.bars();
        canvas.text(panel.x(), painter.plot.centre(), area.bottom() - 3, Ink.AXIS, Canvas.Anchor.MIDDLE);
    }

    private static int lines(List<String> places) {
        return places.stream()
                .mapToInt(place -> (int) place.lines().count())
                .max()
                .orElse(1);
    }

    /** With room for the values beside the longest bars of either side. */
    private Scale scale() {
        Extent extent = Extent.of(bars.series());
        double low = Math.min(0, extent.low());
        double high = Math.max(0, extent.high());
        if (low == high) {
            return Scale.linear(0, 1);
        }
        double below = 0;
        double above = 0;
        for (Series series : bars.series()) {
            for (double value : series.values()) {
                double wide = VALUE.width(Double.isFinite(value) ? text(value) : ABSENT) + 8;
                below = Double.isFinite(value) && value < 0 ? Math.max(below, wide) : below;
                above = value < 0 ? above : Math.max(above, wide);
            }
        }
        double perPoint = (high - low) / Math.max(plot.width() - below - above, plot.width() * 0.2);
        return Scale.linear(low - below * perPoint, high + above * perPoint);
    }

    private String text(double value) {
        return Ticks.value(value) + (bars.unit().isEmpty() ? "" : " " + bars.unit());
    }

    private void grid() {
        int every = every();
        for (int i = 0; i < scale.ticks().length; i++) {
            if (Math.round(scale.ticks()[i] / step()) % every != 0) {
                continue;
            }
            double x = x(scale.ticks()[i]);
            boolean zero = scale.ticks()[i] == 0;
            canvas.line(x, plot.top(), x, plot.bottom(), zero ? Palette.AXIS : Palette.GRID, zero ? 1 : 0.7);
            double baseline = plot.bottom() + PAD + Ink.TICK.size();
            canvas.text(scale.labels()[i], x, baseline, Ink.TICK, Canvas.Anchor.MIDDLE);
        }
    }

    private double step() {
        return scale.ticks().length < 2 ? 1 : scale.ticks()[1] - scale.ticks()[0];
    }

    /** Every how many ticks a label has room. */
    private int every() {
        double apart = Math.abs(x(step()) - x(0));
        return (int) Math.max(1, Math.ceil((scale.widestLabel(Ink.TICK) + 8) / apart));
    }

    private void bars() {
        double slot = plot.height() / Math.max(1, bars.places().size());
        double high = Math.min(slot * 0.76 / Math.max(1, bars.series().size()), WIDEST);
        int every = (int) Math.ceil(labels.leading() * 0.9 / slot);
        for (int i = 0; i < bars.places().size(); i++) {
            double middle = plot.top() + (i + 0.5) * slot;
            if (i % every == 0) {
                label(bars.places().get(i), middle, slot);
            }
            for (int s = 0; s < bars.series().size(); s++) {
                bar(bars.series().get(s), i, middle + (s - bars.series().size() / 2.0) * high, high);
            }
        }
    }

    /** In as many lines as the place is high, at most. */
    private void label(String text, double middle, double slot) {
        List<String> lines = text.lines().toList();
        if (lines.size() * labels.leading() > slot * 1.05) {
            lines = List.of(Wording.joined(lines, labels, room));
        }
        double baseline = middle + labels.capital() / 2 - (lines.size() - 1) * labels.leading() / 2;
        for (String line : lines) {
            String fitted = Wording.shortened(line, labels, room);
            canvas.text(fitted, plot.left() - PAD, baseline, labels, Canvas.Anchor.END);
            baseline += labels.leading();
        }
    }

    private void bar(Series series, int place, double top, double high) {
        double value = series.values()[place];
        double zero = x(0);
        if (!Double.isFinite(value)) {
            canvas.text(ABSENT, zero + 4, top + high / 2 + VALUE.capital() / 2, VALUE, Canvas.Anchor.START);
            return;
        }
        double x = x(value);
        Area bar = new Area(Math.min(zero, x), top, Math.max(zero, x), top + high * 0.94);
        canvas.fill(bar.shape(), series.colourOf(value));
        Ink ink = VALUE.sized(Math.clamp(high, 5, VALUE.size()));
        if (high >= ink.size() * 0.8) {
            double baseline = top + high / 2 + ink.capital() / 2;
            Canvas.Anchor anchor = value < 0 ? Canvas.Anchor.END : Canvas.Anchor.START;
            canvas.text(text(value), value < 0 ? x - 4 : x + 4, baseline, ink, anchor);
        }
    }

    private double x(double value) {
        return plot.left() + scale.share(value) * plot.width();
    }
}
