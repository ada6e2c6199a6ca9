// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * A buffer of UTF-8 before a stream: the inner loop of the CSV writer. Each character is looked at once, and numbers are
 * written digit by digit without a string in between.
 */
final class ByteText {
    private static final int FLUSH_AT = 1 << 16;
    private static final int LONGEST_NUMBER = 40;

    private final OutputStream out;
    private byte[] buffer = new byte[2 * FLUSH_AT];
    private int size;

    ByteText(OutputStream out) {
        this.out = out;
    }

    void put(char ascii) {
        room(1);
        buffer[size++] = (byte) ascii;
    }

    void ascii(String text) {
        int length = text.length();
        room(length);
        byte[] b = buffer;
        int n = size;
        for (int i = 0; i < length; i++) {
            b[n++] = (byte) text.charAt(i);
        }
        size = n;
    }

    /** {@code value / 10^digits}, exactly, without needless zeros. */
    void decimal(long value, int digits) {
        room(LONGEST_NUMBER);
        if (value < 0) {
            buffer[size++] = '-';
        }
        // Negative numbers reach further than positive ones.
        long rest = value < 0 ? value : -value;
        int fraction = digits;
        while (fraction > 0 && rest % 10 == 0) {
            rest /= 10;
            fraction--;
        }
        int length = Math.max(digitsOf(rest), fraction + 1) + (fraction > 0 ? 1 : 0);
        int point = fraction > 0 ? size + length - 1 - fraction : -1;
        for (int i = size + length - 1; i >= size; i--) {
            if (i == point) {
                buffer[i] = '.';
            } else {
                buffer[i] = (byte) ('0' - rest % 10);
                rest /= 10;
            }
        }
        size += length;
    }

    /**
     * A cell of free text: quoted when it holds a comma, a quote or a line end, or when asked for. NUL and halves of
     * surrogate pairs become U+FFFD.
     */
    void cell(String text, boolean quote) {
        if (quote || !put(text, false)) {
            put('"');
            put(text, true);
            put('"');
        }
    }

    /** Hands on what has gathered, once it is worth it. */
    void flushWhenFull() throws IOException {
        if (size >= FLUSH_AT) {
            flush();
        }
    }

    void flush() throws IOException {
        out.write(buffer, 0, size);
        size = 0;
    }

    /** Whether the text could be put down; without quotes around it, some texts cannot, and nothing is put then. */
    private boolean put(String text, boolean quoted) {
        int length = text.length();
        room(Math.multiplyExact(3, length));
        byte[] b = buffer;
        int n = size;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c > ',' && c < 0x80) {
                b[n++] = (byte) c;
            } else if (c < 0x80 && c != 0) {
                if (c == '"' || c == ',' || c == '\n' || c == '\r') {
                    if (!quoted) {
                        return false;
                    }
                    if (c == '"') {
                        b[n++] = '"';
                    }
                }
                b[n++] = (byte) c;
            } else if (c >= 0x80 && c < 0x800) {
                b[n++] = (byte) (0xC0 | c >> 6);
                b[n++] = (byte) (0x80 | (c & 0x3F));
            } else if (Unicode.isPair(text, i)) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                b[n++] = (byte) (0xF0 | point >> 18);
                b[n++] = (byte) (0x80 | (point >> 12 & 0x3F));
                b[n++] = (byte) (0x80 | (point >> 6 & 0x3F));
                b[n++] = (byte) (0x80 | (point & 0x3F));
            } else {
                char sound = c == 0 || Character.isSurrogate(c) ? Unicode.REPLACEMENT : c;
                b[n++] = (byte) (0xE0 | sound >> 12);
                b[n++] = (byte) (0x80 | (sound >> 6 & 0x3F));
                b[n++] = (byte) (0x80 | (sound & 0x3F));
            }
        }
        size = n;
        return true;
    }

    private static int digitsOf(long negative) {
        int digits = 1;
        for (long rest = negative; rest <= -10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private void room(int bytes) {
        if (buffer.length - size < bytes) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(size, bytes)));
        }
    }
}
