// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A small piece of JSON, for what has no fixed shape. Depth costs memory, not stack. */
sealed interface JsonTree {
    /** An array. */
    record Items(List<JsonTree> items) implements JsonTree {}

    /** An object. */
    record Members(Map<String, JsonTree> members) implements JsonTree {
        @Nullable
        JsonTree get(String name) {
            return members.get(name);
        }
    }

    /** A whole number. */
    record Whole(long value) implements JsonTree {}

    /** Any other number. */
    record Real(double value) implements JsonTree {}

    /** A string. */
    record Text(String value) implements JsonTree {}

    /** True or false. */
    record Truth(boolean value) implements JsonTree {}

    /** Null. */
    record Nothing() implements JsonTree {}

    /** Reads the value that begins with the parser's current token; the parser stands on its last token afterwards. */
    static JsonTree read(JsonParser parser) throws IOException {
        ArrayDeque<Open> open = new ArrayDeque<>();
        JsonToken token = parser.currentToken();
        while (true) {
            if (token == null) {
                throw new IOException("the JSON ends in the middle of a value");
            }
            JsonTree done = null;
            switch (token) {
                case START_ARRAY, START_OBJECT -> open.push(new Open(token == JsonToken.START_OBJECT));
                case END_ARRAY, END_OBJECT -> done = open.pop().close();
                case FIELD_NAME -> open.element().name = parser.currentName();
                default -> done = scalar(parser, token);
            }
            if (done != null) {
                if (open.isEmpty()) {
                    return done;
                }
                open.element().add(done);
            }
            token = parser.nextToken();
        }
    }

    private static JsonTree scalar(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT -> wholeOrReal(parser);
            case VALUE_NUMBER_FLOAT -> new Real(parser.getDoubleValue());
            case VALUE_TRUE -> new Truth(true);
            case VALUE_FALSE -> new Truth(false);
            default -> new Nothing();
        };
    }

    /** Numbers beyond 64 bits, such as addresses that are unsigned, keep their low bits. */
    private static JsonTree wholeOrReal(JsonParser parser) throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? new Whole(parser.getBigIntegerValue().longValue())
                : new Whole(parser.getLongValue());
    }

    /** A container that is not closed yet. */
    final class Open {
        private final List<JsonTree> items = new ArrayList<>();
        private final Map<String, JsonTree> members = new LinkedHashMap<>();
        private final boolean object;
        private String name = "";

        private Open(boolean object) {
            this.object = object;
        }

        private void add(JsonTree value) {
            if (object) {
                members.put(name, value);
            } else {
                items.add(value);
            }
        }

        private JsonTree close() {
            return object ? new Members(members) : new Items(items);
        }
    }
}
