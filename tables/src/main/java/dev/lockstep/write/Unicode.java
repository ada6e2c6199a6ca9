// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.util.Comparator;
import java.util.function.IntPredicate;

/** Text that every reader of an output can take, and an order of it that others use. */
public final class Unicode {
    /** What stands for a character that cannot be written. */
    public static final char REPLACEMENT = '\uFFFD';

    /** What a terminal shows for a character that it would obey. */
    private static final char SHOWN = '·';

    /** By code points, as Python sorts; Java's own order is that of UTF-16. */
    public static final Comparator<String> BY_CODE_POINT = Unicode::compare;

    private Unicode() {}

    /** The text with U+FFFD for every surrogate that lacks its other half; the same object where there is none. */
    public static String wellFormed(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!isPair(text, i)) {
                    return repaired(text, i);
                }
                i++;
            }
        }
        return text;
    }

    /** The text as a cell of a table whose cells end with tabs: blanks stand where it would end the cell or the line. */
    public static String cell(String text) {
        return text.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    /** The text as one line that steers no terminal: see {@link #steers}. */
    public static String line(String text) {
        return without(text, Unicode::steers);
    }

    /** The same for a text of several lines: their ends and tabs stay. */
    public static String lines(String text) {
        return without(text, point -> point != '\n' && point != '\t' && steers(point));
    }

    /** Whether a terminal obeys a character instead of showing it: control characters, and those that turn the direction of text. */
    private static boolean steers(int point) {
        return Character.isISOControl(point) || Character.getType(point) == Character.FORMAT;
    }

    private static String without(String text, IntPredicate unwanted) {
        return text.codePoints().noneMatch(unwanted)
                ? text
                : text.codePoints()
                        .map(point -> unwanted.test(point) ? SHOWN : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    /** The first {@code length} UTF-16 units, one less where that would cut a pair in two. */
    public static String head(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        boolean splits = length > 0 && isPair(text, length - 1);
        return text.substring(0, splits ? length - 1 : length);
    }

    private static String repaired(String text, int from) {
        StringBuilder out = new StringBuilder(text);
        for (int i = from; i < out.length(); i++) {
            if (Character.isSurrogate(out.charAt(i))) {
                if (isPair(text, i)) {
                    i++;
                } else {
                    out.setCharAt(i, REPLACEMENT);
                }
            }
        }
        return out.toString();
    }

    /** Whether a surrogate pair starts at a place. */
    static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private static int compare(String a, String b) {
        int i = 0;
        while (i < a.length() && i < b.length()) {
            int x = a.codePointAt(i);
            int y = b.codePointAt(i);
            if (x != y) {
                return Integer.compare(x, y);
            }
            i += Character.charCount(x);
        }
        return Integer.compare(a.length(), b.length());
    }
}
