// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.Arrays;
import java.util.List;

/** Draws {@link Mark.Violins}: densities by Gaussian kernels whose width follows Scott's rule. */
final class ViolinPainter {
    private static final int STEPS = 120;
    private static final double WIDEST = 110;
    private static final double NARROW = 6;

    private ViolinPainter() {}

    static void paint(Canvas canvas, Upright axes, List<Sample> samples) {
        for (int i = 0; i < samples.size(); i++) {
            Statistics values = new Statistics(samples.get(i).values());
            if (values.count() > 0) {
                violin(canvas, axes, axes.x(i), samples.get(i).colour(), values);
            }
        }
    }

    private static void violin(Canvas canvas, Upright axes, double x, Colour colour, Statistics values) {
        double half = Math.min(axes.slot() * 0.8, WIDEST) / 2;
        double[] at = new double[values.count()];
        for (int i = 0; i < at.length; i++) {
            at[i] = axes.y(values.get(i));
        }
        double top = axes.y(values.max());
        double bottom = axes.y(values.min());
        double width = kernelWidth(at);
        if (width > 0) {
            Path2D outline = outline(x, half, top, bottom, density(at, width, top, bottom));
            canvas.fill(outline, colour);
            canvas.stroke(outline, Palette.INK, Math.min(0.8, half * 0.1), false);
        }
        if (half >= NARROW || width == 0) {
            canvas.line(x, top, x, bottom, Palette.INK, 0.8);
        }
        double mean = axes.y(values.mean());
        canvas.stroke(new Line2D.Double(x - half / 2, mean, x + half / 2, mean), Palette.INK, 1.1, true);
        double median = axes.y(values.quantile(0.5));
        canvas.line(x - half / 2, median, x + half / 2, median, Palette.INK, 2);
    }

    private static double kernelWidth(double[] at) {
        double mean = Arrays.stream(at).average().orElse(0);
        double squares = Arrays.stream(at).map(v -> (v - mean) * (v - mean)).sum();
        return at.length < 2 ? 0 : Math.sqrt(squares / (at.length - 1)) * Math.pow(at.length, -0.2);
    }

    private static double[] density(double[] at, double width, double top, double bottom) {
        double[] density = new double[STEPS + 1];
        for (int step = 0; step <= STEPS; step++) {
            double y = bottom + (top - bottom) * step / STEPS;
            for (double value : at) {
                double distance = (y - value) / width;
                density[step] += Math.exp(-distance * distance / 2);
            }
        }
        return density;
    }

    private static Path2D outline(double x, double half, double top, double bottom, double[] density) {
        double most = Arrays.stream(density).max().orElse(1);
        Path2D path = new Path2D.Double();
        for (int step = 0; step <= STEPS; step++) {
            double px = x - half * density[step] / most;
            double py = bottom + (top - bottom) * step / STEPS;
            if (step == 0) {
                path.moveTo(px, py);
            } else {
                path.lineTo(px, py);
            }
        }
        for (int step = STEPS; step >= 0; step--) {
            path.lineTo(x + half * density[step] / most, bottom + (top - bottom) * step / STEPS);
        }
        path.closePath();
        return path;
    }
}
