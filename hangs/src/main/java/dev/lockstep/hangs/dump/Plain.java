// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as pickles hold them, whichever format they were read from. Programs spell numbers as texts, too. */
final class Plain {
    private Plain() {}

    static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    /** A text, or a number as one; empty for anything else. */
    static String text(@Nullable Object value) {
        return value instanceof String || value instanceof Long || value instanceof Double ? value.toString() : "";
    }

    static long whole(@Nullable Object value, long absent) {
        return switch (value) {
            case Long number -> number;
            case Double number when number == Math.rint(number) -> number.longValue();
            case String text -> parsed(text, absent);
            case null, default -> absent;
        };
    }

    private static long parsed(String text, long absent) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return absent;
        }
    }
}
