// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads integers as counters are spelled: decimal, or with the prefixes 0x, 0o, 0b. */
public final class WholeNumber {
    /** The text is no such integer. */
    public static final long NONE = Long.MIN_VALUE;

    private static final byte[] LARGEST = "18446744073709551615".getBytes(StandardCharsets.US_ASCII);

    private WholeNumber() {}

    /** The integer that these bytes spell, blanks around it aside; {@link #NONE} where they spell none. */
    public static long parse(byte[] b, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && b[from] == ' ') {
            from++;
        }
        while (to > from && b[to - 1] == ' ') {
            to--;
        }
        boolean negative = from < to && b[from] == '-';
        if (from < to && (b[from] == '-' || b[from] == '+')) {
            from++;
        }
        int radix = 10;
        if (to - from > 2 && b[from] == '0') {
            radix = switch (b[from + 1] | 0x20) {
                case 'x' -> 16;
                case 'o' -> 8;
                case 'b' -> 2;
                default -> 10;
            };
            from += radix == 10 ? 0 : 2;
        }
        if (from == to || to - from > 18 || radix == 10 && to - from > 1 && b[from] == '0') {
            return NONE;
        }
        long value = 0;
        for (int p = from; p < to; p++) {
            int digit = digit(b[p]);
            if (digit >= radix) {
                return NONE;
            }
            value = value * radix + digit;
        }
        return negative ? -value : value;
    }

    /** The value of a digit, of a letter beyond the decimal ones; a large one for what is neither. */
    private static int digit(int c) {
        if (c <= '9') {
            return c < '0' ? Character.MAX_RADIX : c - '0';
        }
        int letter = (c | 0x20) - 'a';
        return letter < 0 ? Character.MAX_RADIX : letter + 10;
    }

    /** Whether these bytes are a whole number beyond those that {@link #parse} takes, but of at most 64 bits. */
    public static boolean isWide(byte[] b, int from, int to) {
        if (to - from < 19 || to - from > LARGEST.length || b[from] == '0') {
            return false;
        }
        for (int p = from; p < to; p++) {
            if (b[p] < '0' || b[p] > '9') {
                return false;
            }
        }
        return to - from < LARGEST.length || Arrays.compare(b, from, to, LARGEST, 0, LARGEST.length) <= 0;
    }

    /** The number in bytes for which {@link #isWide} holds, as an unsigned one. */
    public static long wide(byte[] b, int from, int to) {
        long value = 0;
        for (int p = from; p < to; p++) {
            value = value * 10 + (b[p] - '0');
        }
        return value;
    }
}
