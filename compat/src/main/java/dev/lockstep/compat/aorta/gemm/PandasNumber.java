// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import java.util.regex.Pattern;

/**
 * Numbers as pandas reads them from text: of the digits the first 17 count, leading zeros among them, and the power of ten
 * is applied to their rounded sum, so that the last digits of long numbers may be lost.
 */
final class PandasNumber {
    private static final int MOST_DIGITS = 17;
    private static final int LARGEST_EXPONENT = 308;
    private static final Pattern SHAPE =
            Pattern.compile("[+-]?(?:\\d++(?:\\.\\d*+)?|\\.\\d+)(?:[eE][+-]?\\d{1,5})?|[+-]?(?i:inf|infinity)");

    private PandasNumber() {}

    static boolean matches(String cell) {
        return SHAPE.matcher(cell).matches();
    }

    /** @param cell a text that {@link #matches} */
    static double parse(String cell) {
        boolean negative = cell.startsWith("-");
        String text = negative || cell.startsWith("+") ? cell.substring(1) : cell;
        double size = text.charAt(0) == 'i' || text.charAt(0) == 'I' ? Double.POSITIVE_INFINITY : size(text);
        return negative ? -size : size;
    }

    private static double size(String text) {
        double number = 0;
        int digits = 0;
        int exponent = 0;
        boolean fraction = false;
        int at = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '.') {
                fraction = true;
            } else if (c == 'e' || c == 'E') {
                exponent += Integer.parseInt(text.substring(at + 1));
                break;
            } else if (digits < MOST_DIGITS) {
                number = number * 10 + (c - '0');
                digits++;
                exponent -= fraction ? 1 : 0;
            } else {
                exponent += fraction ? 0 : 1;
            }
        }
        return scaled(number, exponent);
    }

    private static double scaled(double number, int exponent) {
        if (exponent > LARGEST_EXPONENT) {
            return Double.POSITIVE_INFINITY;
        }
        if (exponent >= 0) {
            return number * power(exponent);
        }
        return -exponent <= LARGEST_EXPONENT
                ? number / power(-exponent)
                : number / power(Math.min(LARGEST_EXPONENT, -LARGEST_EXPONENT - exponent)) / power(LARGEST_EXPONENT);
    }

    /** The double nearest to a power of ten. */
    private static double power(int exponent) {
        return Double.parseDouble("1e" + exponent);
    }
}
