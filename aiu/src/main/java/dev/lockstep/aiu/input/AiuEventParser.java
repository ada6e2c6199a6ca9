// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.read.flex.EventKeys;
import dev.lockstep.read.flex.WholeNumber;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event from JSON. The cursor may run out of text within the event; then {@link #read} is called again from
 * its beginning.
 */
final class AiuEventParser {
    private static final AiuName NAMELESS = new AiuName("");

    /** Microseconds that no time reaches, so that sums and differences of times are numbers. */
    private static final double BEYOND_TIME = Long.MAX_VALUE;

    private static final String[] COUNTERS = {"TS1", "TS2", "TS3", "TS4", "TS5", "Power"};

    private final TraceTexts texts;
    private final boolean keepSpelling;
    private final boolean verbatim;
    private final long[] counters = new long[COUNTERS.length];
    private final boolean[] counted = new boolean[COUNTERS.length];
    private final @Nullable Object[] given = new @Nullable Object[COUNTERS.length];

    /** Whether the event read last has a member that events need but of another kind: an object as name, a time without end. */
    boolean damaged;

    /**
     * @param keepSpelling whether counters are also kept as they are spelled
     * @param verbatim whether events stay as they are: ends have arguments, though those of their begins count, {@code attr} is
     *     a member as others are, and counters are arguments as others are
     */
    AiuEventParser(TraceTexts texts, boolean keepSpelling, boolean verbatim) {
        this.texts = texts;
        this.keepSpelling = keepSpelling;
        this.verbatim = verbatim;
    }

    /** The event at the cursor; its phase is 0 when it has none. */
    AiuEvent read(JsonCursor c) throws Stop {
        AiuEvent event = new AiuEvent('\0', NAMELESS);
        damaged = false;
        Arrays.fill(counted, false);
        Arrays.fill(given, null);
        c.take('{', "an event");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            int from = c.start;
            int to = c.end;
            String odd = c.encoded ? c.text() : null;
            member(c, event, from, to, odd);
        }
        attachDevice(event);
        return event;
    }

    private void member(JsonCursor c, AiuEvent event, int from, int to, @Nullable String odd) throws Stop {
        EventKeys key = odd == null ? EventKeys.of(c.buffer, from, to) : EventKeys.OTHER;
        if (key == EventKeys.ARGS || key == EventKeys.ATTR && !verbatim) {
            if (c.peek() == '{') {
                event.attr |= key == EventKeys.ATTR;
                arguments(c, event);
                return;
            }
        } else if (key == EventKeys.CAT && c.peek() == '"') {
            c.string();
            event.category = texts.text(c);
            return;
        }
        switch (key) {
            case NAME -> name(c, event);
            case TS -> event.ts = number(c);
            case PH -> phase(c, event);
            case PID -> process(c, event);
            case TID -> thread(c, event);
            case DUR -> event.dur = number(c);
            case CAT, ARGS, ATTR, ID, OTHER ->
                other(event, odd == null ? texts.key(c.buffer, from, to) : odd, value(c));
        }
    }

    private void phase(JsonCursor c, AiuEvent event) throws Stop {
        if (c.peek() != '"') {
            c.skip();
            damaged = true;
            return;
        }
        c.string();
        boolean single = c.end - c.start == 1;
        event.phase = single ? (char) c.buffer[c.start] : '?';
    }

    private void name(JsonCursor c, AiuEvent event) throws Stop {
        if (c.peek() == '"') {
            c.string();
            event.name = texts.name(c);
        } else {
            int from = c.skip();
            event.name = texts.named(new String(c.buffer, from, c.pos - from, StandardCharsets.UTF_8));
        }
    }

    private void process(JsonCursor c, AiuEvent event) throws Stop {
        event.hasPid = true;
        long value = identifier(c);
        if (value != WholeNumber.NONE) {
            event.pid = value;
        } else {
            other(event, "pid", lastIdentifier);
        }
    }

    private void thread(JsonCursor c, AiuEvent event) throws Stop {
        event.hasTid = true;
        long value = identifier(c);
        if (value != WholeNumber.NONE) {
            event.tid = value;
            event.wideTid = wide;
        } else {
            other(event, "tid", lastIdentifier);
        }
    }

    private static void other(AiuEvent event, String key, Object value) {
        if (event.other == null) {
            event.other = new Args();
        }
        event.other.put(key, value);
    }

    private Object lastIdentifier = "";
    private boolean wide;

    /** The number of a process or thread, {@link WholeNumber#NONE} for a text, which is {@link #lastIdentifier}. */
    private long identifier(JsonCursor c) throws Stop {
        wide = false;
        int kind = c.peek();
        int first = c.skip();
        boolean quoted = kind == '"';
        int from = quoted ? c.start : first;
        int to = quoted ? c.end : c.pos;
        long value = WholeNumber.parse(c.buffer, from, to);
        if (value != WholeNumber.NONE) {
            return value;
        }
        if (WholeNumber.isWide(c.buffer, from, to)) {
            long unsigned = WholeNumber.wide(c.buffer, from, to);
            wide = unsigned < 0;
            return unsigned;
        }
        double number = quoted ? Double.NaN : JsonDoubles.parse(c.buffer, from, to);
        if (!Double.isNaN(number)) {
            return (long) number;
        }
        lastIdentifier = quoted ? texts.text(c) : raw(c, first);
        return WholeNumber.NONE;
    }

    private double number(JsonCursor c) throws Stop {
        int kind = c.peek();
        int from = c.skip();
        double value =
                kind == '"' ? JsonDoubles.parse(c.buffer, c.start, c.end) : JsonDoubles.parse(c.buffer, from, c.pos);
        damaged |= !(Math.abs(value) < BEYOND_TIME);
        return value;
    }

    private void arguments(JsonCursor c, AiuEvent event) throws Stop {
        event.hasArgs = true;
        if (event.phase == 'E' && !verbatim) {
            c.skip();
            return;
        }
        c.take('{', "arguments");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            int from = c.start;
            int to = c.end;
            String odd = c.encoded ? c.text() : null;
            int counter = odd == null && !verbatim ? EventKeys.counter(c.buffer, from, to) : -1;
            if (counter >= 0) {
                count(c, counter);
            } else {
                event.put(odd == null ? texts.key(c.buffer, from, to) : odd, value(c));
            }
        }
    }

    private void count(JsonCursor c, int counter) throws Stop {
        int kind = c.peek();
        int first = c.skip();
        int from = kind == '"' ? c.start : first;
        int to = kind == '"' ? c.end : c.pos;
        long value = WholeNumber.parse(c.buffer, from, to);
        counted[counter] = value != WholeNumber.NONE;
        counters[counter] = value;
        if (!counted[counter] || keepSpelling) {
            given[counter] = kind == '"' ? texts.text(c) : raw(c, first);
        } else {
            given[counter] = COUNTERS[counter];
        }
    }

    /** All five counters make an event one of the device; fewer are plain arguments. */
    private void attachDevice(AiuEvent event) {
        boolean complete = true;
        for (int i = 0; i < DeviceTimes.COUNT; i++) {
            complete &= counted[i];
        }
        for (int i = 0; i < COUNTERS.length; i++) {
            Object value = given[i];
            if (value != null && !(complete && counted[i])) {
                event.put(COUNTERS[i], counted[i] ? Long.toString(counters[i]) : value);
            }
        }
        if (!complete) {
            return;
        }
        DeviceTimes device = new DeviceTimes();
        System.arraycopy(counters, 0, device.cycles, 0, DeviceTimes.COUNT);
        device.power = counted[EventKeys.POWER] ? counters[EventKeys.POWER] : -1;
        if (keepSpelling) {
            String[] spelling = new String[COUNTERS.length];
            for (int i = 0; i < COUNTERS.length; i++) {
                spelling[i] = counted[i] && given[i] instanceof String text ? text : Long.toString(counters[i]);
            }
            device.spelling = spelling;
        }
        event.device = device;
    }

    private Object value(JsonCursor c) throws Stop {
        int kind = c.peek();
        int from = c.skip();
        if (kind == '"') {
            return texts.text(c);
        }
        if (kind == 't' || kind == 'f') {
            return kind == 't';
        }
        if (kind == '-' || kind >= '0' && kind <= '9') {
            long whole = WholeNumber.parse(c.buffer, from, c.pos);
            if (whole != WholeNumber.NONE) {
                return whole;
            }
            double value = JsonDoubles.parse(c.buffer, from, c.pos);
            if (isFractional(c.buffer, from, c.pos) && Double.isFinite(value)) {
                return value;
            }
        }
        return raw(c, from);
    }

    private static boolean isFractional(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] == '.' || (b[i] | 0x20) == 'e') {
                return true;
            }
        }
        return false;
    }

    private static RawJson raw(JsonCursor c, int from) {
        return new RawJson(new String(c.buffer, from, c.pos - from, StandardCharsets.UTF_8));
    }
}
