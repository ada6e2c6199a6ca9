// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as users give them: a decimal number and {@code ns}, {@code us}, {@code ms} or {@code s}, as in {@code 1.5ms}. */
public final class GivenTime {
    private static final Pattern TIME = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,18})?)(ns|us|ms|s)");
    private static final BigDecimal LATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private GivenTime() {}

    /** The time in ns, rounded; empty where the text is none, or lies beyond what a long holds. */
    public static OptionalLong nanoseconds(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return OptionalLong.empty();
        }
        int power = switch (time.group(2)) {
            case "ns" -> 0;
            case "us" -> 3;
            case "ms" -> 6;
            default -> 9;
        };
        BigDecimal nanoseconds =
                new BigDecimal(time.group(1)).scaleByPowerOfTen(power).setScale(0, RoundingMode.HALF_UP);
        return nanoseconds.compareTo(LATEST) > 0 ? OptionalLong.empty() : OptionalLong.of(nanoseconds.longValueExact());
    }
}
