// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds places that look like the beginning of an event: an opening brace behind a comma or bracket, followed by one of
 * the keys of events. It is a guess, since it knows nothing of the text before; who splits a file there checks that the
 * part before ends exactly at the guess.
 */
final class EventBoundary {
    private static final byte[][] KEYS = keys("ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args", "bp", "s");
    private static final int LONGEST_KEY = 4;
    private static final int NEAR = 1 << 12;
    private static final int FAR = 1 << 16;

    private final Search phases = new Search('"', 'p', 'h', '"');
    private final Search ends = new Search('}');

    /** Where no place with a phase was found, so that nobody looks there again; and where the text ended then. */
    private long withoutFrom;

    private long withoutTo;
    private long textEnd;

    /** The first place of some bytes; remembers it, so that asking from further ahead takes no time. */
    private static final class Search {
        private final byte[] wanted;
        private long from;
        private long found = -1;

        Search(char... wanted) {
            this.wanted = new String(wanted).getBytes(StandardCharsets.US_ASCII);
        }

        void forget() {
            found = -1;
        }

        /** The first place at or after {@code p}; {@code to} when there is none before. */
        int from(byte[] b, int p, int to, long base) {
            long at = base + p;
            if (at < from || at > found) {
                int q = p;
                while (q + wanted.length <= to && !Arrays.equals(b, q, q + wanted.length, wanted, 0, wanted.length)) {
                    q++;
                }
                from = at;
                found = base + (q + wanted.length <= to ? q : to);
            }
            return (int) (found - base);
        }
    }

    /**
     * The first such place at or after {@code from}, or -1. One with a phase near by goes before one without, which may
     * be an object among the arguments of an event. All calls together take time in proportion to the text.
     *
     * @param base place of the array's first byte in the content
     */
    int next(byte[] b, int from, int to, long base) {
        if (textEnd != base + to) {
            textEnd = base + to;
            withoutTo = 0;
            phases.forget();
            ends.forget();
        }
        int weak = -1;
        int p = from;
        for (; p < to; p++) {
            if (b[p] == '{' && isEvent(b, p, from - 1, to)) {
                boolean known = base + p >= withoutFrom && base + p < withoutTo;
                if (!known && hasPhase(b, p, to, base)) {
                    return p;
                }
                weak = weak < 0 ? p : weak;
                if (known) {
                    p = (int) Math.min(to, withoutTo - base) - 1;
                }
                if (p - weak > FAR) {
                    break;
                }
            }
        }
        if (weak >= 0) {
            withoutFrom = base + weak;
            withoutTo = base + Math.min(p + 1, to);
        }
        return weak;
    }

    /** Whether a phase follows near by, before the object's first bracket closes. */
    boolean hasPhase(byte[] b, int brace, int to, long base) {
        int phase = phases.from(b, brace, to, base);
        return phase + 3 < Math.min(to, brace + NEAR) && phase < ends.from(b, brace, to, base);
    }

    /** The last such place between the two, behind an event that ends there too, or -1. */
    static int last(byte[] b, int from, int to) {
        for (int p = to - 1; p > from; p--) {
            if (b[p] == '{' && isEvent(b, p, from, to)) {
                return p;
            }
        }
        return -1;
    }

    /** Whether the brace, which lies behind {@code from}, looks like the beginning of an event. */
    static boolean isEvent(byte[] b, int brace, int from, int to) {
        int p = brace - 1;
        while (p > from && isBlank(b[p])) {
            p--;
        }
        if (p < Math.max(from, 0) || b[p] != ',' && b[p] != '[') {
            return false;
        }
        return isObjectOfEvent(b, brace, to);
    }

    /** Whether the brace is followed by one of the keys of events. */
    static boolean isObjectOfEvent(byte[] b, int brace, int to) {
        int p = brace + 1;
        while (p < to && isBlank(b[p])) {
            p++;
        }
        if (p + LONGEST_KEY + 2 >= to || b[p] != '"') {
            return false;
        }
        p++;
        for (byte[] key : KEYS) {
            if (Arrays.equals(b, p, p + key.length, key, 0, key.length)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private static byte[][] keys(String... names) {
        byte[][] keys = new byte[names.length][];
        for (int i = 0; i < names.length; i++) {
            keys[i] = (names[i] + '"').getBytes(StandardCharsets.US_ASCII);
        }
        return keys;
    }
}
