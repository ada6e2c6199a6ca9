// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Divides whole numbers into doubles: 1234567 ns are 1234.567 µs, the double that this decimal is parsed as. A division of
 * doubles is another number where the whole number has more than 53 bits, as nanoseconds since 1970 have.
 */
public final class Quotient {
    private static final double EXACT_INTEGERS = 0x1p53;
    private static final long SMALL = 1 << 10;

    private Quotient() {}

    /**
     * {@return the double nearest to a quotient}
     *
     * @param value any
     * @param divisor at least 1, at most 2⁵³
     */
    public static double of(long value, long divisor) {
        if (Math.abs((double) value) < EXACT_INTEGERS) {
            return (double) value / divisor;
        }
        long whole = value / divisor;
        if (divisor <= SMALL && Math.abs(whole) < (long) EXACT_INTEGERS) {
            // Doubles of the whole part's size are 2^-9 or more apart. Unless it is a tie itself, the quotient lies
            // 2^-20 or
            // more beside every tie, which is far more than the fraction is rounded by.
            return whole + value % divisor / (double) divisor;
        }
        return new BigDecimal(value)
                .divide(new BigDecimal(divisor), MathContext.DECIMAL128)
                .doubleValue();
    }
}
