// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;

/** The keys of an event with their closing quote, as the bytes of a little-endian number. */
final class EventKey {
    private static final int PH = key("ph\"");
    private static final int TS = key("ts\"");
    private static final int ID = key("id\"");
    private static final int CAT = key("cat\"");
    private static final int PID = key("pid\"");
    private static final int TID = key("tid\"");
    private static final int DUR = key("dur\"");
    private static final long NAME = longKey("name\"");
    private static final long ARGS = longKey("args\"");
    private static final long FIVE_BYTES = (1L << 40) - 1;

    private EventKey() {}

    /** Which field of {@link Gap} a key means, from its first byte behind the quote. */
    static int what(byte[] bytes, int at) {
        long word = JsonCursor.word(bytes, at);
        int key = (int) word;
        int three = key & 0xFFFFFF;
        if (three == PH) {
            return Gap.PHASE;
        }
        if (three == TS) {
            return Gap.TS;
        }
        if (three == ID) {
            return Gap.ID;
        }
        if (key == CAT) {
            return Gap.CATEGORY;
        }
        if (key == PID) {
            return Gap.PROCESS;
        }
        if (key == TID) {
            return Gap.THREAD;
        }
        if (key == DUR) {
            return Gap.DUR;
        }
        long five = word & FIVE_BYTES;
        return five == NAME ? Gap.NAME : five == ARGS ? Gap.NO_ARGUMENTS : Gap.OTHER;
    }

    private static int key(String text) {
        return (int) longKey(text);
    }

    private static long longKey(String text) {
        long value = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            value = value << 8 | text.charAt(i);
        }
        return value;
    }
}
