// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import java.nio.charset.StandardCharsets;

/** Reads decimals exactly as {@link Double#parseDouble} does; most of them without making a text. */
final class JsonDoubles {
    private static final double[] POWERS = new double[23];
    private static final long EXACT = 1L << 53;

    static {
        double power = 1;
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = power;
            power *= 10;
        }
    }

    private JsonDoubles() {}

    /** The number in these bytes; NaN when they are none. */
    static double parse(byte[] b, int from, int to) {
        int p = from;
        boolean negative = p < to && b[p] == '-';
        if (negative) {
            p++;
        }
        long mantissa = 0;
        int digits = 0;
        int decimals = 0;
        boolean point = false;
        for (; p < to; p++) {
            int c = b[p];
            if (c >= '0' && c <= '9' && digits < 18) {
                mantissa = mantissa * 10 + (c - '0');
                digits++;
                decimals += point ? 1 : 0;
            } else if (c == '.' && !point) {
                point = true;
            } else {
                return slow(b, from, to);
            }
        }
        if (digits == 0 || mantissa > EXACT || decimals >= POWERS.length) {
            return slow(b, from, to);
        }
        // Both are exact, so that the one rounding of the division is that of the decimal.
        double value = mantissa / POWERS[decimals];
        return negative ? -value : value;
    }

    private static double slow(byte[] b, int from, int to) {
        try {
            return Double.parseDouble(new String(b, from, to - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
