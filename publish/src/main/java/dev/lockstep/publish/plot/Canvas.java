// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.Shape;
import java.awt.geom.Line2D;

/** A surface measured in points, y downwards. */
interface Canvas {
    /** Where text lies relative to its place: it begins there, is centred on it, or ends there. */
    enum Anchor {
        START(0),
        MIDDLE(0.5),
        END(1);

        final double share;

        Anchor(double share) {
            this.share = share;
        }
    }

    void fill(Shape shape, Colour colour);

    /** Draws along an outline. */
    void stroke(Shape shape, Colour colour, double width, boolean dashed);

    /**
     * One line of text.
     *
     * @param y its baseline
     * @param degrees turned clockwise about its place
     */
    void text(String line, double x, double y, Ink ink, Anchor anchor, double degrees);

    default void line(double x1, double y1, double x2, double y2, Colour colour, double width) {
        stroke(new Line2D.Double(x1, y1, x2, y2), colour, width, false);
    }

    default void text(String line, double x, double y, Ink ink, Anchor anchor) {
        text(line, x, y, ink, anchor, 0);
    }
}
