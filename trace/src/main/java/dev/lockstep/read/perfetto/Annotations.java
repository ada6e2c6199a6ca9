// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_BOOL;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_DOUBLE;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_ELEMENT;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_ENTRY;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_INT;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_JSON;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NAME;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NESTED;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_POINTER;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_STRING;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_STRING_IID;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_UINT;
import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.NESTED_BOOL;
import static dev.lockstep.codec.PerfettoFormat.NESTED_DOUBLE;
import static dev.lockstep.codec.PerfettoFormat.NESTED_ELEMENT;
import static dev.lockstep.codec.PerfettoFormat.NESTED_INT;
import static dev.lockstep.codec.PerfettoFormat.NESTED_KEY;
import static dev.lockstep.codec.PerfettoFormat.NESTED_STRING;
import static dev.lockstep.codec.PerfettoFormat.NESTED_VALUE;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads debug annotations, one at a time. What it found stands in its fields until the next one. */
final class Annotations {
    /** What kind of value an annotation has. */
    enum Kind {
        NONE,
        NUMBER,
        DOUBLE,
        BOOL,
        /** {@link #text} is the pool id of a string. */
        STRING,
        /** {@link #text} is the pool id of JSON text. */
        JSON
    }

    private static final int DEEPEST = 100;
    private static final int NO_NAME = -1;

    /** Number of the argument's name, -1 when it has none. */
    int name;

    Kind kind = Kind.NONE;
    long number;
    boolean unsigned;
    int text;
    private final StringBuilder json = new StringBuilder();
    private boolean structured;
    /** Reads the members of this one, if it has any. */
    private @Nullable Annotations inner;

    /** Reads one; the stream ends with it. */
    void read(ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        read(in, sequence, events, 0);
    }

    private void read(ProtoCursor in, Sequence sequence, RankEvents events, int depth) throws Damaged {
        name = NO_NAME;
        kind = Kind.NONE;
        unsigned = false;
        structured = false;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (ANNOTATION_ELEMENT << 3 | BYTES) || tag == (ANNOTATION_ENTRY << 3 | BYTES)) {
                int outer = in.enter();
                member(in, tag >>> 3 == ANNOTATION_ENTRY, sequence, events, depth + 1);
                in.leave(outer);
            } else {
                scalar(in, tag, sequence, events);
            }
        }
        if (structured) {
            json.append(json.charAt(0) == '{' ? '}' : ']');
            kind = Kind.JSON;
            text = events.strings().intern(json.toString());
        }
    }

    private void scalar(ProtoCursor in, int tag, Sequence sequence, RankEvents events) throws Damaged {
        StringPool pool = events.strings();
        switch (tag) {
            case ANNOTATION_NAME_IID << 3 | VARINT -> name = sequence.arguments.get(in.varint());
            case ANNOTATION_NAME << 3 | BYTES -> name = events.argument(in.text());
            case ANNOTATION_INT << 3 | VARINT -> number(in, Kind.NUMBER, false);
            case ANNOTATION_UINT << 3 | VARINT, ANNOTATION_POINTER << 3 | VARINT -> number(in, Kind.NUMBER, true);
            case ANNOTATION_BOOL << 3 | VARINT -> number(in, Kind.BOOL, false);
            case ANNOTATION_DOUBLE << 3 | FIXED64 -> {
                kind = Kind.DOUBLE;
                number = in.fixed64();
            }
            case ANNOTATION_STRING << 3 | BYTES -> {
                kind = Kind.STRING;
                text = pool.intern(in.text());
            }
            case ANNOTATION_STRING_IID << 3 | VARINT -> {
                int value = sequence.strings.get(in.varint());
                kind = value < 0 ? Kind.NONE : (value & 1) != 0 ? Kind.JSON : Kind.STRING;
                text = value >> 1;
            }
            case ANNOTATION_JSON << 3 | BYTES -> {
                String json = in.text();
                kind = JsonValues.isJson(json) ? Kind.JSON : Kind.STRING;
                text = pool.intern(kind == Kind.JSON ? JsonValues.structure(json) : json);
            }
            case ANNOTATION_NESTED << 3 | BYTES -> {
                int outer = in.enter();
                kind = Kind.JSON;
                text = pool.intern(nested(in, 1));
                in.leave(outer);
            }
            default -> in.skipField(tag);
        }
    }

    private void number(ProtoCursor in, Kind what, boolean isUnsigned) throws Damaged {
        kind = what;
        number = in.varint();
        unsigned = isUnsigned;
    }

    /** The value as JSON text. */
    String spelt(StringPool pool) {
        return switch (kind) {
            case NONE -> "null";
            case NUMBER -> unsigned ? Long.toUnsignedString(number) : Long.toString(number);
            case DOUBLE -> JsonValues.number(Double.longBitsToDouble(number));
            case BOOL -> number != 0 ? "true" : "false";
            case STRING -> JsonValues.quoted(pool.get(text));
            case JSON -> pool.get(text);
        };
    }

    /** Adds an element of a list, or an entry of a dictionary, to the text of the structure. */
    private void member(ProtoCursor in, boolean isEntry, Sequence sequence, RankEvents events, int depth)
            throws Damaged {
        StringBuilder into = json;
        boolean entry = structured ? into.charAt(0) == '{' : isEntry;
        if (structured) {
            into.append(", ");
        } else {
            structured = true;
            into.setLength(0);
            into.append(entry ? '{' : '[');
        }
        if (depth > DEEPEST) {
            into.append(entry ? "\"\": null" : "null");
            in.skipRest();
            return;
        }
        if (inner == null) {
            inner = new Annotations();
        }
        Annotations value = inner;
        value.read(in, sequence, events, depth);
        if (entry) {
            into.append(JsonValues.quoted(value.name < 0 ? "" : events.argumentName(value.name)))
                    .append(": ");
        }
        if (value.kind == Kind.NUMBER && !value.unsigned) {
            into.append(value.number);
        } else {
            into.append(value.spelt(events.strings()));
        }
    }

    /** The older way to nest. */
    private static String nested(ProtoCursor in, int depth) throws Damaged {
        List<String> keys = new ArrayList<>();
        List<String> values = new ArrayList<>();
        boolean dictionary = false;
        boolean list = false;
        String scalar = "null";
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case NESTED_KEY << 3 | BYTES -> keys.add(in.text());
                case NESTED_VALUE << 3 | BYTES, NESTED_ELEMENT << 3 | BYTES -> {
                    dictionary |= tag >>> 3 == NESTED_VALUE;
                    list |= tag >>> 3 == NESTED_ELEMENT;
                    int outer = in.enter();
                    if (depth > DEEPEST) {
                        in.skipRest();
                        values.add("null");
                    } else {
                        values.add(nested(in, depth + 1));
                    }
                    in.leave(outer);
                }
                case NESTED_INT << 3 | VARINT -> scalar = Long.toString(in.varint());
                case NESTED_DOUBLE << 3 | FIXED64 -> scalar = JsonValues.number(Double.longBitsToDouble(in.fixed64()));
                case NESTED_BOOL << 3 | VARINT -> scalar = in.varint() != 0 ? "true" : "false";
                case NESTED_STRING << 3 | BYTES -> scalar = JsonValues.quoted(in.text());
                default -> in.skipField(tag);
            }
        }
        if (dictionary) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < Math.min(keys.size(), values.size()); i++) {
                text.append(i == 0 ? "" : ", ")
                        .append(JsonValues.quoted(keys.get(i)))
                        .append(": ")
                        .append(values.get(i));
            }
            return "{" + text + "}";
        }
        return list ? "[" + String.join(", ", values) + "]" : scalar;
    }
}
