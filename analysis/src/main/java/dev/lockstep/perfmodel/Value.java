// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.codec.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An argument or a parameter of a call. */
public sealed interface Value {
    /** Nothing. */
    Value NONE = new None();

    /** A list or tuple of nothing. */
    Value EMPTY = new Sequence(List.of(), true);

    /** Appends the value as JSON, with one space after comma and colon. */
    void json(StringBuilder out);

    /** The value as JSON. */
    String json();

    static Value of(long value) {
        return new Int(value);
    }

    static Value of(double value) {
        return new Real(value);
    }

    static Value of(boolean value) {
        return new Bool(value);
    }

    static Value of(String value) {
        return new Text(value);
    }

    /** A tuple of integers. */
    static Value tuple(long... values) {
        return new Sequence(Arrays.stream(values).mapToObj(Value::of).toList(), true);
    }

    /** A tuple. */
    static Value tuple(Value... values) {
        return new Sequence(List.of(values), true);
    }

    /** A list, which Python spells with brackets. */
    static Value list(List<Value> values) {
        return new Sequence(values, false);
    }

    /** Nothing: null, None. */
    record None() implements Value {
        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            out.append("null");
        }
    }

    record Bool(boolean value) implements Value {
        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            out.append(value);
        }
    }

    /** An integer. */
    record Int(long value) implements Value {
        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            out.append(value);
        }
    }

    /** A number with a fraction, even if that is zero. What JSON cannot say becomes null. */
    record Real(double value) implements Value {
        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            out.append(Double.isFinite(value) ? Double.toString(value) : "null");
        }
    }

    record Text(String value) implements Value {
        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            JsonText.quote(value, out);
        }
    }

    /**
     * Values in order.
     *
     * @param tuple whether Python would spell it as a tuple, else as a list; JSON knows no difference
     */
    record Sequence(List<Value> values, boolean tuple) implements Value {
        public Sequence {
            values = List.copyOf(values);
        }

        public int size() {
            return values.size();
        }

        public Value get(int i) {
            return values.get(i);
        }

        @Override
        public String json() {
            return spelt(this);
        }

        @Override
        public void json(StringBuilder out) {
            out.append('[');
            for (int i = 0; i < values.size(); i++) {
                values.get(i).json(i > 0 ? out.append(", ") : out);
            }
            out.append(']');
        }
    }

    private static String spelt(Value value) {
        StringBuilder out = new StringBuilder();
        value.json(out);
        return out.toString();
    }

    /** Values of a text that lists them as Python does: {@code [1, 2]}, {@code [True, False]}. */
    static List<Value> listed(String text) {
        String inner = text.strip();
        if (inner.length() < 2 || inner.charAt(0) != '[' && inner.charAt(0) != '(') {
            return List.of(scalar(inner));
        }
        inner = inner.substring(1, inner.length() - 1).strip();
        List<Value> values = new ArrayList<>();
        for (String part : inner.split(",", -1)) {
            if (!part.isBlank()) {
                values.add(scalar(part.strip()));
            }
        }
        return values;
    }

    /** The value that a text spells as Python does: {@code 3}, {@code 0.5}, {@code True}, else the text itself. */
    static Value scalar(String text) {
        switch (text) {
            case "True", "true" -> {
                return of(true);
            }
            case "False", "false" -> {
                return of(false);
            }
            case "None", "null" -> {
                return NONE;
            }
            default -> {
                return Numeral.parse(text);
            }
        }
    }
}
