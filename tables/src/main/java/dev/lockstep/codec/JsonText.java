// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The content of JSON strings: what its bytes mean, and how it is written. */
public final class JsonText {
    private static final char REPLACEMENT = '\uFFFD';

    private JsonText() {}

    /** Appends the text as a JSON string, in quotes; what lies beyond ASCII stays as it is. */
    public static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Appends a value. Depth costs memory, not stack. */
    static void write(Json value, StringBuilder out) {
        Deque<Object> left = new ArrayDeque<>(List.of(value)); // values, and the signs and names between them
        while (!left.isEmpty()) {
            switch (left.pop()) {
                case Json.Text(String text) -> quote(text, out);
                case Json.Numeral(String text) -> out.append(text);
                case Json.Truth(boolean truth) -> out.append(truth);
                case Json.Nothing nothing -> out.append("null");
                case Json.Items(List<Json> items) -> {
                    out.append('[');
                    left.push("]");
                    for (int i = items.size() - 1; i >= 0; i--) {
                        left.push(items.get(i));
                        left.push(i > 0 ? "," : "");
                    }
                }
                case Json.Members(Map<String, Json> members) -> {
                    out.append('{');
                    left.push("}");
                    List<Map.Entry<String, Json>> entries = List.copyOf(members.entrySet());
                    for (int i = entries.size() - 1; i >= 0; i--) {
                        StringBuilder name = new StringBuilder(i > 0 ? "," : "");
                        quote(entries.get(i).getKey(), name);
                        left.push(entries.get(i).getValue());
                        left.push(name.append(':'));
                    }
                }
                case Object sign -> out.append(sign);
            }
        }
    }

    /**
     * The text between two quotes: escapes resolved, UTF-8 decoded. What is no text, or ends texts elsewhere, becomes U+FFFD:
     * invalid UTF-8, lone surrogates, NUL, control characters other than tab, line feed and carriage return when they stand
     * unescaped. An unknown escape keeps its backslash.
     */
    public static String decode(byte[] bytes, int start, int end) {
        StringBuilder text = new StringBuilder(end - start);
        int p = start;
        while (p < end) {
            int c = bytes[p];
            if (c == '\\' && p + 1 < end) {
                p = unescape(bytes, p, end, text);
            } else if (c >= ' ' || c == '\n' || c == '\t' || c == '\r') {
                text.append((char) c);
                p++;
            } else if (c >= 0) {
                text.append(REPLACEMENT);
                p++;
            } else {
                int length = utf8Length(bytes, p, end);
                if (length == 0) {
                    text.append(REPLACEMENT);
                    p++;
                } else {
                    text.appendCodePoint(codePoint(bytes, p, length));
                    p += length;
                }
            }
        }
        return paired(text);
    }

    /** A value in one spelling, whatever the layout of the file: no line ends, one space after comma and colon. */
    public static byte[] respell(byte[] bytes, int start, int end) {
        byte[] spelt = new byte[(end - start) * 2];
        int n = 0;
        boolean inString = false;
        for (int p = start; p < end; p++) {
            byte c = bytes[p];
            if (inString) {
                spelt[n++] = c;
                if (c == '\\' && p + 1 < end) {
                    spelt[n++] = bytes[++p];
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                spelt[n++] = c;
                inString = true;
            } else if (c == ',' || c == ':') {
                spelt[n++] = c;
                spelt[n++] = ' ';
            } else if (c > ' ') {
                spelt[n++] = c;
            }
        }
        return Arrays.copyOf(spelt, n);
    }

    /** Length of the well-formed multi-byte UTF-8 sequence at the place, or 0. */
    static int utf8Length(byte[] b, int p, int limit) {
        int c = b[p] & 0xFF;
        int length = c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
        if (length == 0 || p + length > limit) {
            return 0;
        }
        int second = b[p + 1] & 0xFF;
        int least = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
        int most = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((b[p + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** The value of four hexadecimal digits, or -1. */
    static int hex4(byte[] b, int p) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(b[p + i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int unescape(byte[] bytes, int p, int end, StringBuilder text) {
        int c = bytes[p + 1];
        switch (c) {
            case '"', '\\', '/' -> text.append((char) c);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> {
                int value = p + 6 <= end ? hex4(bytes, p + 2) : -1;
                if (value < 0) {
                    text.append("\\u");
                } else {
                    text.append(value == 0 ? REPLACEMENT : (char) value);
                    return p + 6;
                }
            }
            default -> {
                text.append('\\');
                return p + 1;
            }
        }
        return p + 2;
    }

    private static int codePoint(byte[] b, int p, int length) {
        int value = b[p] & (0xFF >> length + 1);
        for (int i = 1; i < length; i++) {
            value = value << 6 | b[p + i] & 0x3F;
        }
        return value;
    }

    /** The text with every surrogate that has no partner replaced. */
    private static String paired(StringBuilder text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                text.setCharAt(i, REPLACEMENT);
            }
        }
        return text.toString();
    }
}
