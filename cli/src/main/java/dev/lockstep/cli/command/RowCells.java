// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of answers as text and as JSON. Integers keep all digits, doubles get the fewest that tell them from others. */
final class RowCells {
    private static final JsonFactory FACTORY = new JsonFactory();

    private RowCells() {}

    /** As text; lists and structures as JSON. */
    static String text(Object cell) throws IOException {
        return switch (cell) {
            case Double number -> number.isNaN() ? "NaN" : Numbers.plain(number);
            case BigDecimal number -> number.toPlainString();
            case List<?> list -> json(list);
            case Map<?, ?> members -> json(members);
            default -> cell.toString();
        };
    }

    private static String json(Object value) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(value, json);
        }
        return text.toString();
    }

    /** As a JSON value; null where there is none, or where it is no number that JSON can spell. */
    static void write(@Nullable Object cell, JsonGenerator json) throws IOException {
        switch (cell) {
            case null -> json.writeNull();
            case Long number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number.toPlainString());
            case Double number when Double.isFinite(number) -> json.writeNumber(Numbers.plain(number));
            case Double number -> json.writeNull();
            case Boolean truth -> json.writeBoolean(truth);
            case List<?> list -> {
                json.writeStartArray();
                for (Object item : list) {
                    write(item, json);
                }
                json.writeEndArray();
            }
            case Map<?, ?> members -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    json.writeFieldName(Unicode.wellFormed(String.valueOf(member.getKey())));
                    write(member.getValue(), json);
                }
                json.writeEndObject();
            }
            default -> json.writeString(Unicode.wellFormed(cell.toString()));
        }
    }
}
