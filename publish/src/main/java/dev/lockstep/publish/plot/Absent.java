// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/** What stands where there is nothing to draw. */
final class Absent {
    private static final double ARM = 3;

    private Absent() {}

    /** A small cross: no value here. */
    static void cross(Canvas canvas, double x, double y) {
        canvas.line(x - ARM, y - ARM, x + ARM, y + ARM, Palette.AXIS, 1);
        canvas.line(x - ARM, y + ARM, x + ARM, y - ARM, Palette.AXIS, 1);
    }

    /** Says that a panel is empty. */
    static void panel(Canvas canvas, Area area) {
        canvas.fill(area.shape(), Palette.ABSENT);
        canvas.text("no values", area.centre(), area.middle(), Ink.AXIS.coloured(Palette.SOFT), Canvas.Anchor.MIDDLE);
    }
}
