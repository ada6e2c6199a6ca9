// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.lockstep.error.NamedFiles;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A small JSON document as a tree. Numbers keep their spelling; of members with one name the last counts, in the place of
 * the first. Depth costs memory, not stack. Not for traces.
 */
public sealed interface Json {
    /**
     * Reads texts that are in memory, however long, deep or odd their names and numbers: their size is their limit. Nothing of
     * them is kept.
     */
    JsonFactory UNLIMITED = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Reads what Python writes, {@code NaN} and {@code Infinity} among it, as unlimited: traces hold it, too. */
    JsonFactory FACTORY = UNLIMITED
            .rebuild()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** At which byte a text could not be read; -1 where that is not known. */
    static long position(JsonProcessingException e) {
        return e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
    }

    /** What is wrong with a text that could not be read, without the words of the library for its settings and places. */
    static String problem(JsonProcessingException e) {
        return e.getOriginalMessage()
                .replaceFirst(" \\(start marker at [\\s\\S]*$", "")
                .replaceFirst(": enable `[\\w.]+` to allow$", " is no JSON")
                .replaceFirst(", from `[\\w.()]+`\\)$", ")");
    }

    /** A string. */
    record Text(String value) implements Json {}

    /** A number as it is spelt. */
    record Numeral(String text) implements Json {
        /** Whether it has neither fraction nor exponent. */
        public boolean isWhole() {
            return text.indexOf('.') < 0
                    && text.indexOf('e') < 0
                    && text.indexOf('E') < 0
                    && text.indexOf('N') < 0
                    && text.indexOf('I') < 0;
        }

        public double value() {
            return Double.parseDouble(text);
        }

        /** The low 64 bits of a whole number: addresses that are unsigned are beyond a {@code long}. */
        public long bits() {
            int sign = text.startsWith("-") ? 1 : 0;
            long bits = 0;
            for (int i = sign; i < text.length(); i++) {
                bits = bits * 10 + (text.charAt(i) - '0');
            }
            return sign == 0 ? bits : -bits;
        }
    }

    /** True or false. */
    record Truth(boolean value) implements Json {}

    /** Null. */
    record Nothing() implements Json {}

    /** An array. */
    record Items(List<Json> items) implements Json {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** An object; members in the order of the document. */
    record Members(Map<String, Json> members) implements Json {
        public Members {
            members = Collections.unmodifiableMap(members);
        }

        /** The value of a member, or null. */
        public @Nullable Json get(String name) {
            return members.get(name);
        }

        /** The text of a member, or null when there is none or it is no text. */
        public @Nullable String text(String name) {
            return members.get(name) instanceof Text(String value) ? value : null;
        }

        /** The number of a member; NaN when there is none or it is no number. */
        public double number(String name) {
            return members.get(name) instanceof Numeral numeral ? numeral.value() : Double.NaN;
        }

        /** The whole number of a member; {@code absent} when there is none or it is no whole number of 64 bits. */
        public long whole(String name, long absent) {
            double number = number(name);
            if (Double.isNaN(number) || Math.abs(number) > 0x1p62 || number != Math.rint(number)) {
                return absent;
            }
            return members.get(name) instanceof Numeral numeral && numeral.isWhole()
                    ? Long.parseLong(numeral.text())
                    : (long) number;
        }

        /** The object of a member; without members when there is none. */
        public Members object(String name) {
            return members.get(name) instanceof Members object ? object : new Members(Map.of());
        }

        /** The elements of a member; none when it is no array. */
        public List<Json> items(String name) {
            return members.get(name) instanceof Items(List<Json> items) ? items : List.of();
        }
    }

    /**
     * The value that a text holds.
     *
     * @throws JsonProcessingException when it is no JSON, or when something follows the value
     */
    static Json parse(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return whole(parser);
        }
    }

    /** As {@link #parse(String)}, of UTF-8. */
    static Json parse(byte[] text) throws IOException {
        return parse(text, 0, text.length);
    }

    /** As {@link #parse(String)}, of a part of an array. */
    static Json parse(byte[] text, int from, int to) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text, from, to - from)) {
            return whole(parser);
        }
    }

    private static Json whole(JsonParser parser) throws IOException {
        try {
            parser.nextToken();
            Json value = read(parser);
            if (parser.nextToken() != null) {
                throw new com.fasterxml.jackson.core.JsonParseException(parser, "something follows the value");
            }
            return value;
        } catch (CharConversionException e) {
            throw new com.fasterxml.jackson.core.JsonParseException(parser, e.getMessage(), e);
        }
    }

    /** Whether a file holds JSON, to its end. */
    static boolean isWhole(Path file) throws IOException {
        long values = 0;
        try (JsonParser parser = FACTORY.createParser(NamedFiles.in(file))) {
            while (parser.nextToken() != null) {
                values++;
            }
        } catch (JsonProcessingException e) {
            return false;
        }
        return values > 0;
    }

    /** The value as JSON on one line, with numbers as they were spelt. */
    default String spelt() {
        StringBuilder out = new StringBuilder();
        JsonText.write(this, out);
        return out.toString();
    }

    /** Reads the value that begins with the parser's current token; the parser stands on its last token afterwards. */
    static Json read(JsonParser parser) throws IOException {
        ArrayDeque<Open> open = new ArrayDeque<>();
        JsonToken token = parser.currentToken();
        while (true) {
            if (token == null) {
                throw new com.fasterxml.jackson.core.JsonParseException(
                        parser, "the text ends in the middle of a value");
            }
            Json done = null;
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

    private static Json scalar(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Numeral(parser.getText());
            case VALUE_TRUE -> new Truth(true);
            case VALUE_FALSE -> new Truth(false);
            default -> new Nothing();
        };
    }

    /** A container that is not closed yet. */
    final class Open {
        private final List<Json> items = new ArrayList<>();
        private final Map<String, Json> members = new LinkedHashMap<>();
        private final boolean object;
        private String name = "";

        private Open(boolean object) {
            this.object = object;
        }

        private void add(Json value) {
            if (object) {
                members.put(name, value);
            } else {
                items.add(value);
            }
        }

        private Json close() {
            return object ? new Members(members) : new Items(items);
        }
    }
}
