// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_BOOL;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_DOUBLE;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_ELEMENT;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_INT;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_STRING_IID;
import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_UINT;
import static dev.lockstep.codec.PerfettoFormat.EVENT_ANNOTATION;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.ProtoBuffer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns arguments, which are members of a JSON object, into debug annotations: numbers, truth values and strings as
 * such, lists of whole numbers as arrays, all other structures as JSON text, which is interned and so takes next to no
 * room where it repeats.
 */
final class DebugAnnotations {
    /** Longer lists go as text. */
    private static final int LONGEST_ARRAY = 16;

    private static final int MOST_DIGITS = 18;
    private static final int MOST_DIGITS_OF_ALL = 20;

    private static final int ANY_NAME = 1;

    private final Interned interned;
    private final JsonCursor cursor = new JsonCursor();
    private final ProtoBuffer annotation = new ProtoBuffer();
    private final ProtoBuffer alone = new ProtoBuffer();
    private final long[] numbers = new long[LONGEST_ARRAY];
    private final int[] replacedPlaces = {-1, -1};
    private final long[] replacements = new long[2];
    private byte[] scratch = new byte[1 << 12];
    private byte[] text = scratch;
    private int end;

    DebugAnnotations(Interned interned) {
        this.interned = interned;
    }

    /** Adds annotations for the members in this range: sound JSON, without white space outside of values. */
    void add(byte[] source, int from, int to, ProtoBuffer event) {
        add(source, from, to, false, event);
    }

    /** As {@link #add(byte[], int, int, ProtoBuffer)}, for members that are fields of the event itself. */
    void addFields(byte[] source, int from, int to, ProtoBuffer event) {
        add(source, from, to, true, event);
    }

    private void add(byte[] source, int from, int to, boolean fields, ProtoBuffer event) {
        if (from == to) {
            return;
        }
        int p = begin(source, from, to);
        int shift = p - from;
        try {
            while (true) {
                cursor.pos = p;
                cursor.string();
                int name = fields
                        ? interned.field(text, cursor.start, cursor.end)
                        : interned.argument(text, cursor.start, cursor.end);
                p = cursor.pos + 1;
                p = p - shift == replacedPlaces[0]
                        ? replaced(p, name, 0, event)
                        : p - shift == replacedPlaces[1] ? replaced(p, name, 1, event) : value(p, name, event);
                if (p >= end) {
                    replacedPlaces[0] = -1;
                    replacedPlaces[1] = -1;
                    return;
                }
                p++;
            }
        } catch (Stop e) {
            throw unsound(source, from, to, e);
        }
    }

    /**
     * States that the value at this place of the next range is another number.
     *
     * @param place first byte of the value
     */
    void replace(int place, long value) {
        if (replacedPlaces[0] < 0) {
            replacedPlaces[0] = place;
            replacements[0] = value;
        } else {
            replacedPlaces[1] = place;
            replacements[1] = value;
        }
    }

    /** Adds an annotation that is a string of plain characters. */
    void add(String name, String value, ProtoBuffer event) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        int number = interned.string(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length);
        string(number(name), number, event);
    }

    /** Adds an annotation that is a whole number. */
    void add(String name, long value, ProtoBuffer event) {
        whole(number(name), value, event);
    }

    /** The number of the name that these bytes are, with the escapes of JSON; eight more bytes must be readable. */
    int name(byte[] source, int from, int to) {
        return interned.argument(source, from, to);
    }

    /** Adds an annotation of this name for the value that this range is. */
    void value(byte[] source, int from, int to, int name, ProtoBuffer event) {
        try {
            value(begin(source, from, to), name, event);
        } catch (Stop e) {
            throw unsound(source, from, to, e);
        }
    }

    /** What the annotation of this value has behind its name. */
    byte[] behindName(byte[] source, int from, int to) {
        alone.clear();
        value(source, from, to, ANY_NAME, alone);
        byte[] made = alone.bytes();
        int p = 1;
        while (made[p] < 0) { // the annotation's length
            p++;
        }
        return Arrays.copyOfRange(
                made,
                p + 1 + ProtoBuffer.length(ANNOTATION_NAME_IID << 3) + ProtoBuffer.length(ANY_NAME),
                alone.size());
    }

    private static IllegalArgumentException unsound(byte[] source, int from, int to, Stop cause) {
        return new IllegalArgumentException(new String(source, from, to - from, StandardCharsets.UTF_8), cause);
    }

    /** Looks at a range, in its place if the array goes on behind it. */
    private int begin(byte[] source, int from, int to) {
        int length = to - from;
        if (to + JsonCursor.SLACK <= source.length) {
            text = source;
            end = to;
            cursor.set(text, from, to + 1);
            return from;
        }
        if (scratch.length < length + JsonCursor.SLACK) {
            scratch = new byte[length * 2 + JsonCursor.SLACK];
        }
        System.arraycopy(source, from, scratch, 0, length);
        Arrays.fill(scratch, length, length + JsonCursor.SLACK, (byte) 0);
        text = scratch;
        end = length;
        cursor.set(text, 0, length + 1);
        return 0;
    }

    /** Adds another number instead of the value here, a number or a text; returns the place behind it. */
    private int replaced(int from, int name, int which, ProtoBuffer event) throws Stop {
        whole(name, replacements[which], event);
        if (text[from] == '"') {
            cursor.pos = from;
            cursor.string();
            return cursor.pos;
        }
        int p = from;
        while (p < end && text[p] != ',' && text[p] > ' ') {
            p++;
        }
        return p;
    }

    private int number(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return interned.argument(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length);
    }

    /** Adds the value that begins here; returns the place behind it. */
    private int value(int from, int name, ProtoBuffer event) throws Stop {
        int c = text[from];
        if (c == '-' || c >= '0' && c <= '9') {
            return number(from, name, event);
        }
        other(from, c, name, event);
        return cursor.pos;
    }

    private void other(int from, int c, int name, ProtoBuffer event) throws Stop {
        cursor.pos = from;
        if (c == '"') {
            cursor.string();
            string(name, interned.string(text, cursor.start, cursor.end), event);
        } else if (c == '[') {
            list(from, name, event);
        } else {
            cursor.skip();
            if (c == 't' || c == 'f') {
                event.pair(EVENT_ANNOTATION, ANNOTATION_NAME_IID, name, ANNOTATION_BOOL, c == 't' ? 1 : 0);
            } else {
                string(name, interned.structure(text, from, cursor.pos), event);
            }
        }
    }

    private int number(int from, int name, ProtoBuffer event) {
        byte[] b = text;
        boolean negative = b[from] == '-';
        int digits = negative ? from + 1 : from;
        int p = digits;
        long value = 0;
        int c = b[p];
        while (c >= '0' && c <= '9') {
            value = value * 10 + c - '0';
            c = b[++p];
        }
        if (p - digits <= MOST_DIGITS && p <= end && c != '.' && c != 'e' && c != 'E') {
            whole(name, negative ? -value : value, event);
            return p;
        }
        return longNumber(from, digits, name, event);
    }

    private int longNumber(int from, int digits, int name, ProtoBuffer event) {
        byte[] b = text;
        int p = digits;
        while (p < end && b[p] >= '0' && b[p] <= '9') {
            p++;
        }
        int c = p < end ? b[p] : ',';
        int wholeDigits = p - digits;
        while (p < end && b[p] != ',' && b[p] > ' ') {
            p++;
        }
        String spelt = new String(b, from, p - from, StandardCharsets.US_ASCII);
        boolean whole = c != '.' && c != 'e' && c != 'E' && wholeDigits <= MOST_DIGITS_OF_ALL;
        if (whole) {
            large(name, new BigInteger(spelt), event);
        } else {
            fraction(name, Double.parseDouble(spelt), event);
        }
        return p;
    }

    /** Adds an annotation that is a whole number. */
    static void whole(int name, long value, ProtoBuffer event) {
        event.pair(EVENT_ANNOTATION, ANNOTATION_NAME_IID, name, ANNOTATION_INT, value);
    }

    private static void string(int name, int number, ProtoBuffer event) {
        event.pair(EVENT_ANNOTATION, ANNOTATION_NAME_IID, name, ANNOTATION_STRING_IID, number);
    }

    private void fraction(int name, double value, ProtoBuffer event) {
        annotation.clear();
        annotation.field(ANNOTATION_NAME_IID, name);
        annotation.field(ANNOTATION_DOUBLE, value);
        event.message(EVENT_ANNOTATION, annotation);
    }

    /** A whole number of many digits: as such if it has room in 64 bits, with or without a sign. */
    private void large(int name, BigInteger value, ProtoBuffer event) {
        boolean unsigned = value.signum() > 0 && value.bitLength() == Long.SIZE;
        if (!unsigned && value.bitLength() >= Long.SIZE) {
            fraction(name, value.doubleValue(), event);
            return;
        }
        annotation.clear();
        annotation.field(ANNOTATION_NAME_IID, name);
        annotation.field(unsigned ? ANNOTATION_UINT : ANNOTATION_INT, value.longValue());
        event.message(EVENT_ANNOTATION, annotation);
    }

    private void list(int from, int name, ProtoBuffer event) throws Stop {
        int count = wholeNumbers(from);
        if (count <= 0) {
            cursor.skip();
            string(name, interned.structure(text, from, cursor.pos), event);
            return;
        }
        annotation.clear();
        annotation.field(ANNOTATION_NAME_IID, name);
        for (int i = 0; i < count; i++) {
            annotation.begin(ANNOTATION_ELEMENT, 1 + ProtoBuffer.length(numbers[i]));
            annotation.field(ANNOTATION_INT, numbers[i]);
        }
        event.message(EVENT_ANNOTATION, annotation);
    }

    /** How many whole numbers the list has, all of it taken; -1 when there is anything else in it or too much. */
    private int wholeNumbers(int bracket) {
        byte[] b = text;
        int p = bracket + 1;
        int count = 0;
        while (true) {
            while (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
                p++;
            }
            boolean negative = b[p] == '-';
            int from = negative ? ++p : p;
            long value = 0;
            while (b[p] >= '0' && b[p] <= '9') {
                value = value * 10 + b[p++] - '0';
            }
            if (p == from || p - from > MOST_DIGITS || count == LONGEST_ARRAY) {
                return -1;
            }
            numbers[count++] = negative ? -value : value;
            while (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
                p++;
            }
            if (b[p] == ']') {
                cursor.pos = p + 1;
                return count;
            }
            if (b[p++] != ',') {
                return -1;
            }
        }
    }
}
