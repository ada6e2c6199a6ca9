// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import dev.lockstep.write.Unicode;
import java.awt.Shape;
import java.awt.geom.PathIterator;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes SVG. Text stays text, set in the reader's own sans-serif font and fitted to the width that was planned for it. */
final class SvgCanvas implements Canvas {
    private static final String LETTERS = "MLQCZ";
    private static final int[] COORDINATES = {2, 2, 4, 6, 0};

    private final StringBuilder out = new StringBuilder(1 << 14);

    /**
     * @param title what screen readers say
     * @param width in points
     * @param height in points
     */
    SvgCanvas(String title, double width, double height) {
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
        number(width).append(' ');
        number(height).append("\" width=\"");
        number(width * 4 / 3)
                .append("\" font-family=\"'DejaVu Sans Condensed','Segoe UI',Arial,sans-serif\">\n<title>");
        out.append(escaped(title)).append("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    }

    String finish() {
        return out + "</svg>\n";
    }

    @Override
    public void fill(Shape shape, Colour colour) {
        path(shape);
        out.append("\" fill=\"").append(colour.hex());
        opacity("fill", colour);
        out.append("\"/>\n");
    }

    @Override
    public void stroke(Shape shape, Colour colour, double width, boolean dashed) {
        path(shape);
        out.append("\" fill=\"none\" stroke=\"").append(colour.hex()).append("\" stroke-width=\"");
        number(width);
        opacity("stroke", colour);
        out.append(dashed ? "\" stroke-dasharray=\"4 3\"/>\n" : "\"/>\n");
    }

    @Override
    public void text(String line, double x, double y, Ink ink, Anchor anchor, double degrees) {
        if (line.isBlank()) {
            return;
        }
        out.append("<text x=\"");
        number(x).append("\" y=\"");
        number(y).append("\" font-size=\"");
        number(ink.size()).append("\" fill=\"").append(ink.colour().hex());
        out.append("\" textLength=\"");
        number(ink.width(line)).append("\" lengthAdjust=\"spacingAndGlyphs");
        if (anchor != Anchor.START) {
            out.append("\" text-anchor=\"").append(anchor == Anchor.END ? "end" : "middle");
        }
        if (ink.bold()) {
            out.append("\" font-weight=\"bold");
        }
        if (degrees != 0) {
            out.append("\" transform=\"rotate(");
            number(degrees).append(' ');
            number(x).append(' ');
            number(y).append(')');
        }
        out.append("\">").append(escaped(line)).append("</text>\n");
    }

    private void path(Shape shape) {
        out.append("<path d=\"");
        double[] at = new double[6];
        for (PathIterator i = shape.getPathIterator(null); !i.isDone(); i.next()) {
            int kind = i.currentSegment(at);
            out.append(LETTERS.charAt(kind));
            for (int c = 0; c < COORDINATES[kind]; c++) {
                out.append(c == 0 ? "" : " ");
                number(at[c]);
            }
        }
    }

    private void opacity(String what, Colour colour) {
        if (colour.alpha() < 1) {
            out.append("\" ").append(what).append("-opacity=\"");
            number(colour.alpha());
        }
    }

    private StringBuilder number(double value) {
        BigDecimal rounded =
                BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return out.append(rounded.toPlainString());
    }

    /** Text as XML can hold it. */
    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        String sound = Unicode.wellFormed(text);
        for (int i = 0; i < sound.length(); i++) {
            char c = sound.charAt(i);
            switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                default -> safe.append(c < ' ' || c == '\ufffe' || c == '\uffff' ? ' ' : c);
            }
        }
        return safe.toString();
    }
}
