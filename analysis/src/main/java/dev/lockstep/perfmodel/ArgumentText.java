// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.perfmodel.Value.Sequence;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads recorded arguments, which are JSON arrays, into values. Arrays become tuples. Depth costs memory, not stack. */
final class ArgumentText {

    private ArgumentText() {}

    /** The elements of the array; null when the text is absent or no JSON array. */
    static @Nullable List<Value> elements(@Nullable String json) {
        if (json == null) {
            return null;
        }
        List<Value> plain = PlainArrays.read(json);
        if (plain != null) {
            return plain;
        }
        try (JsonParser parser = Json.UNLIMITED.createParser(json)) {
            return parser.nextToken() == JsonToken.START_ARRAY ? array(parser) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** The scalar value of a field of a JSON object; null when it is not there. */
    static @Nullable Value field(String json, String name) {
        try (JsonParser parser = Json.UNLIMITED.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals(name);
                JsonToken token = parser.nextToken();
                if (found && token.isScalarValue()) {
                    return scalar(parser, token);
                }
                parser.skipChildren();
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    private static List<Value> array(JsonParser parser) throws IOException {
        ArrayDeque<List<Value>> open = new ArrayDeque<>();
        List<Value> current = new ArrayList<>();
        while (true) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new IOException("cut off");
            }
            switch (token) {
                case START_ARRAY -> {
                    open.push(current);
                    current = new ArrayList<>();
                }
                case END_ARRAY -> {
                    if (open.isEmpty()) {
                        return current;
                    }
                    List<Value> outer = open.pop();
                    outer.add(new Sequence(current, true));
                    current = outer;
                }
                case START_OBJECT -> {
                    parser.skipChildren();
                    current.add(Value.NONE);
                }
                default -> current.add(scalar(parser, token));
            }
        }
    }

    private static Value scalar(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING -> Value.of(parser.getText());
            case VALUE_NUMBER_INT -> Numeral.parse(parser.getText());
            case VALUE_NUMBER_FLOAT -> Value.of(parser.getDoubleValue());
            case VALUE_TRUE -> Value.of(true);
            case VALUE_FALSE -> Value.of(false);
            default -> Value.NONE;
        };
    }
}
