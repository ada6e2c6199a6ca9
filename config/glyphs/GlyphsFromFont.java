// SPDX-License-Identifier: Apache-2.0
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.awt.geom.PathIterator;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Writes the outlines of a TrueType font as the text that pictures are labelled with:
 *
 * <pre>java config/glyphs/GlyphsFromFont.java FONT.ttf > publish/src/main/resources/dev/lockstep/publish/plot/NAME.glyphs</pre>
 *
 * One line per character, ascending: code point in hexadecimal, advance, then the outline as in SVG, in 2048ths of the
 * font's size with y downwards.
 */
final class GlyphsFromFont {
    private static final int UNITS = 2048;

    /** First and last code point of what labels need: Latin, Greek, Cyrillic, punctuation, arrows, mathematical signs. */
    private static final int[][] BLOCKS = {
        {0x20, 0x7e}, {0xa0, 0x17f}, {0x218, 0x21b}, {0x370, 0x3ff}, {0x400, 0x45f}, {0x2010, 0x2027}, {0x2030, 0x203a},
        {0x2070, 0x2094}, {0x20ac, 0x20ac}, {0x2122, 0x2122}, {0x2190, 0x2199}, {0x2200, 0x226f}, {0x25a0, 0x25cf}, {0xfffd, 0xfffd}
    };

    public static void main(String[] arguments) throws Exception {
        Font font = Font.createFont(Font.TRUETYPE_FONT, new File(arguments[0])).deriveFont((float) UNITS);
        FontRenderContext exact = new FontRenderContext(null, true, true);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        for (int[] block : BLOCKS) {
            for (int point = block[0]; point <= block[1]; point++) {
                if (font.canDisplay(point)) {
                    GlyphVector glyph = font.createGlyphVector(exact, Character.toString(point));
                    int advance = (int) Math.round(glyph.getGlyphMetrics(0).getAdvanceX());
                    out.print(Integer.toHexString(point) + " " + advance + " " + outline(glyph.getOutline().getPathIterator(null)) + "\n");
                }
            }
        }
        out.flush();
    }

    private static String outline(PathIterator path) {
        StringBuilder text = new StringBuilder();
        double[] at = new double[6];
        for (; !path.isDone(); path.next()) {
            int kind = path.currentSegment(at);
            int coordinates = new int[] {2, 2, 4, 6, 0}[kind];
            text.append("MLQCZ".charAt(kind));
            for (int i = 0; i < coordinates; i++) {
                text.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%d", Math.round(at[i])));
            }
        }
        return text.toString();
    }
}
