// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.write.JsonBytes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Spells JSON as Python's {@code json.dump} with four blanks of indentation: ASCII, shortest numbers. What is no finite number is a
 * text, or, where acelyzer is reproduced, spelled as Python does, which is no JSON.
 */
final class IndentedJson {
    private static final int CACHED = 1 << 15;
    private static final byte[][] BREAKS = new byte[12][];
    private static final char REPLACEMENT = 0xFFFD;

    /** Lists and objects, one within the other, from which on a value is written as text. */
    private static final int DEEPEST = 1000;

    private static final JsonFactory LENIENT = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    static {
        for (int depth = 0; depth < BREAKS.length; depth++) {
            BREAKS[depth] = indented(depth);
        }
    }

    private final boolean spellsNonFinite;
    private final Map<String, byte[]> quoted = new HashMap<>();
    private final Map<String, JsonKey> keys = new HashMap<>();
    private JsonBytes out;
    private int depth;
    private boolean first = true;
    private long textsForJson;

    /** @param spellsNonFinite whether {@code NaN} and {@code Infinity} stand as such */
    IndentedJson(JsonBytes out, boolean spellsNonFinite) {
        this.out = out;
        this.spellsNonFinite = spellsNonFinite;
    }

    /**
     * Goes on elsewhere, within containers that are open already.
     *
     * @param first whether the innermost of them has no element yet
     */
    void moveTo(JsonBytes out, int depth, boolean first) {
        this.out = out;
        this.depth = depth;
        this.first = first;
    }

    IndentedJson open(char bracket) {
        out.put(bracket);
        depth++;
        first = true;
        return this;
    }

    void close(char bracket) {
        depth--;
        if (!first) {
            line();
        }
        first = false;
        out.put(bracket);
    }

    /** Begins an element of a list. */
    void element() {
        if (!first) {
            out.put(',');
        }
        first = false;
        line();
    }

    IndentedJson key(JsonKey key) {
        byte[] line = key.line(depth);
        out.put(line, first ? 1 : 0, line.length);
        first = false;
        return this;
    }

    IndentedJson key(String key) {
        if (depth < JsonKey.DEEPEST) {
            JsonKey known = keys.get(key);
            if (known == null) {
                known = new JsonKey(key);
                if (keys.size() < CACHED) {
                    keys.put(key, known);
                }
            }
            return key(known);
        }
        element();
        text(key);
        out.put(':');
        out.put(' ');
        return this;
    }

    private void line() {
        out.put(depth < BREAKS.length ? BREAKS[depth] : indented(depth));
    }

    private static byte[] indented(int depth) {
        return ("\n" + "    ".repeat(depth)).getBytes(StandardCharsets.US_ASCII);
    }

    void text(String text) {
        byte[] known = quoted.get(text);
        if (known == null) {
            known = quote(text).getBytes(StandardCharsets.US_ASCII);
            if (quoted.size() < CACHED) {
                quoted.put(text, known);
            }
        }
        out.put(known);
    }

    /** A text of one letter. */
    void letter(char letter) {
        if (letter <= '"' || letter == '\\' || letter >= 127) {
            text(String.valueOf(letter));
            return;
        }
        out.put('"');
        out.put(letter);
        out.put('"');
    }

    void number(long value) {
        out.number(value);
    }

    /** A number as text. */
    void quotedNumber(long value) {
        out.put('"');
        out.number(value);
        out.put('"');
    }

    void number(double value) {
        if (Double.isFinite(value)) {
            PythonDoubles.put(value, out);
        } else {
            nonFinite(Double.toString(value));
        }
    }

    private void nonFinite(String word) {
        if (spellsNonFinite) {
            plain(word);
        } else {
            textForJson(word);
        }
    }

    void plain(String ascii) {
        out.ascii(ascii);
    }

    void value(Object value) {
        switch (value) {
            case String text -> text(text);
            case Long number -> number(number);
            case Integer number -> number(number);
            case Double number -> number(number);
            case Boolean truth -> plain(truth ? "true" : "false");
            case RawJson raw -> raw(raw.text());
            case Args args -> {
                open('{');
                members(args);
                close('}');
            }
            case Map<?, ?> map -> {
                open('{');
                map.forEach((key, member) -> key(key.toString()).value(member));
                close('}');
            }
            case double[] numbers -> {
                open('[');
                for (double number : numbers) {
                    element();
                    number(number);
                }
                close(']');
            }
            case List<?> list -> {
                open('[');
                for (Object item : list) {
                    element();
                    value(item);
                }
                close(']');
            }
            default -> text(value.toString());
        }
    }

    void members(Args args) {
        for (int i = 0; i < args.size(); i++) {
            key(args.key(i)).value(args.value(i));
        }
    }

    /**
     * JSON text in the layout of the rest. What readers take although it is not quite JSON is put right: control characters
     * in texts are escaped, {@code nan} becomes {@code NaN}. Text that is no JSON all the same, or is nested deeper than
     * {@value #DEEPEST}, is written as one text and counted in {@link #textsForJson()}.
     */
    void raw(String json) {
        char c = json.isEmpty() ? 'n' : json.charAt(0);
        if (c != '{' && c != '[' && c != '"') {
            scalar(json);
            return;
        }
        int size = out.size();
        int outside = depth;
        boolean before = first;
        try (JsonParser parser = LENIENT.createParser(json)) {
            parser.nextToken();
            copy(parser);
        } catch (IOException e) {
            out.truncate(size);
            depth = outside;
            first = before;
            textForJson(json);
        }
    }

    private void scalar(String json) {
        switch (json) {
            case "" -> plain("null");
            case "true", "false", "null" -> plain(json);
            case "NaN", "Infinity", "-Infinity" -> nonFinite(json);
            case "nan" -> nonFinite("NaN");
            case "inf" -> nonFinite("Infinity");
            default -> number(json);
        }
    }

    /** A number as it is spelled; what JSON does not call one becomes a text. */
    private void number(String json) {
        if (JsonCursor.isNumber(json)) {
            plain(json);
        } else {
            textForJson(json);
        }
    }

    private void textForJson(String json) {
        textsForJson++;
        text(json);
    }

    /** How many values that were no JSON have been written as texts. */
    long textsForJson() {
        return textsForJson;
    }

    private void copy(JsonParser parser) throws IOException {
        int nested = 0;
        do {
            JsonToken token = parser.currentToken();
            if (token == null) {
                throw new EOFException();
            }
            if (token == JsonToken.FIELD_NAME) {
                key(parser.currentName());
                parser.nextToken();
                token = parser.currentToken();
            } else if (nested > 0 && !token.isStructEnd()) {
                element();
            }
            switch (token) {
                case START_OBJECT, START_ARRAY -> {
                    open(token == JsonToken.START_OBJECT ? '{' : '[');
                    nested++;
                }
                case END_OBJECT, END_ARRAY -> {
                    close(token == JsonToken.END_OBJECT ? '}' : ']');
                    nested--;
                }
                case VALUE_STRING -> text(parser.getText());
                default -> scalar(parser.getText());
            }
        } while (nested > 0 && parser.nextToken() != null);
    }

    /** The text in quotes, as ASCII. Half a pair of surrogates, which is no character, becomes U+FFFD. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                default -> {
                    if (c >= ' ' && c < 127) {
                        quoted.append(c);
                    } else {
                        escape(isHalf(text, i) ? REPLACEMENT : c, quoted);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    private static void escape(char c, StringBuilder into) {
        into.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            into.append(Character.forDigit(c >> shift & 0xF, 16));
        }
    }

    private static boolean isHalf(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
