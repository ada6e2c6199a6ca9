// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Draws {@link Mark.Bars}, with values above them where there is room, and a cross where there is no value. */
final class BarPainter {
    private static final double WIDEST = 46;
    private static final Ink VALUE = Ink.SMALL.coloured(Palette.INK);

    private BarPainter() {}

    static void paint(Canvas canvas, Upright axes, List<Series> series) {
        double width = Math.min(axes.slot() * 0.8 / Math.max(1, series.size()), WIDEST);
        double zero = axes.y(0);
        boolean labelled = fits(series, width);
        for (int s = 0; s < series.size(); s++) {
            double[] values = series.get(s).values();
            for (int i = 0; i < values.length; i++) {
                double left = axes.x(i) + (s - series.size() / 2.0) * width;
                double centre = left + width / 2;
                if (!Double.isFinite(values[i])) {
                    Absent.cross(canvas, centre, zero - 5);
                    continue;
                }
                double y = axes.y(values[i]);
                Area bar = new Area(left, Math.min(y, zero), left + width * 0.94, Math.max(y, zero));
                canvas.fill(bar.shape(), series.get(s).colourOf(values[i]));
                if (labelled) {
                    double baseline = values[i] < 0 ? y + 3 + VALUE.capital() : y - 3;
                    canvas.text(Ticks.value(values[i]), centre, baseline, VALUE, Canvas.Anchor.MIDDLE);
                }
            }
        }
    }

    private static boolean fits(List<Series> series, double width) {
        for (Series one : series) {
            for (double value : one.values()) {
                if (Double.isFinite(value) && VALUE.width(Ticks.value(value)) > width + 2) {
                    return false;
                }
            }
        }
        return true;
    }
}
