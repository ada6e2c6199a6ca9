// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes JSON as Python's {@code json.dump} with four blanks of indentation: ASCII, shortest numbers. */
final class IndentedJson implements AutoCloseable {
    private static final int BLOCK = 1 << 16;
    private static final int CACHED = 1 << 16;
    private static final byte[][] BREAKS = new byte[12][];

    static {
        for (int depth = 0; depth < BREAKS.length; depth++) {
            BREAKS[depth] = ("\n" + "    ".repeat(depth)).getBytes(StandardCharsets.US_ASCII);
        }
    }

    private final OutputStream out;
    private final Map<String, byte[]> quoted = new HashMap<>();
    private byte[] buffer = new byte[BLOCK * 2];
    private int size;
    private int depth;
    private boolean first = true;

    IndentedJson(OutputStream out) {
        this.out = out;
    }

    IndentedJson open(char bracket) {
        put((byte) bracket);
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
        put((byte) bracket);
    }

    /** Begins an element of a list. */
    void element() {
        if (!first) {
            put((byte) ',');
        }
        first = false;
        line();
    }

    IndentedJson key(String key) {
        element();
        put(bytes(key));
        put((byte) ':');
        put((byte) ' ');
        return this;
    }

    private void line() {
        put(depth < BREAKS.length ? BREAKS[depth] : ("\n" + "    ".repeat(depth)).getBytes(StandardCharsets.US_ASCII));
    }

    void text(String text) {
        put(bytes(text));
    }

    void number(long value) {
        plain(Long.toString(value));
    }

    /** A number as text. */
    void quotedNumber(long value) {
        put((byte) '"');
        number(value);
        put((byte) '"');
    }

    void number(double value) {
        if (Double.isNaN(value)) {
            plain("NaN");
        } else if (Double.isInfinite(value)) {
            plain(value < 0 ? "-Infinity" : "Infinity");
        } else {
            plain(Numbers.python(value));
        }
    }

    void plain(String ascii) {
        int length = ascii.length();
        room(length);
        for (int i = 0; i < length; i++) {
            buffer[size + i] = (byte) ascii.charAt(i);
        }
        size += length;
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

    /** JSON text in the layout of the rest. */
    void raw(String json) {
        char c = json.isEmpty() ? 'n' : json.charAt(0);
        if (c != '{' && c != '[' && c != '"') {
            plain(json.isEmpty() ? "null" : json);
            return;
        }
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            copy(parser);
        } catch (IOException e) {
            text(json);
        }
    }

    private void copy(JsonParser parser) throws IOException {
        int nested = 0;
        do {
            JsonToken token = parser.currentToken();
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
                default -> plain(parser.getText());
            }
        } while (nested > 0 && parser.nextToken() != null);
    }

    private byte[] bytes(String text) {
        byte[] known = quoted.get(text);
        if (known == null) {
            known = quote(text);
            if (quoted.size() < CACHED) {
                quoted.put(text, known);
            }
        }
        return known;
    }

    private static byte[] quote(String text) {
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
                        quoted.append("\\u");
                        for (int shift = 12; shift >= 0; shift -= 4) {
                            quoted.append(Character.forDigit(c >> shift & 0xF, 16));
                        }
                    }
                }
            }
        }
        return quoted.append('"').toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void put(byte b) {
        room(1);
        buffer[size++] = b;
    }

    private void put(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    private void room(int length) {
        if (size + length <= buffer.length) {
            return;
        }
        flush();
        if (length > buffer.length) {
            buffer = Arrays.copyOf(buffer, length);
        }
    }

    private void flush() {
        try {
            out.write(buffer, 0, size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        size = 0;
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.write(buffer, 0, size);
            size = 0;
        }
    }
}
