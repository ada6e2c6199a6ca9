// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.write.JsonBytes;
import dev.lockstep.write.Numbers;

/** Puts doubles down as Python spells them, most of them without further texts. */
final class PythonDoubles {
    private static final double SMALLEST = 1e-3;
    /** From here on Java writes an exponent. */
    private static final double SCIENTIFIC = 1e7;

    private static final double LARGEST = 1e16;

    private PythonDoubles() {}

    /** @param value finite */
    static void put(double value, JsonBytes out) {
        double size = Math.abs(value);
        if (size >= SMALLEST && size < SCIENTIFIC) {
            out.ascii(Double.toString(value));
        } else if (size >= SCIENTIFIC && size < LARGEST) {
            large(Double.toString(value), out);
        } else {
            out.ascii(Numbers.python(value));
        }
    }

    /** From Java's {@code 1.234567891E8}, or a number of two digits of exponent, to {@code 123456789.1}. */
    private static void large(String java, JsonBytes out) {
        int mark = java.indexOf('E', 2);
        int exponent = java.charAt(mark + 1) - '0';
        if (mark + 2 < java.length()) {
            exponent = exponent * 10 + java.charAt(mark + 2) - '0';
        }
        int point = java.charAt(1) == '.' ? 1 : 2;
        int decimals = mark - point - 1;
        if (decimals == 1 && java.charAt(mark - 1) == '0') {
            decimals = 0;
        }
        int before = Math.min(decimals, exponent);
        out.ascii(java, 0, point);
        out.ascii(java, point + 1, point + 1 + before);
        for (int i = before; i < exponent; i++) {
            out.put('0');
        }
        out.put('.');
        if (decimals > exponent) {
            out.ascii(java, point + 1 + exponent, point + 1 + decimals);
        } else {
            out.put('0');
        }
    }
}
