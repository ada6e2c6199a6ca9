// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;
import java.util.Locale;

/** Draws {@link Mark.Heat} with its labels and the bar that says what the colours mean. */
final class HeatPainter {
    private static final double PAD = 5;
    private static final double BAR = 14;
    private static final double SMALLEST = 5.5;

    private final Canvas canvas;
    private final Mark.Heat heat;
    private final double limit;

    private HeatPainter(Canvas canvas, Mark.Heat heat) {
        this.canvas = canvas;
        this.heat = heat;
        Extent extent = Extent.NONE.with(heat.least());
        for (double[] row : heat.values()) {
            for (double value : row) {
                extent = extent.with(Math.abs(value));
            }
        }
        this.limit = extent.isEmpty() || extent.high() == 0 ? 1 : extent.high();
    }

    static void paint(Canvas canvas, Area area, Panel panel, Mark.Heat heat) {
        new HeatPainter(canvas, heat).paint(area, panel);
    }

    private void paint(Area area, Panel panel) {
        Scale scale = Scale.around(new Extent(-limit, limit), false);
        double right = BAR + 4 * PAD + scale.widestLabel(Ink.TICK) + Ink.AXIS.leading() + PAD;
        double labels = heat.rows().stream().mapToDouble(Ink.TICK::width).max().orElse(0);
        double left =
                Math.min(labels, area.width() * 0.3) + 2 * PAD + (panel.y().isEmpty() ? 0 : Ink.AXIS.leading());
        double below = panel.x().isEmpty() ? 0 : Ink.AXIS.leading() + 4;
        double slot = (area.width() - left - right) / Math.max(1, heat.columns().size());
        PlaceLabels places = PlaceLabels.fit(heat.columns(), List.of(), slot, left, area.height() * 0.3);
        Area plot = area.inside(left, PAD, right, below + places.height() + PAD);
        double title = panel.y().isEmpty() ? 0 : Ink.AXIS.leading();
        cells(plot, slot, plot.left() - area.left() - title - 2 * PAD);
        places.paint(canvas, plot.left(), plot.bottom() + PAD);
        canvas.text(panel.x(), plot.centre(), area.bottom() - 3, Ink.AXIS, Canvas.Anchor.MIDDLE);
        canvas.text(panel.y(), area.left() + Ink.AXIS.size(), plot.middle(), Ink.AXIS, Canvas.Anchor.MIDDLE, -90);
        bar(new Area(plot.right() + 2 * PAD, plot.top(), plot.right() + 2 * PAD + BAR, plot.bottom()), area, scale);
    }

    private void cells(Area plot, double slot, double room) {
        double high = plot.height() / Math.max(1, heat.rows().size());
        int every = (int) Math.ceil(Ink.TICK.size() / high);
        Ink ink = numbers(slot, high);
        for (int row = 0; row < heat.rows().size(); row++) {
            double top = plot.top() + row * high;
            if (row % every == 0) {
                String label = Wording.shortened(heat.rows().get(row), Ink.TICK, room);
                double baseline = top + high / 2 + Ink.TICK.capital() / 2;
                canvas.text(label, plot.left() - PAD, baseline, Ink.TICK, Canvas.Anchor.END);
            }
            for (int column = 0; column < heat.columns().size(); column++) {
                double from = plot.left() + column * slot;
                Area cell = new Area(from + 0.4, top + 0.4, from + slot - 0.4, top + high - 0.4);
                cell(cell, heat.values()[row][column], ink);
            }
        }
    }

    private void cell(Area cell, double value, Ink ink) {
        boolean absent = !Double.isFinite(value);
        Colour colour = absent ? Palette.ABSENT : colour(value / limit);
        canvas.fill(cell.shape(), colour);
        if (ink.size() >= SMALLEST) {
            Colour letters = absent ? Palette.SOFT : colour.isLight() ? Palette.INK : Palette.PAPER;
            double baseline = cell.middle() + ink.capital() / 2;
            canvas.text(text(value), cell.centre(), baseline, ink.coloured(letters), Canvas.Anchor.MIDDLE);
        }
    }

    /** As large as all numbers fit into their cells. */
    private Ink numbers(double wide, double high) {
        double widest = 1;
        for (double[] row : heat.values()) {
            for (double value : row) {
                widest = Math.max(widest, Ink.TICK.width(text(value)));
            }
        }
        double fitting = Math.min((wide - 3) / widest * Ink.TICK.size(), high * 0.8);
        return Ink.TICK.sized(Math.min(Ink.TICK.size(), fitting));
    }

    private Colour colour(double share) {
        return Palette.diverging(heat.moreIsBetter() ? share : -share);
    }

    private static String text(double value) {
        if (!Double.isFinite(value)) {
            return "n/a";
        }
        return Math.abs(value) >= 1e6
                ? Ticks.value(value)
                : String.format(Locale.ROOT, "%.1f", value + 0.0).replace('-', '−');
    }

    private void bar(Area bar, Area area, Scale scale) {
        int steps = 64;
        for (int i = 0; i < steps; i++) {
            double top = bar.top() + bar.height() * i / steps;
            Area part = new Area(bar.left(), top, bar.right(), top + bar.height() / steps + 0.3);
            canvas.fill(part.shape(), colour(1 - (i + 0.5) * 2 / steps));
        }
        canvas.stroke(bar.shape(), Palette.AXIS, 0.7, false);
        for (int i = 0; i < scale.ticks().length; i++) {
            double share = (scale.ticks()[i] / limit + 1) / 2;
            if (share >= 0 && share <= 1) {
                double y = bar.bottom() - share * bar.height();
                canvas.line(bar.right(), y, bar.right() + 3, y, Palette.AXIS, 0.8);
                double baseline = y + Ink.TICK.capital() / 2;
                canvas.text(scale.labels()[i], bar.right() + PAD, baseline, Ink.TICK, Canvas.Anchor.START);
            }
        }
        String meaning = Wording.shortened(heat.scale(), Ink.AXIS, area.height());
        canvas.text(meaning, area.right() - PAD, bar.middle(), Ink.AXIS, Canvas.Anchor.MIDDLE, -90);
    }
}
