// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The outlines of letters. They come from a resource and not from the system's fonts, of which a container may have none
 * and every machine has others. A line of the resource is a code point, the advance, and the outline in 2048ths of the
 * size; {@code config/glyphs} makes it from a font.
 */
final class Glyphs {
    static final Glyphs REGULAR = read("regular.glyphs");
    static final Glyphs BOLD = read("bold.glyphs");

    private static final double UNITS = 2048;
    private static final int REPLACEMENT = 0xfffd;

    private record Glyph(int advance, String outline) {}

    private final Map<Integer, Glyph> glyphs;

    private Glyphs(Map<Integer, Glyph> glyphs) {
        this.glyphs = Map.copyOf(glyphs);
    }

    private static Glyphs read(String resource) {
        try (InputStream in = Objects.requireNonNull(Glyphs.class.getResourceAsStream(resource), resource)) {
            Map<Integer, Glyph> glyphs = new HashMap<>();
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            for (int from = 0; from < text.length(); ) {
                int advance = text.indexOf(' ', from) + 1;
                int outline = text.indexOf(' ', advance) + 1;
                int end = text.indexOf('\n', outline);
                glyphs.put(
                        Integer.parseInt(text, from, advance - 1, 16),
                        new Glyph(Integer.parseInt(text, advance, outline - 1, 10), text.substring(outline, end)));
                from = end + 1;
            }
            return new Glyphs(glyphs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Glyph glyph(int point) {
        Glyph found = glyphs.get(Character.isWhitespace(point) || Character.isISOControl(point) ? ' ' : point);
        return found != null ? found : Objects.requireNonNull(glyphs.get(REPLACEMENT));
    }

    /** How wide a line is at a size. */
    double width(String line, double size) {
        return line.codePoints().mapToLong(point -> glyph(point).advance).sum() * size / UNITS;
    }

    /** The outline of a line that begins at the origin, y downwards. */
    Path2D outline(String line, double size) {
        Path2D path = new Path2D.Double(Path2D.WIND_NON_ZERO);
        long x = 0;
        for (int point : line.codePoints().toArray()) {
            Glyph glyph = glyph(point);
            new OutlineReader(glyph.outline, x).appendTo(path);
            x += glyph.advance;
        }
        path.transform(AffineTransform.getScaleInstance(size / UNITS, size / UNITS));
        return path;
    }
}
