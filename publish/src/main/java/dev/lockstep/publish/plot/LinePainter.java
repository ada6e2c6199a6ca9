// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Path2D;
import java.util.List;

/** Draws {@link Mark.Lines}; a gap stays a gap. */
final class LinePainter {
    private static final double RADIUS = 3.2;

    private LinePainter() {}

    static void paint(Canvas canvas, Upright axes, List<Series> series) {
        for (int s = 0; s < series.size(); s++) {
            line(canvas, axes, series.get(s), s >= Legend.DISTINCT);
            double radius = Math.min(RADIUS, Math.max(1.2, axes.slot() * 0.3));
            double[] values = series.get(s).values();
            for (int i = 0; i < values.length; i++) {
                if (Double.isFinite(values[i])) {
                    canvas.fill(
                            Symbol.of(s, axes.x(i), axes.y(values[i]), radius),
                            series.get(s).colour());
                }
            }
        }
    }

    private static void line(Canvas canvas, Upright axes, Series series, boolean dashed) {
        Path2D path = new Path2D.Double();
        boolean begun = false;
        for (int i = 0; i < series.values().length; i++) {
            double value = series.values()[i];
            if (!Double.isFinite(value)) {
                begun = false;
            } else if (begun) {
                path.lineTo(axes.x(i), axes.y(value));
            } else {
                path.moveTo(axes.x(i), axes.y(value));
                begun = true;
            }
        }
        canvas.stroke(path, series.colour().faded(0.85), 1.6, dashed);
    }
}
