// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Moments as samplers and benchmarks write them. */
public final class PowerTimes {
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int LONGEST = 64;

    private PowerTimes() {}

    /**
     * A moment in ns since 1970, of a text that states its time zone or else in UTC.
     *
     * @throws DateTimeException when it is no moment
     */
    public static long parse(String text) {
        return parse(text, ZoneOffset.UTC);
    }

    /**
     * A moment in ns since 1970. Numbers are seconds, milliseconds, microseconds or nanoseconds since 1970, told by their
     * size.
     *
     * @param zone of a text that states none
     * @throws DateTimeException when it is no moment
     */
    public static long parse(String text, ZoneId zone) {
        String plain = text.strip().replace('/', '-');
        if (plain.length() > LONGEST) {
            throw new DateTimeException("longer than any time");
        }
        try {
            return moment(plain, zone);
        } catch (ArithmeticException e) {
            throw new DateTimeException("beyond the years that 64 bits of ns hold", e);
        }
    }

    private static long moment(String text, ZoneId zone) {
        if (text.matches("\\d+(\\.\\d+)?")) {
            return number(text);
        }
        String plain = text.replaceFirst(" +", "T").replace(" ", "");
        if (plain.endsWith("Z") || plain.matches(".*T.*[+-]\\d\\d:?\\d\\d")) {
            String apart = plain.replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
            return ns(OffsetDateTime.parse(apart).toInstant());
        }
        return ns(LocalDateTime.parse(plain).atZone(zone).toInstant());
    }

    private static long ns(Instant moment) {
        return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), NS_PER_S), moment.getNano());
    }

    private static long number(String digits) {
        java.math.BigDecimal value = new java.math.BigDecimal(digits);
        int whole = value.toBigInteger().toString().length();
        int shift = whole <= 11 ? 9 : whole <= 14 ? 6 : whole <= 17 ? 3 : 0;
        return value.movePointRight(shift).toBigInteger().longValueExact();
    }
}
