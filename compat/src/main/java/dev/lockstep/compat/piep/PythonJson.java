// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.write.Numbers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Spells values as Python's {@code json.dumps} and {@code str} do. */
final class PythonJson {
    /** Deeper values stand on one line: their indentation would outgrow them. */
    private static final int WIDEST = 2000;

    private static final String HEX = "0123456789abcdef";

    private PythonJson() {}

    /** {@code json.dumps(value)}. */
    static String dumps(Json value) {
        StringBuilder out = new StringBuilder();
        write(value, out, ", ", ": ", false);
        return out.toString();
    }

    /** {@code json.dumps(value, sort_keys=True, separators=(",", ":"))}. */
    static String canonical(Json value) {
        StringBuilder out = new StringBuilder();
        write(value, out, ",", ":", true);
        return out.toString();
    }

    /** {@code json.dumps(text)}. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        quote(text, out);
        return out.toString();
    }

    /** {@code json.dumps(value, indent=2)}. */
    static String indented(Json value, boolean sorted) {
        StringBuilder out = new StringBuilder();
        indent(value, out, "\n", sorted);
        return out.toString();
    }

    /** {@code repr} of a number that was read from JSON. */
    static String number(Json.Numeral numeral) {
        if (numeral.isWhole()) {
            return numeral.text().equals("-0") ? "0" : numeral.text();
        }
        double value = numeral.value();
        return Double.isFinite(value)
                ? Numbers.python(value)
                : Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }

    /** Appends a value. Depth costs memory, not stack. */
    private static void write(Json value, StringBuilder out, String comma, String colon, boolean sorted) {
        Deque<Object> left = new ArrayDeque<>(List.of(value)); // values, and the signs and names between them
        while (!left.isEmpty()) {
            switch (left.pop()) {
                case Json.Text(String text) -> quote(text, out);
                case Json.Numeral numeral -> out.append(number(numeral));
                case Json.Truth(boolean truth) -> out.append(truth);
                case Json.Nothing nothing -> out.append("null");
                case Json.Items(List<Json> items) -> {
                    out.append('[');
                    left.push("]");
                    for (int i = items.size() - 1; i >= 0; i--) {
                        left.push(items.get(i));
                        left.push(i > 0 ? comma : "");
                    }
                }
                case Json.Members members -> {
                    out.append('{');
                    left.push("}");
                    List<Map.Entry<String, Json>> entries =
                            List.copyOf(order(members, sorted).entrySet());
                    for (int i = entries.size() - 1; i >= 0; i--) {
                        left.push(entries.get(i).getValue());
                        left.push((i > 0 ? comma : "") + quoted(entries.get(i).getKey()) + colon);
                    }
                }
                case Object sign -> out.append(sign);
            }
        }
    }

    private static void indent(Json value, StringBuilder out, String line, boolean sorted) {
        String deeper = line + "  ";
        switch (value) {
            case Json.Items(List<Json> items)
            when !items.isEmpty() && line.length() < WIDEST -> {
                String separator = "[";
                for (Json item : items) {
                    indent(item, out.append(separator).append(deeper), deeper, sorted);
                    separator = ",";
                }
                out.append(line).append(']');
            }
            case Json.Members members
            when !members.members().isEmpty() && line.length() < WIDEST -> {
                String separator = "{";
                for (Map.Entry<String, Json> member : order(members, sorted).entrySet()) {
                    quote(member.getKey(), out.append(separator).append(deeper));
                    indent(member.getValue(), out.append(": "), deeper, sorted);
                    separator = ",";
                }
                out.append(line).append('}');
            }
            default -> write(value, out, ", ", ": ", sorted);
        }
    }

    private static Map<String, Json> order(Json.Members members, boolean sorted) {
        return sorted ? new TreeMap<>(members.members()) : members.members();
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c >= ' ' && c <= 127) {
                        out.append(c);
                    } else {
                        out.append("\\u");
                        for (int shift = 12; shift >= 0; shift -= 4) {
                            out.append(HEX.charAt(c >> shift & 15));
                        }
                    }
                }
            }
        }
        out.append('"');
    }
}
