// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.BitSet;

/**
 * Spells values as Python's {@code repr} does, for readers that parse cells with {@code ast.literal_eval}: single quotes
 * unless the text holds one and no double quote, {@code None}, {@code True}, {@code (1,)} for a tuple of one.
 */
public final class PythonLiteral {
    private static final JsonFactory JSON = CellJson.factory();
    private static final String HEX = "0123456789abcdef";

    private PythonLiteral() {}

    /**
     * The literal of a JSON value. What is no JSON becomes a literal of its text. Depth costs memory, never stack.
     *
     * @param tuples whether arrays become tuples, else lists
     */
    public static String of(String json, boolean tuples) {
        StringBuilder out = new StringBuilder(json.length() + 16);
        try (JsonParser parser = JSON.createParser(json)) {
            write(parser, tuples, out);
            return out.toString();
        } catch (IOException e) {
            return text(json);
        }
    }

    /** The literal of a text. */
    public static String text(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        quote(text, out);
        return out.toString();
    }

    private static void write(JsonParser parser, boolean tuples, StringBuilder out) throws IOException {
        // By depth: whether the value that is open there is an array, holds something, holds exactly one element.
        BitSet array = new BitSet();
        BitSet filled = new BitSet();
        BitSet single = new BitSet();
        int depth = 0;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token.isStructEnd()) {
                depth--;
                out.append(token == JsonToken.END_OBJECT ? "}" : !tuples ? "]" : single.get(depth) ? ",)" : ")");
                continue;
            }
            if (token == JsonToken.FIELD_NAME || (depth > 0 && array.get(depth - 1))) {
                out.append(filled.get(depth - 1) ? ", " : "");
                single.set(depth - 1, !filled.get(depth - 1));
                filled.set(depth - 1);
            }
            if (token.isStructStart()) {
                array.set(depth, token == JsonToken.START_ARRAY);
                filled.clear(depth);
                single.clear(depth);
                depth++;
            }
            switch (token) {
                case START_OBJECT -> out.append('{');
                case START_ARRAY -> out.append(tuples ? '(' : '[');
                case FIELD_NAME -> {
                    quote(parser.currentName(), out);
                    out.append(": ");
                }
                case VALUE_STRING -> quote(parser.getText(), out);
                case VALUE_NUMBER_INT -> out.append(parser.getText());
                case VALUE_NUMBER_FLOAT -> out.append(Numbers.python(Double.parseDouble(parser.getText())));
                case VALUE_TRUE -> out.append("True");
                case VALUE_FALSE -> out.append("False");
                default -> out.append("None");
            }
        }
    }

    private static void quote(String text, StringBuilder out) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        int length = text.length();
        for (int i = 0; i < length; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c == quote) {
                        out.append('\\').append(quote);
                    } else if (isPrintable(c)) {
                        out.appendCodePoint(c);
                    } else if (c < 0x100) {
                        hex(c, 2, out.append("\\x"));
                    } else if (c < 0x10000) {
                        hex(c, 4, out.append("\\u"));
                    } else {
                        hex(c, 8, out.append("\\U"));
                    }
                }
            }
        }
        out.append(quote);
    }

    /** As Python's {@code str.isprintable}. */
    private static boolean isPrintable(int c) {
        if (c < 0x7f) {
            return c >= ' ';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }

    private static void hex(int c, int digits, StringBuilder out) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            out.append(HEX.charAt(c >>> shift & 15));
        }
    }
}
