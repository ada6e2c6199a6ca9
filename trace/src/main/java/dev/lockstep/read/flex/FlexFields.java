// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonText;
import dev.lockstep.model.RecordedText;
import dev.lockstep.table.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The members of one event that mean something; filled anew for each event. Ids are of the pool, -1 for what is absent. */
final class FlexFields {
    private static final String[] ARGUMENTS = {"CollGroup", "Bytes", "bytes", "class", "orig_name", "name", "labels"};

    /** A single letter, 0 when absent or none. */
    int phase;

    int name;
    int category;
    int process;
    int thread;
    boolean hasTs;
    boolean hasDur;
    long ts;
    long dur;
    long id;

    /** Bit i is set when counter TS(i+1) was read. */
    int counted;

    final long[] counters = new long[EventKeys.COUNTERS];
    int group;
    int originalName;
    long bytes;

    /** Whether the pipeline has put the event into a class: then its times are final. */
    boolean processed;

    /** The argument {@code name}, of metadata. */
    int argName;

    int argLabels;

    private final StringPool strings;
    private final @Nullable RecordedText texts;

    /** @param texts takes what has no field; null when it is not to be kept */
    FlexFields(StringPool strings, @Nullable RecordedText texts) {
        this.strings = strings;
        this.texts = texts;
    }

    /** Takes an event; the brace is next. The cursor may run out of text; then this is called again. */
    void read(JsonCursor c) throws Stop {
        clear();
        c.take('{', "'{' of an event");
        for (boolean first = true; c.member(first); first = false) {
            int key = c.pos;
            c.key();
            member(c, key);
        }
    }

    private void clear() {
        phase = 0;
        name = category = process = thread = group = originalName = argName = argLabels = -1;
        hasTs = hasDur = processed = false;
        counted = 0;
        bytes = -1;
        id = -1;
        if (texts != null) {
            texts.clear();
        }
    }

    boolean hasAllCounters() {
        return counted == (1 << EventKeys.COUNTERS) - 1;
    }

    /** The place of a text among names, -1 when it is none of them. */
    private static int place(byte[] b, int from, int length, String[] names) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].length() == length && is(b, from, names[i])) {
                return i;
            }
        }
        return -1;
    }

    private static boolean is(byte[] b, int from, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void member(JsonCursor c, int key) throws Stop {
        EventKeys what = EventKeys.of(c.buffer, c.start, c.end);
        int keyEnd = c.end + 1;
        int next = c.peek();
        switch (what) {
            case NAME -> name = textual(c);
            case TS -> {
                ts = c.nanoseconds();
                hasTs = true;
            }
            case DUR -> {
                dur = c.nanoseconds();
                hasDur = true;
            }
            case PH -> phase = letter(c);
            case PID -> process = textual(c);
            case TID -> thread = textual(c);
            case CAT -> category = textual(c);
            case ARGS, ATTR -> {
                if (next == '{') {
                    arguments(c);
                } else {
                    c.skip();
                }
            }
            case ID, OTHER -> {
                int value = c.pos;
                if (what == EventKeys.ID) {
                    id = c.identifier();
                } else {
                    c.skip();
                }
                if (texts != null && (what != EventKeys.ID || !isArrow())) {
                    texts.field(c.buffer, key, keyEnd, value, c.pos);
                }
            }
        }
    }

    private boolean isArrow() {
        return phase == 's' || phase == 't' || phase == 'f';
    }

    private void arguments(JsonCursor c) throws Stop {
        c.take('{', "'{' of arguments");
        if (texts != null) {
            texts.hasArguments();
        }
        for (boolean first = true; c.member(first); first = false) {
            int key = c.pos;
            c.key();
            int keyStart = c.start;
            int length = c.end - keyStart;
            int keyEnd = c.end + 1;
            c.peek();
            int value = c.pos;
            argument(c, keyStart, length);
            if (texts != null) {
                texts.argument(c.buffer, key, keyEnd, value, c.pos);
            }
        }
    }

    private void argument(JsonCursor c, int key, int length) throws Stop {
        int counter = EventKeys.counter(c.buffer, key, key + length);
        if (counter >= 0 && counter < EventKeys.COUNTERS) {
            long value = number(c);
            if (value != JsonCursor.NOT_A_NUMBER) {
                counters[counter] = value;
                counted |= 1 << counter;
            }
            return;
        }
        switch (place(c.buffer, key, length, ARGUMENTS)) {
            case 0 -> group = textual(c);
            case 1, 2 -> bytes = Math.max(-1, number(c));
            case 3 -> {
                processed = c.peek() == '"';
                c.skip();
            }
            case 4 -> originalName = textual(c);
            case 5 -> argName = textual(c);
            case 6 -> argLabels = textual(c);
            default -> c.skip();
        }
    }

    /** Takes a whole number, plain or as text in any notation. */
    private static long number(JsonCursor c) throws Stop {
        if (c.peek() != '"') {
            return c.integer();
        }
        int from = c.pos;
        c.string();
        long value = WholeNumber.parse(c.buffer, c.start, c.end);
        if (value != WholeNumber.NONE) {
            return value;
        }
        c.pos = from;
        return c.integer();
    }

    private static int letter(JsonCursor c) throws Stop {
        boolean text = c.peek() == '"';
        c.skip();
        return text && c.end - c.start == 1 ? c.buffer[c.start] : 0;
    }

    /** Takes a text or number as text; -1 for anything else. */
    private int textual(JsonCursor c) throws Stop {
        int next = c.peek();
        if (next != '"') {
            int first = c.skip();
            boolean number = next == '-' || next >= '0' && next <= '9';
            return number ? strings.intern(c.buffer, first, c.pos) : -1;
        }
        c.string();
        if (c.encoded) {
            byte[] text = JsonText.decode(c.buffer, c.start, c.end).getBytes(StandardCharsets.UTF_8);
            return strings.intern(Arrays.copyOf(text, text.length + Long.BYTES), 0, text.length);
        }
        return strings.intern(c.buffer, c.start, c.end);
    }
}
