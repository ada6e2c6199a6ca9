// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

/** The keys of an event with their closing quote, as the bytes of a little-endian number. */
final class EventKey {
    static final int PH = key("ph\"");
    static final int TS = key("ts\"");
    static final int ID = key("id\"");
    static final int CAT = key("cat\"");
    static final int PID = key("pid\"");
    static final int TID = key("tid\"");
    static final int DUR = key("dur\"");
    static final long NAME = longKey("name\"");
    static final long ARGS = longKey("args\"");
    static final long FIVE_BYTES = (1L << 40) - 1;

    private EventKey() {}

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
