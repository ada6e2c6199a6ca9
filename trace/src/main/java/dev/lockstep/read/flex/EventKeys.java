// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.codec.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Members of events that mean something, by the bytes of their keys. */
public enum EventKeys {
    NAME("name"),
    TS("ts"),
    PH("ph"),
    PID("pid"),
    TID("tid"),
    DUR("dur"),
    CAT("cat"),
    ARGS("args"),
    /** What FLEX calls the arguments. */
    ATTR("attr"),
    ID("id"),
    /** Any other member. */
    OTHER("");

    /** How many counters of cycles a job has, {@code TS1} and those behind it. */
    public static final int COUNTERS = 5;

    /** What {@link #counter} says of the power. */
    public static final int POWER = COUNTERS;

    private static final EventKeys[] ALL = values();
    private static final long POWER_KEY = packed("Power");
    private static final long COUNTER_KEY = packed("TS");

    private final long packed;

    EventKeys(String key) {
        packed = packed(key);
    }

    /** The member whose key these bytes are, as they stand in the file. */
    public static EventKeys of(byte[] b, int from, int to) {
        long key = packed(b, from, to);
        for (EventKeys member : ALL) {
            if (member.packed == key) {
                return member;
            }
        }
        return OTHER;
    }

    /** The number of a counter from 0, {@link #POWER}, or -1 for other arguments. */
    public static int counter(byte[] b, int from, int to) {
        long key = packed(b, from, to);
        long number = (key >>> 2 * Byte.SIZE) - '1';
        if ((key & 0xFFFF) == COUNTER_KEY && number >= 0 && number < COUNTERS) {
            return (int) number;
        }
        return key == POWER_KEY ? POWER : -1;
    }

    /** Up to eight bytes as one number; 0 for none and for more. */
    private static long packed(byte[] b, int from, int to) {
        int length = to - from;
        return length == 0 || length > Long.BYTES
                ? 0
                : JsonCursor.word(b, from) & -1L >>> Long.SIZE - length * Byte.SIZE;
    }

    private static long packed(String key) {
        byte[] bytes = Arrays.copyOf(key.getBytes(StandardCharsets.US_ASCII), key.length() + Long.BYTES);
        return packed(bytes, 0, key.length());
    }
}
