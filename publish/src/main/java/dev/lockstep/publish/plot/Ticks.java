// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import dev.lockstep.table.DoubleList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Round values along an axis, and how they are written. */
final class Ticks {
    private static final int WANTED = 6;
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private Ticks() {}

    /** A step of 1, 2 or 5 times a power of ten that cuts a span into about six parts. */
    static double step(double span) {
        double raw = span / WANTED;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double lead = raw / power;
        return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
    }

    static double[] linear(double low, double high, double step) {
        DoubleList ticks = new DoubleList(16);
        long last = (long) Math.floor(high / step + 1e-9);
        for (long i = (long) Math.ceil(low / step - 1e-9); i <= last; i++) {
            ticks.add(i * step);
        }
        return ticks.toArray();
    }

    /** Powers of ten; over less than three of them also twice and five times each. */
    static double[] logarithmic(double low, double high) {
        double decades = Math.log10(high / low);
        int every = (int) Math.max(1, Math.ceil(decades / 8));
        double[] leads = decades < 3 ? new double[] {1, 2, 5} : new double[] {1};
        DoubleList ticks = new DoubleList(16);
        for (int power = (int) Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
            for (double lead : leads) {
                double tick = lead * Math.pow(10, power);
                if (tick >= low && tick <= high && Math.floorMod(power, every) == 0) {
                    ticks.add(tick);
                }
            }
        }
        return ticks.size() < 2 ? new double[] {low, high} : ticks.toArray();
    }

    /** A value with as many digits as steps of that size need; very large and very small ones by powers of ten. */
    static String text(double value, double step) {
        if (value == 0) {
            return "0";
        }
        double size = Math.max(Math.abs(value), Math.abs(step));
        if (size >= 1e7 || size < 1e-4) {
            return powered(value, step);
        }
        int decimals = (int) Math.max(0, -Math.floor(Math.log10(Math.abs(step)) + 1e-9));
        return signed(String.format(Locale.ROOT, "%,." + Math.min(decimals, 8) + "f", value));
    }

    /** A value to be read by itself. */
    static String value(double value) {
        double size = Math.abs(value);
        if (size >= 1e7 || size > 0 && size < 1e-3) {
            return powered(value, size / 100);
        }
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
        return signed(String.format(Locale.ROOT, "%,." + decimals + "f", value));
    }

    /** With a digit for each power of ten down to that of a step. */
    private static String powered(double value, double step) {
        BigDecimal exact = new BigDecimal(value);
        int power = exact.precision() - exact.scale() - 1;
        int decimals = (int) Math.clamp(power - Math.floor(Math.log10(Math.abs(step)) + 1e-9), 0, 8);
        BigDecimal lead = exact.movePointLeft(power)
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .stripTrailingZeros();
        StringBuilder text = new StringBuilder(lead.toPlainString()).append("×10");
        for (char digit : Integer.toString(power).toCharArray()) {
            text.append(digit == '-' ? '⁻' : RAISED.charAt(digit - '0'));
        }
        return signed(text.toString());
    }

    /** With a minus sign as long as a plus. */
    private static String signed(String text) {
        return text.replace('-', '−');
    }
}
