// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;

/** The members of one event that mean something; filled anew for each. */
final class SectionEvent {
    static final long ABSENT = JsonCursor.NOT_A_NUMBER;

    String phase = "";
    String name = "";
    /** Of metadata: what is named. */
    String named = "";

    long section;
    long lane;
    /** In ns, from where the file counts, which knows whole microseconds alone. */
    long shown;

    long shownDuration;
    /** In ns, on the machine's clock. */
    long begin;

    long end;
    long device;
    long stream;
    long id;

    /** Takes an event; the brace is next. */
    void read(JsonCursor c) throws Stop {
        phase = "";
        name = "";
        named = "";
        section = lane = shown = shownDuration = begin = end = device = stream = id = ABSENT;
        object(c, false);
    }

    /** @param arguments whether the object holds the arguments of the event, not its members */
    private void object(JsonCursor c, boolean arguments) throws Stop {
        c.take('{', "'{' of an event");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            String key = c.text();
            if (arguments) {
                argument(c, key);
            } else {
                member(c, key);
            }
        }
    }

    private void member(JsonCursor c, String key) throws Stop {
        switch (key) {
            case "ph" -> phase = text(c);
            case "name" -> name = text(c);
            case "pid" -> section = number(c);
            case "tid" -> lane = number(c);
            case "id" -> id = number(c);
            case "ts" -> shown = time(c);
            case "dur" -> shownDuration = time(c);
            case "args" -> {
                if (c.peek() == '{') {
                    object(c, true);
                } else {
                    c.skip();
                }
            }
            default -> c.skip();
        }
    }

    private void argument(JsonCursor c, String key) throws Stop {
        switch (key) {
            case "name" -> named = text(c);
            case "BeginNs" -> begin = number(c);
            case "EndNs" -> end = number(c);
            case "dev-id" -> device = number(c);
            case "stream-id" -> stream = number(c);
            default -> c.skip();
        }
    }

    private static String text(JsonCursor c) throws Stop {
        if (c.peek() == '"') {
            c.string();
            return c.text();
        }
        c.skip();
        return "";
    }

    private static long number(JsonCursor c) throws Stop {
        return isScalar(c) ? c.integer() : skipped(c);
    }

    private static long time(JsonCursor c) throws Stop {
        return isScalar(c) ? c.nanoseconds() : skipped(c);
    }

    private static boolean isScalar(JsonCursor c) {
        int next = c.peek();
        return next == '"' || next == '-' || next >= '0' && next <= '9';
    }

    private static long skipped(JsonCursor c) throws Stop {
        c.skip();
        return ABSENT;
    }
}
