// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.util.List;

/** Draws {@link Mark.Boxes}. */
final class BoxPainter {
    /** Of samples up to this size each value is drawn. */
    private static final int SMALL = 40;

    private static final double RADIUS = 2;
    private static final double WIDEST = 70;

    private final Canvas canvas;
    private final Upright axes;

    private BoxPainter(Canvas canvas, Upright axes) {
        this.canvas = canvas;
        this.axes = axes;
    }

    static void paint(Canvas canvas, Upright axes, Mark.Boxes boxes) {
        BoxPainter painter = new BoxPainter(canvas, axes);
        List<Sample> samples = boxes.samples();
        for (int i = 0; i < samples.size(); i++) {
            Statistics values = new Statistics(samples.get(i).values());
            if (values.count() > 0) {
                painter.box(axes.x(i), samples.get(i).colour(), values);
                painter.points(axes.x(i), samples.get(i).colour(), values, boxes.points());
            }
        }
    }

    private void box(double x, Colour colour, Statistics values) {
        double half = Math.min(axes.slot() * 0.6, WIDEST) / 2;
        double low = axes.y(values.quantile(0.25));
        double high = axes.y(values.quantile(0.75));
        Area box = new Area(x - half, high, x + half, low);
        canvas.fill(box.shape(), colour);
        canvas.stroke(box.shape(), Palette.INK, 0.9, false);
        whisker(x, half / 2, low, axes.y(values.lowerWhisker()));
        whisker(x, half / 2, high, axes.y(values.upperWhisker()));
        double mean = axes.y(values.mean());
        canvas.stroke(new Line2D.Double(x - half, mean, x + half, mean), Palette.INK, 1.1, true);
        double median = axes.y(values.quantile(0.5));
        canvas.line(x - half, median, x + half, median, Palette.INK, 2);
    }

    private void whisker(double x, double half, double from, double to) {
        canvas.line(x, from, x, to, Palette.INK, 0.9);
        canvas.line(x - half, to, x + half, to, Palette.INK, 0.9);
    }

    private void points(double x, Colour colour, Statistics values, boolean ofSmall) {
        double low = values.lowerWhisker();
        double high = values.upperWhisker();
        for (int i = 0; i < values.count(); i++) {
            double value = values.get(i);
            boolean outside = value < low || value > high;
            if (outside || ofSmall && values.count() <= SMALL) {
                double beside = outside ? 0 : (spread(i) - 0.5) * Math.min(axes.slot() * 0.4, WIDEST / 2);
                double y = axes.y(value);
                canvas.fill(
                        new Ellipse2D.Double(x + beside - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS),
                        (outside ? Palette.INK : colour).faded(outside ? 0.6 : 0.75));
            }
        }
    }

    /** Numbers from 0 to 1 of which neighbours lie far apart. */
    private static double spread(int i) {
        double golden = 0.618033988749895;
        return i * golden - Math.floor(i * golden);
    }
}
