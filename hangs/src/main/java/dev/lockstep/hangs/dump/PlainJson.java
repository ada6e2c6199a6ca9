// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.PlainPickle.Other;
import dev.lockstep.codec.PlainPickle.Taker;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into values as pickles hold them, from front to back. What a taker takes is not kept. */
final class PlainJson {
    private static final int LONGEST = 1 << 24;
    private static final int MOST_NAMES = 1024;
    private static final long BYTES_PER_VALUE = 96;
    private static final JsonFactory FACTORY = Json.FACTORY
            .rebuild()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(LONGEST)
                    .maxNumberLength(LONGEST)
                    .maxStringLength(LONGEST)
                    .build())
            .build();

    private final JsonParser parser;
    private final long most;
    private final Taker taker;
    private final Map<String, String> names = new HashMap<>();
    private Object[] stack = new Object[64];
    private int size;
    private long bytes;

    private PlainJson(JsonParser parser, long most, Taker taker) {
        this.parser = parser;
        this.most = most;
        this.taker = taker;
    }

    /**
     * The value of a text; {@link Other#NONE} for {@code null}.
     *
     * @param most bytes that values may take that are kept at the same time
     * @param taker looks at dictionaries when they end
     */
    static Object read(InputStream in, long most, Taker taker) throws IOException {
        try (JsonParser parser = FACTORY.createParser(in)) {
            parser.nextToken();
            Object value = new PlainJson(parser, most, taker).value();
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "something follows the value");
            }
            return value;
        }
    }

    /** A list or dictionary that has not ended: where its values begin, and what was taken before it. */
    private record Open(boolean isMap, int from, long bytes) {}

    private Object value() throws IOException {
        List<Open> open = new ArrayList<>();
        do {
            JsonToken token = parser.currentToken();
            if (token == null) {
                throw new JsonParseException(parser, "the text ends in the middle of a value");
            }
            switch (token) {
                case START_ARRAY, START_OBJECT -> {
                    open.add(new Open(token == JsonToken.START_OBJECT, size, bytes));
                    count(BYTES_PER_VALUE);
                }
                case END_ARRAY, END_OBJECT -> end(open.removeLast());
                case FIELD_NAME -> push(name(parser.currentName()));
                case VALUE_STRING -> push(parser.getText());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                    Json.Numeral numeral = new Json.Numeral(parser.getText());
                    push(numeral.isWhole() ? (Object) numeral.bits() : (Object) numeral.value());
                }
                case VALUE_TRUE -> push(true);
                case VALUE_FALSE -> push(false);
                default -> push(Other.NONE);
            }
            if (open.isEmpty()) {
                return stack[0];
            }
            parser.nextToken();
        } while (true);
    }

    /** One object for a name, by which members of one dictionary are told again in the next. */
    private String name(String read) {
        return names.size() < MOST_NAMES ? names.computeIfAbsent(read, n -> n) : names.getOrDefault(read, read);
    }

    private void push(Object value) throws IOException {
        count(BYTES_PER_VALUE + (value instanceof String text ? 2L * text.length() : 0));
        if (size == stack.length) {
            stack = Arrays.copyOf(stack, 2 * size);
        }
        stack[size++] = value;
    }

    private void count(long more) throws IOException {
        bytes += more;
        if (bytes > most) {
            throw new JsonParseException(
                    parser, "values take more than " + (most >> 20) + " MiB; LOCKSTEP_HEAP, as in 8g, gives more");
        }
    }

    private void end(Open one) throws IOException {
        Object value = one.isMap ? taker.take(stack, one.from, size) : null;
        if (value != null) {
            bytes = one.bytes;
        } else if (one.isMap) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = one.from; i < size; i += 2) {
                map.put(stack[i], stack[i + 1]);
            }
            value = map;
        } else {
            value = new ArrayList<>(Arrays.asList(stack).subList(one.from, size));
        }
        Arrays.fill(stack, one.from, size, null);
        size = one.from;
        push(value);
    }
}
