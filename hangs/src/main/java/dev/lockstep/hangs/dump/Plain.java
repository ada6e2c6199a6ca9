// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.codec.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as pickles hold them, whichever format they were read from. Programs spell numbers as texts, too. */
final class Plain {
    private static final int DEEPEST = 32;

    private Plain() {}

    /** JSON as a pickle has it; what lies deeper than any dump is nothing. */
    static @Nullable Object of(Json json) {
        return of(json, 0);
    }

    private static @Nullable Object of(Json json, int depth) {
        if (depth > DEEPEST) {
            return null;
        }
        return switch (json) {
            case Json.Text(String value) -> value;
            case Json.Numeral numeral -> numeral.isWhole() ? (Object) numeral.bits() : (Object) numeral.value();
            case Json.Truth(boolean value) -> value;
            case Json.Nothing() -> null;
            case Json.Items(List<Json> items) -> {
                List<@Nullable Object> list = new ArrayList<>(items.size());
                for (Json item : items) {
                    list.add(of(item, depth + 1));
                }
                yield list;
            }
            case Json.Members(Map<String, Json> members) -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (Map.Entry<String, Json> member : members.entrySet()) {
                    map.put(member.getKey(), of(member.getValue(), depth + 1));
                }
                yield map;
            }
        };
    }

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
