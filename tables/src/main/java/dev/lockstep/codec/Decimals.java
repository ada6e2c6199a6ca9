// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Exact conversions of number texts that the fast paths leave over. */
final class Decimals {
    private static final int LARGEST_EXPONENT = 40;

    private Decimals() {}

    /** The number times 10^scale, rounded half up; {@link JsonCursor#NOT_A_NUMBER} when it is none or does not fit. */
    static long toScaledLong(String text, int scale) {
        BigDecimal value = parse(text);
        if (value == null) {
            return JsonCursor.NOT_A_NUMBER;
        }
        BigDecimal scaled = value.scaleByPowerOfTen(scale).setScale(0, RoundingMode.HALF_UP);
        return scaled.abs().compareTo(BigDecimal.valueOf(JsonCursor.LATEST_NS)) > 0
                ? JsonCursor.NOT_A_NUMBER
                : scaled.longValueExact();
    }

    /** A whole number up to 2^64-1 as the bits of a long; {@link JsonCursor#NOT_A_NUMBER} when it is none. */
    static long toUnsignedLong(String text) {
        BigInteger whole;
        if (text.startsWith("0x") || text.startsWith("0X")) {
            try {
                whole = new BigInteger(text.substring(2), 16);
            } catch (NumberFormatException e) {
                return JsonCursor.NOT_A_NUMBER;
            }
            if (!Character.isLetterOrDigit(text.charAt(2))) {
                return JsonCursor.NOT_A_NUMBER;
            }
        } else {
            BigDecimal value = parse(text);
            if (value == null || value.stripTrailingZeros().scale() > 0) {
                return JsonCursor.NOT_A_NUMBER;
            }
            whole = value.toBigInteger();
        }
        int bits = whole.signum() < 0 ? 63 : 64;
        return whole.bitLength() > bits ? JsonCursor.NOT_A_NUMBER : whole.longValue();
    }

    private static @Nullable BigDecimal parse(String text) {
        try {
            BigDecimal value = new BigDecimal(text);
            // 1e999999999 is a short text for a number that no machine can hold, and 1e-999999999 for one next to 0.
            long exponent = (long) value.precision() - value.scale();
            if (value.signum() == 0 || exponent < -LARGEST_EXPONENT) {
                return BigDecimal.ZERO;
            }
            return exponent > LARGEST_EXPONENT ? null : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
