// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Rounds to at most six decimals: the exact value of the double, halves to the even digit. */
public final class Rounding {
    private static final double[] POWERS = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    private static final double[] SCALES = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    private static final double LARGE = 0x1p40;

    private Rounding() {}

    public static double of(double value, int decimals) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return value;
        }
        if (Math.ulp(value) > POWERS[decimals]) {
            return value; // no other double is as near to the rounded decimal
        }
        double scaled = value * SCALES[decimals];
        double fraction = Math.abs(scaled) - Math.floor(Math.abs(scaled));
        if (Math.abs(scaled) < LARGE && Math.abs(fraction - 0.5) > 1e-3) {
            double whole = Math.rint(scaled);
            return whole == 0 ? Math.copySign(0, value) : whole / SCALES[decimals];
        }
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue();
    }
}
