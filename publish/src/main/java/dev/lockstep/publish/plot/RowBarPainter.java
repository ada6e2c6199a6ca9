// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Draws {@link Mark.RowBars} with their axes. */
final class RowBarPainter {
    private static final double PAD = 5;
    private static final double WIDEST = 24;
    private static final Ink VALUE = Ink.SMALL.coloured(Palette.INK);

    private final Canvas canvas;
    private final Mark.RowBars bars;
    private final Scale scale;
    private final Area plot;
    private final Ink labels;

    private RowBarPainter(Canvas canvas, Area area, Panel panel, Mark.RowBars bars) {
        this.canvas = canvas;
        this.bars = bars;
        this.scale = widened(Scale.withZero(Extent.of(bars.series())), area.width());
        double below = Ink.TICK.leading() + PAD + (panel.x().isEmpty() ? 0 : Ink.AXIS.leading() + 4);
        double slot = (area.height() - below) / Math.max(1, bars.places().size());
        this.labels = Ink.TICK.sized(Math.clamp(slot * 0.8, 6.5, Ink.TICK.size()));
        double widest = bars.places().stream().mapToDouble(labels::width).max().orElse(0);
        this.plot = area.inside(Math.min(widest, area.width() * 0.4) + 2 * PAD, PAD, 2 * PAD, below);
    }

    static void paint(Canvas canvas, Area area, Panel panel, Mark.RowBars bars) {
        RowBarPainter painter = new RowBarPainter(canvas, area, panel, bars);
        painter.grid();
        painter.bars();
        canvas.text(panel.x(), painter.plot.centre(), area.bottom() - 3, Ink.AXIS, Canvas.Anchor.MIDDLE);
    }

    /** With room for the values beside the longest bars. */
    private Scale widened(Scale tight, double width) {
        double room = 0;
        for (Series series : bars.series()) {
            for (double value : series.values()) {
                room = Math.max(room, Double.isFinite(value) ? VALUE.width(text(value)) + 8 : 0);
            }
        }
        double share = Math.min(0.5, room / (0.6 * width)) * (tight.high() - tight.low());
        return Scale.withZero(new Extent(
                tight.low() < 0 ? tight.low() - share : 0, tight.high() > 0 ? tight.high() + share : 0));
    }

    private String text(double value) {
        return Ticks.value(value) + (bars.unit().isEmpty() ? "" : " " + bars.unit());
    }

    private void grid() {
        for (int i = 0; i < scale.ticks().length; i++) {
            double x = x(scale.ticks()[i]);
            boolean zero = scale.ticks()[i] == 0;
            canvas.line(x, plot.top(), x, plot.bottom(), zero ? Palette.AXIS : Palette.GRID, zero ? 1 : 0.7);
            double baseline = plot.bottom() + PAD + Ink.TICK.size();
            canvas.text(scale.labels()[i], x, baseline, Ink.TICK, Canvas.Anchor.MIDDLE);
        }
    }

    private void bars() {
        double slot = plot.height() / Math.max(1, bars.places().size());
        double high = Math.min(slot * 0.76 / Math.max(1, bars.series().size()), WIDEST);
        int every = (int) Math.ceil(labels.leading() * 0.9 / slot);
        for (int i = 0; i < bars.places().size(); i++) {
            double middle = plot.top() + (i + 0.5) * slot;
            if (i % every == 0) {
                String label = Wording.shortened(bars.places().get(i), labels, plot.left() - 2 * PAD);
                canvas.text(label, plot.left() - PAD, middle + labels.capital() / 2, labels, Canvas.Anchor.END);
            }
            for (int s = 0; s < bars.series().size(); s++) {
                bar(bars.series().get(s), i, middle + (s - bars.series().size() / 2.0) * high, high);
            }
        }
    }

    private void bar(Series series, int place, double top, double high) {
        double value = series.values()[place];
        double zero = x(0);
        if (!Double.isFinite(value)) {
            canvas.text("n/a", zero + 4, top + high / 2 + VALUE.capital() / 2, VALUE, Canvas.Anchor.START);
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
