// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;

/** Signs at the corners of a line, so that lines differ by more than their colour. */
final class Symbol {
    private static final double[][] CORNERS = {
        {-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9},
        {0, -1.15, 1.1, 0.85, -1.1, 0.85},
        {0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0},
        {0, 1.15, 1.1, -0.85, -1.1, -0.85},
        {
            -0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4, 0.4, -1.2, 0.4,
            -1.2, -0.4, -0.4, -0.4
        },
        {-1.15, 0, 0.85, -1.1, 0.85, 1.1},
        {1.15, 0, -0.85, -1.1, -0.85, 1.1}
    };

    private Symbol() {}

    /** The sign of a series by its place: a circle, a square, …; they repeat after eight. */
    static Shape of(int series, double x, double y, double radius) {
        int kind = series % (CORNERS.length + 1);
        if (kind == 0) {
            return new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
        }
        double[] corners = CORNERS[kind - 1];
        Path2D path = new Path2D.Double();
        path.moveTo(x + corners[0] * radius, y + corners[1] * radius);
        for (int i = 2; i < corners.length; i += 2) {
            path.lineTo(x + corners[i] * radius, y + corners[i + 1] * radius);
        }
        path.closePath();
        return path;
    }
}
