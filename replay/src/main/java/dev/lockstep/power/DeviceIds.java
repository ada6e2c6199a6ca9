// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What tells devices of a machine apart whoever counts them: addresses on the bus, and UUIDs, in any usual spelling. */
public final class DeviceIds {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\\.([0-7]))?");
    private static final int HEXADECIMAL = 16;

    private DeviceIds() {}

    /** Whether two are the same: {@code 00000000:3B:00.0} and {@code 0000:3b:00.0}, {@code GPU-5e…} and {@code 5e…}. */
    public static boolean same(String one, String other) {
        String plain = plain(one);
        return !plain.isEmpty() && plain.equals(plain(other));
    }

    private static String plain(String id) {
        String lower = id.strip().toLowerCase(Locale.ROOT);
        Matcher address = ADDRESS.matcher(lower);
        if (!address.matches()) {
            return lower.startsWith("gpu-") ? lower.substring("gpu-".length()) : lower;
        }
        return number(address.group(1)) + ":" + number(address.group(2)) + ":" + number(address.group(3)) + "."
                + number(address.group(4));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits, HEXADECIMAL);
    }
}
