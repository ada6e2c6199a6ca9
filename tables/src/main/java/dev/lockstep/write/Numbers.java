// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.table.Quotient;

/**
 * Spells numbers. Every spelling reads back as the same number: nothing is rounded here.
 *
 * <p>Doubles get the fewest digits that tell them from their neighbours, with an exponent below 1e-4 and from 1e16 on, as
 * Python's {@code repr}. Integers in a coarser unit, such as nanoseconds shown as microseconds, become exact decimals.
 */
public final class Numbers {
    private Numbers() {}

    /** {@code 12.5}, {@code 12}, {@code 1e-05}, {@code 1e+16}, {@code inf}; NaN is the empty text. */
    public static String plain(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        if (value == 0) {
            return "0";
        }
        String text = python(value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /**
     * The exact quotient without needless zeros: {@code plain(12345, 1000)} is {@code 12.345}.
     *
     * @param divisor at least 1; where it is no power of ten the quotient is that of doubles
     */
    public static String plain(long value, long divisor) {
        int digits = powerOfTen(divisor);
        if (digits == 0) {
            return Long.toString(value);
        }
        return digits < 0 ? plain(Quotient.of(value, divisor)) : shifted(value, divisor, digits);
    }

    /** As Python's {@code repr}: {@code 12.0}, {@code 0.1}, {@code 1e-05}, {@code 1e+16}, {@code inf}, {@code nan}. */
    public static String python(double value) {
        double size = Math.abs(value);
        if (size >= 1e-3 && size < 1e7) {
            return Double.toString(value);
        }
        if (size == 0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (size > Double.MAX_VALUE) {
            return value < 0 ? "-inf" : "inf";
        }
        return respelt(value < 0 ? "-" : "", Double.toString(size), size);
    }

    /** From Java's {@code 1.234E10} to the spelling of Python. */
    private static String respelt(String sign, String java, double size) {
        int e = java.indexOf('E');
        int exponent = Integer.parseInt(java, e + 1, java.length(), 10);
        String digits = java.charAt(0) + (java.startsWith(".0", 1) && e == 3 ? "" : java.substring(2, e));
        if (digits.length() == 2 && exponent < -300) {
            // Java gives at least two digits, which matters only where one would do: 4.9E-324 is 5e-324.
            int one = (Integer.parseInt(digits) + 5) / 10;
            int shift = one / 10;
            if (Double.parseDouble(one + "e" + exponent) == size) {
                digits = Integer.toString(shift > 0 ? 1 : one);
                exponent += shift;
            }
        }
        if (exponent >= 16 || exponent < -4) {
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            int shown = Math.abs(exponent);
            return sign + digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + (shown < 10 ? "0" : "") + shown;
        }
        if (exponent < 0) {
            return sign + "0." + "0".repeat(-exponent - 1) + digits;
        }
        if (digits.length() <= exponent + 1) {
            return sign + digits + "0".repeat(exponent + 1 - digits.length()) + ".0";
        }
        return sign + digits.substring(0, exponent + 1) + "." + digits.substring(exponent + 1);
    }

    private static String shifted(long value, long divisor, int digits) {
        long whole = value / divisor;
        long rest = Math.abs(value % divisor);
        if (rest == 0) {
            return Long.toString(whole);
        }
        int zeros = 0;
        while (rest % 10 == 0) {
            rest /= 10;
            zeros++;
        }
        StringBuilder out = new StringBuilder(24);
        if (value < 0 && whole == 0) {
            out.append('-');
        }
        out.append(whole).append('.');
        String fraction = Long.toString(rest);
        out.repeat('0', digits - zeros - fraction.length());
        return out.append(fraction).toString();
    }

    /** The exponent of a power of ten, or -1. */
    static int powerOfTen(long divisor) {
        int digits = 0;
        long rest = divisor;
        while (rest % 10 == 0) {
            rest /= 10;
            digits++;
        }
        return rest == 1 ? digits : -1;
    }
}
