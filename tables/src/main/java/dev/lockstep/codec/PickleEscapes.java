// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/** The escapes in texts of the first protocol of pickles. Those that are none stay as they are. */
final class PickleEscapes {
    private static final String PLAIN = "abtnvfr\\'\"";
    private static final String MEANT = "\u0007\b\t\n\u000B\f\r\\'\"";

    private PickleEscapes() {}

    /** {@code \\uXXXX} and {@code \\UXXXXXXXX}. */
    static String unicode(String text) {
        return unescaped(text, false);
    }

    /** {@code \\n}, {@code \\xHH} and the like. */
    static String bytes(String text) {
        return unescaped(text, true);
    }

    private static String unescaped(String text, boolean ofBytes) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char kind = c == '\\' && i + 1 < text.length() ? text.charAt(i + 1) : 0;
            int plain = ofBytes && kind != 0 ? PLAIN.indexOf(kind) : -1;
            int digits = ofBytes ? kind == 'x' ? 2 : 0 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
            int value = digits == 0 ? -1 : hex(text, i + 2, digits);
            if (plain >= 0) {
                out.append(MEANT.charAt(plain));
                i++;
            } else if (value >= 0) {
                out.appendCodePoint(value);
                i += 1 + digits;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static int hex(String text, int from, int digits) {
        if (from + digits > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || value > Character.MAX_CODE_POINT >> 4) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
