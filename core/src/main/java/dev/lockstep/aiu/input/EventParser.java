// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.EventName;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event from JSON. The cursor may run out of text within the event; then {@link #read} is called again from
 * its beginning.
 */
final class EventParser {
    private static final EventName NAMELESS = new EventName("");
    private static final int POWER = DeviceTimes.COUNT;
    private static final String[] COUNTERS = {"TS1", "TS2", "TS3", "TS4", "TS5", "Power"};

    private final TraceTexts texts;
    private final boolean keepSpelling;
    private final long[] counters = new long[COUNTERS.length];
    private final boolean[] counted = new boolean[COUNTERS.length];
    private final @Nullable Object[] given = new @Nullable Object[COUNTERS.length];

    /** Whether the event read last has a member that events need but of another kind: an object as name, say. */
    boolean damaged;

    /** Whether the event read last has a name. */
    boolean named;

    EventParser(TraceTexts texts, boolean keepSpelling) {
        this.texts = texts;
        this.keepSpelling = keepSpelling;
    }

    /** The event at the cursor; its phase is 0 when it has none. */
    AiuEvent read(JsonCursor c) throws Stop {
        AiuEvent event = new AiuEvent('\0', NAMELESS);
        damaged = false;
        named = false;
        Arrays.fill(counted, false);
        Arrays.fill(given, null);
        c.take('{', "an event");
        if (c.peek() == '}') {
            c.pos++;
            return event;
        }
        while (true) {
            if (c.peek() != '"') {
                throw c.malformed(c.pos, "a key in quotes");
            }
            c.string();
            int from = c.start;
            int to = c.end;
            String odd = c.encoded ? c.text() : null;
            c.take(':', "':' after a key");
            member(c, event, from, to, odd);
            if (c.peek() == ',') {
                c.pos++;
                continue;
            }
            c.take('}', "',' or '}' after a value");
            break;
        }
        attachDevice(event);
        return event;
    }

    private void member(JsonCursor c, AiuEvent event, int from, int to, @Nullable String odd) throws Stop {
        byte[] b = c.buffer;
        int length = odd == null ? to - from : -1;
        switch (length) {
            case 2 -> {
                if (is(b, from, "ph")) {
                    phase(c, event);
                    return;
                }
                if (is(b, from, "ts")) {
                    event.ts = number(c);
                    return;
                }
            }
            case 3 -> {
                if (is(b, from, "pid")) {
                    process(c, event);
                    return;
                }
                if (is(b, from, "tid")) {
                    thread(c, event);
                    return;
                }
                if (is(b, from, "dur")) {
                    event.dur = number(c);
                    return;
                }
                if (is(b, from, "cat") && c.peek() == '"') {
                    c.string();
                    event.category = texts.text(c);
                    return;
                }
            }
            case 4 -> {
                if (is(b, from, "name")) {
                    name(c, event);
                    return;
                }
                boolean attr = is(b, from, "attr");
                if ((attr || is(b, from, "args")) && c.peek() == '{') {
                    event.attr |= attr;
                    arguments(c, event);
                    return;
                }
            }
            default -> {}
        }
        String key = odd == null ? key(b, from, to) : odd;
        if (event.other == null) {
            event.other = new Args();
        }
        event.other.put(key, value(c));
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
        named = true;
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
        if (value != PythonInteger.NONE) {
            event.pid = value;
        } else {
            other(event, "pid", lastIdentifier);
        }
    }

    private void thread(JsonCursor c, AiuEvent event) throws Stop {
        event.hasTid = true;
        long value = identifier(c);
        if (value != PythonInteger.NONE) {
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

    /** The number of a process or thread, {@link PythonInteger#NONE} for a text, which is {@link #lastIdentifier}. */
    private long identifier(JsonCursor c) throws Stop {
        wide = false;
        int kind = c.peek();
        int from = c.skip();
        int to = c.pos;
        if (kind == '"') {
            lastIdentifier = texts.text(c);
            from = c.start;
            to = c.end;
        } else if (kind == '{' || kind == '[') {
            lastIdentifier = raw(c, from);
            return PythonInteger.NONE;
        } else {
            lastIdentifier = raw(c, from);
        }
        long value = PythonInteger.parse(c.buffer, from, to);
        if (value != PythonInteger.NONE) {
            return value;
        }
        String text = new String(c.buffer, from, to - from, StandardCharsets.UTF_8);
        if (text.matches("[0-9]{19,20}")) {
            try {
                long unsigned = Long.parseUnsignedLong(text);
                wide = unsigned < 0;
                return unsigned;
            } catch (NumberFormatException e) {
                return PythonInteger.NONE;
            }
        }
        if (kind != '"') {
            double number = JsonDoubles.parse(c.buffer, from, to);
            return Double.isNaN(number) ? PythonInteger.NONE : (long) number;
        }
        return PythonInteger.NONE;
    }

    private double number(JsonCursor c) throws Stop {
        int kind = c.peek();
        int from = c.skip();
        double value =
                kind == '"' ? JsonDoubles.parse(c.buffer, c.start, c.end) : JsonDoubles.parse(c.buffer, from, c.pos);
        damaged |= Double.isNaN(value);
        return value;
    }

    private void arguments(JsonCursor c, AiuEvent event) throws Stop {
        c.take('{', "arguments");
        event.hasArgs = true;
        if (c.peek() == '}') {
            c.pos++;
            return;
        }
        while (true) {
            if (c.peek() != '"') {
                throw c.malformed(c.pos, "a key in quotes");
            }
            c.string();
            int from = c.start;
            int to = c.end;
            String odd = c.encoded ? c.text() : null;
            c.take(':', "':' after a key");
            int counter = odd == null ? counter(c.buffer, from, to) : -1;
            if (counter >= 0) {
                count(c, counter);
            } else {
                String key = odd == null ? key(c.buffer, from, to) : odd;
                event.put(key, value(c));
            }
            if (c.peek() == ',') {
                c.pos++;
                continue;
            }
            c.take('}', "',' or '}' after a value");
            return;
        }
    }

    private static int counter(byte[] b, int from, int to) {
        if (to - from == 3 && b[from] == 'T' && b[from + 1] == 'S') {
            int number = b[from + 2] - '1';
            return number >= 0 && number < DeviceTimes.COUNT ? number : -1;
        }
        return to - from == 5 && is(b, from, "Power") ? POWER : -1;
    }

    private void count(JsonCursor c, int counter) throws Stop {
        int kind = c.peek();
        int first = c.skip();
        int from = kind == '"' ? c.start : first;
        int to = kind == '"' ? c.end : c.pos;
        long value = PythonInteger.parse(c.buffer, from, to);
        counted[counter] = value != PythonInteger.NONE;
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
        device.power = counted[POWER] ? counters[POWER] : -1;
        if (keepSpelling) {
            String[] spelling = new String[COUNTERS.length];
            for (int i = 0; i < COUNTERS.length; i++) {
                spelling[i] = counted[i] && given[i] instanceof String text ? text : Long.toString(counters[i]);
            }
            device.spelling = spelling;
        }
        event.device = device;
    }

    private String key(byte[] b, int from, int to) {
        return texts.key(b, from, to);
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
            long whole = PythonInteger.parse(c.buffer, from, c.pos);
            if (whole != PythonInteger.NONE) {
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

    private static boolean is(byte[] b, int from, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (b[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
