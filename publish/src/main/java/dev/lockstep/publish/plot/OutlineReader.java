// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Path2D;

/** Reads one outline: the letters M, L, Q, C and Z of SVG with whole numbers, as {@code config/glyphs} writes them. */
final class OutlineReader {
    private final String text;
    private final long shift;
    private int at;

    OutlineReader(String text, long shift) {
        this.text = text;
        this.shift = shift;
    }

    void appendTo(Path2D path) {
        while (at < text.length()) {
            switch (text.charAt(at++)) {
                case 'M' -> path.moveTo(x(), y());
                case 'L' -> path.lineTo(x(), y());
                case 'Q' -> path.quadTo(x(), y(), x(), y());
                case 'C' -> path.curveTo(x(), y(), x(), y(), x(), y());
                case 'Z' -> path.closePath();
                default -> throw new IllegalStateException("not an outline: " + text);
            }
        }
    }

    private double x() {
        return number() + shift;
    }

    private double y() {
        return number();
    }

    private long number() {
        if (text.charAt(at) == ' ') {
            at++;
        }
        int from = at;
        while (at < text.length() && (text.charAt(at) == '-' && at == from || Character.isDigit(text.charAt(at)))) {
            at++;
        }
        return Long.parseLong(text, from, at, 10);
    }
}
