// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.codec.JsonCursor.Stop;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Turns what the cursor could read although it is not quite JSON into JSON: texts are written anew; NaN, Infinity and
 * numbers that JSON does not know become texts, and a comma before the end of an object or list goes.
 */
public final class CleanJson {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private CleanJson() {}

    /**
     * The same values as strict JSON, without white space between them; nothing when they cannot be read again.
     *
     * @param source values of JSON as the cursor read them
     * @param notes what it noted then ({@link JsonCursor#notes})
     * @return UTF-8
     */
    public static byte[] clean(byte[] source, int notes) {
        try {
            return clean(source, (notes & JsonCursor.BARE_QUOTE) != 0);
        } catch (Stop unreadable) {
            return new byte[0];
        }
    }

    /**
     * What a cursor took between two places as strict JSON, spelt as it was where it is that.
     *
     * @param cursor whose notes are of what it took there, and of nothing else
     */
    public static String taken(JsonCursor cursor, int from, int to) {
        byte[] text = Arrays.copyOfRange(cursor.buffer, from, to);
        return new String(cursor.notes == 0 ? text : clean(text, cursor.notes), StandardCharsets.UTF_8);
    }

    private static byte[] clean(byte[] source, boolean lenient) throws Stop {
        byte[] padded = Arrays.copyOf(source, source.length + 1 + JsonCursor.SLACK);
        padded[source.length] = '}';
        JsonCursor cursor = new JsonCursor();
        cursor.lenient = lenient;
        cursor.set(padded, 0, source.length + 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream(source.length + 16);
        boolean comma = false;
        int p = 0;
        while (p < source.length) {
            byte c = padded[p];
            if (c > ' ') {
                if (comma && c != '}' && c != ']') {
                    out.write(',');
                }
                comma = c == ',';
            }
            if (c == '"') {
                cursor.pos = p;
                cursor.string();
                if (cursor.pos > source.length) {
                    throw Stop.INCOMPLETE;
                }
                text(JsonText.decode(padded, cursor.start, cursor.end), out::write);
                p = cursor.pos;
            } else if (isWord(c)) {
                int from = p;
                while (p < source.length && isWord(padded[p])) {
                    p++;
                }
                word(new String(padded, from, p - from, StandardCharsets.ISO_8859_1), out::write);
            } else {
                if (c > ' ' && !comma) {
                    out.write(c);
                }
                p++;
            }
        }
        return out.toByteArray();
    }

    private static boolean isWord(byte c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.';
    }

    /** Writes a word that stands for a value: as it is where JSON knows it, else as a text. */
    static void word(String word, IntConsumer out) {
        if (JsonCursor.isNumber(word) || word.equals("true") || word.equals("false") || word.equals("null")) {
            word.chars().forEach(out);
        } else {
            text(word, out);
        }
    }

    /** Writes a text as a JSON string, in quotes. */
    static void text(String text, IntConsumer out) {
        out.accept('"');
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                out.accept('\\');
                out.accept(b);
            } else if (b >= 0 && b < ' ') {
                "\\u00".chars().forEach(out);
                out.accept(HEX[b >> 4]);
                out.accept(HEX[b & 0xF]);
            } else {
                out.accept(b);
            }
        }
        out.accept('"');
    }
}
