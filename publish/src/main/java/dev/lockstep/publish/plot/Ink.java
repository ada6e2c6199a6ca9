// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/**
 * How text is set.
 *
 * @param size in points
 */
record Ink(double size, boolean bold, Colour colour) {
    static final Ink TITLE = new Ink(14.5, true, Palette.INK);
    static final Ink SUBTITLE = new Ink(10, false, Palette.SOFT);
    static final Ink PANEL = new Ink(11.5, true, Palette.INK);
    static final Ink AXIS = new Ink(11, false, Palette.INK);
    static final Ink TICK = new Ink(10, false, Palette.INK);
    static final Ink SMALL = new Ink(8.5, false, Palette.SOFT);
    static final Ink NOTE = new Ink(8.5, false, Palette.SOFT);

    Ink sized(double points) {
        return new Ink(points, bold, colour);
    }

    Ink coloured(Colour other) {
        return new Ink(size, bold, other);
    }

    Glyphs glyphs() {
        return bold ? Glyphs.BOLD : Glyphs.REGULAR;
    }

    double width(String line) {
        return glyphs().width(line, size);
    }

    /** From one line to the next. */
    double leading() {
        return size * 1.25;
    }

    /** From the baseline up to the top of a capital. */
    double capital() {
        return size * 0.73;
    }
}
