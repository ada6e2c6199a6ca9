// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spells values as JSON by their shape: {@link JsonObject}s and maps as objects, whose order they keep; lists and arrays of numbers as
 * arrays; texts, numbers, truth values and null as they are. A number that is not finite is null.
 */
public final class JsonOut {
    /** A value that is JSON already. */
    public record Spelt(String json) {}

    private JsonOut() {}

    /** A value on one line. */
    public static String line(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try {
            write(value, new MinimalPrettyPrinter(""), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Writes a value for people, too: a line for each member. */
    public static void pretty(@Nullable Object value, Writer out) throws IOException {
        write(value, new DefaultPrettyPrinter(), out);
    }

    /** Writes a value as Python's {@code json.dumps} does with an indent of two: a line for each member and each element. */
    public static void indented(@Nullable Object value, Writer out) throws IOException {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        write(
                value,
                new DefaultPrettyPrinter(Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                        .withObjectIndenter(lines)
                        .withArrayIndenter(lines),
                out);
    }

    /** The writer stays open. */
    private static void write(@Nullable Object value, PrettyPrinter look, Writer text) throws IOException {
        try (JsonGenerator out = Json.UNLIMITED.createGenerator(text)) {
            out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
            out.setPrettyPrinter(look);
            write(value, out);
        }
    }

    private static void write(@Nullable Object value, JsonGenerator out) throws IOException {
        switch (value) {
            case null -> out.writeNull();
            case String text -> out.writeString(text);
            case Boolean truth -> out.writeBoolean(truth);
            case Double number when !Double.isFinite(number) -> out.writeNull();
            case Double number -> out.writeNumber(number);
            case Integer number -> out.writeNumber(number);
            case Long number -> out.writeNumber(number);
            case BigInteger number -> out.writeNumber(number);
            case BigDecimal number -> out.writeNumber(number.toPlainString());
            case Spelt spelt -> out.writeRawValue(spelt.json());
            case JsonObject object -> members(object.members(), out);
            case Map<?, ?> map -> members(map, out);
            case int[] numbers -> out.writeArray(numbers, 0, numbers.length);
            case long[] numbers -> out.writeArray(numbers, 0, numbers.length);
            case Iterable<?> items -> {
                out.writeStartArray();
                for (Object item : items) {
                    write(item, out);
                }
                out.writeEndArray();
            }
            default -> throw new IllegalArgumentException("no shape of JSON: " + value.getClass());
        }
    }

    private static void members(Map<?, ?> members, JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            out.writeFieldName(String.valueOf(member.getKey()));
            write(member.getValue(), out);
        }
        out.writeEndObject();
    }
}
