// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Moments as samplers and benchmarks write them. */
public final class PowerTimes {
    private static final long NS_PER_S = 1_000_000_000L;

    private PowerTimes() {}

    /**
     * A moment in ns since 1970. A text without a time zone is taken for UTC: samples and windows that are joined come from
     * one clock, so it does not matter which. Numbers are seconds, milliseconds, microseconds or nanoseconds since 1970,
     * told by their size.
     *
     * @throws DateTimeException when it is no moment
     */
    public static long parse(String text) {
        String plain = text.strip().replace('/', '-').replace(' ', 'T');
        if (plain.matches("\\d+(\\.\\d+)?")) {
            return number(plain);
        }
        if (plain.matches(".*T.*([+-]\\d\\d:?\\d\\d|Z)$")) {
            return ns(OffsetDateTime.parse(plain)
                    .withOffsetSameInstant(ZoneOffset.UTC)
                    .toLocalDateTime());
        }
        return ns(LocalDateTime.parse(plain));
    }

    private static long ns(LocalDateTime time) {
        Instant moment = time.toInstant(ZoneOffset.UTC);
        return moment.getEpochSecond() * NS_PER_S + moment.getNano();
    }

    private static long number(String digits) {
        java.math.BigDecimal value = new java.math.BigDecimal(digits);
        int whole = value.toBigInteger().toString().length();
        int shift = whole <= 11 ? 9 : whole <= 14 ? 6 : whole <= 17 ? 3 : 0;
        return value.movePointRight(shift).toBigInteger().longValue();
    }
}
