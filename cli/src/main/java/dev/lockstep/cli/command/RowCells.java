// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Unicode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of answers as text and as JSON. Integers keep all digits, doubles get the fewest that tell them from others. */
final class RowCells {
    private RowCells() {}

    /** As text; lists and structures as JSON. */
    static String text(Object cell) {
        return switch (cell) {
            case Double number -> number.isNaN() ? "NaN" : Numbers.plain(number);
            case BigDecimal number -> number.toPlainString();
            case List<?> list -> JsonOut.line(json(list));
            case Map<?, ?> members -> JsonOut.line(json(members));
            default -> cell.toString();
        };
    }

    /** As a shape of JSON; null where there is none, or where it is no number that JSON can spell. */
    static @Nullable Object json(@Nullable Object cell) {
        return switch (cell) {
            case null -> null;
            case Double number -> Double.isFinite(number) ? new JsonOut.Spelt(Numbers.plain(number)) : null;
            case Number number -> number;
            case Boolean truth -> truth;
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(json(item)));
                yield items;
            }
            case Map<?, ?> members -> {
                JsonObject object = new JsonObject();
                members.forEach((name, value) -> object.with(Unicode.wellFormed(String.valueOf(name)), json(value)));
                yield object;
            }
            default -> Unicode.wellFormed(cell.toString());
        };
    }
}
