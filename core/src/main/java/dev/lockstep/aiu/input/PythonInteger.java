// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

/** Reads integers as counters are spelled: decimal, or with the prefixes 0x, 0o, 0b. */
final class PythonInteger {
    /** The text is no such integer. */
    static final long NONE = Long.MIN_VALUE;

    private PythonInteger() {}

    static long parse(byte[] b, int start, int end) {
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
            int digit = Character.digit(b[p], radix);
            if (digit < 0) {
                return NONE;
            }
            value = value * radix + digit;
        }
        return negative ? -value : value;
    }
}
