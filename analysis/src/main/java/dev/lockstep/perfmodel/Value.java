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
        /** As many as no call has that was recorded. */
        private static final int MOST_VALUES = 1 << 16;

        public Sequence {
            values = List.copyOf(values);
        }

        /**
         * What a formula puts together: names that hold each other twice would double again and again.
         *
         * @throws NotModelled when there are too many values, with those of sequences inside
         */
        static Sequence bounded(List<Value> values, boolean tuple) throws NotModelled {
            Sequence sequence = new Sequence(values, tuple);
            if (sequence.countUpTo(MOST_VALUES) == MOST_VALUES) {
                throw NotModelled.unreadable("a formula puts " + MOST_VALUES + " values together");
            }
            return sequence;
        }

        /** Values, with those of sequences inside and these themselves; looks at no more. */
        private int countUpTo(int most) {
            int count = 1;
            for (int i = 0; i < values.size() && count < most; i++) {
                count += values.get(i) instanceof Sequence inner ? inner.countUpTo(most - count) : 1;
            }
            return count;
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
