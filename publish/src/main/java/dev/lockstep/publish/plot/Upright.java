// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/**
 * A row of places below, values to the left.
 *
 * @param plot what lies between the axes
 * @param slot the width of a place
 */
record Upright(Area plot, double slot, Scale scale) {
    private static final double PAD = 5;

    /** Draws both axes into an area; what they leave is the plot. */
    static Upright paint(Canvas canvas, Area area, Panel panel, List<String> labels, List<String> notes, Scale scale) {
        double left = (panel.y().isEmpty() ? 0 : Ink.AXIS.leading() + 4) + scale.widestLabel(Ink.TICK) + 2 * PAD;
        double below = panel.x().isEmpty() ? 0 : Ink.AXIS.leading() + 2;
        double slot = (area.width() - left - PAD) / Math.max(1, labels.size());
        PlaceLabels places = PlaceLabels.fit(
                labels,
                notes.stream().allMatch(String::isBlank) ? List.of() : notes,
                slot,
                left - Ink.AXIS.leading(),
                area.height() * 0.35);
        Area plot = area.inside(left, PAD, PAD, below + places.height() + PAD);
        Upright axes = new Upright(plot, slot, scale);
        axes.grid(canvas);
        places.paint(canvas, plot.left(), plot.bottom() + PAD);
        canvas.text(panel.x(), plot.centre(), area.bottom() - 3, Ink.AXIS, Canvas.Anchor.MIDDLE);
        String y = Wording.shortened(panel.y(), Ink.AXIS, area.height());
        double middle = Math.max(plot.middle(), area.top() + Ink.AXIS.width(y) / 2);
        canvas.text(y, area.left() + Ink.AXIS.size(), middle, Ink.AXIS, Canvas.Anchor.MIDDLE, -90);
        return axes;
    }

    private void grid(Canvas canvas) {
        for (int i = 0; i < scale.ticks().length; i++) {
            double y = y(scale.ticks()[i]);
            boolean zero = scale.ticks()[i] == 0;
            canvas.line(plot.left(), y, plot.right(), y, zero ? Palette.AXIS : Palette.GRID, zero ? 1 : 0.7);
            double baseline = y + Ink.TICK.capital() / 2;
            canvas.text(scale.labels()[i], plot.left() - PAD, baseline, Ink.TICK, Canvas.Anchor.END);
        }
        canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), Palette.AXIS, 1);
    }

    double x(int place) {
        return plot.left() + (place + 0.5) * slot;
    }

    double y(double value) {
        return plot.bottom() - scale.share(value) * plot.height();
    }
}
