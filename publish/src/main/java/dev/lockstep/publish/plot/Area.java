// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Rectangle2D;

/** A rectangle in points. */
record Area(double left, double top, double right, double bottom) {
    double width() {
        return right - left;
    }

    double height() {
        return bottom - top;
    }

    double centre() {
        return (left + right) / 2;
    }

    double middle() {
        return (top + bottom) / 2;
    }

    /** What is left after taking something from each side. */
    Area inside(double fromLeft, double fromTop, double fromRight, double fromBottom) {
        return new Area(left + fromLeft, top + fromTop, right - fromRight, bottom - fromBottom);
    }

    Rectangle2D shape() {
        return new Rectangle2D.Double(left, top, width(), height());
    }
}
