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

    private EventBoundary() {}

    /**
     * The first such place at or after {@code from}, or -1. One with a phase near by goes before one without, which may
     * be an object among the arguments of an event.
     */
    static int next(byte[] b, int from, int to) {
        int weak = -1;
        for (int p = from; p < to; p++) {
            if (b[p] == '{' && isEvent(b, p, from - 1, to)) {
                if (hasPhase(b, p, Math.min(to, p + NEAR))) {
                    return p;
                }
                weak = weak < 0 ? p : weak;
                if (p - weak > FAR) {
                    break;
                }
            }
        }
        return weak;
    }

    /** Whether a phase follows before the object's first bracket closes. */
    private static boolean hasPhase(byte[] b, int brace, int to) {
        for (int p = brace; p + 3 < to && b[p] != '}'; p++) {
            if (b[p] == '"' && b[p + 1] == 'p' && b[p + 2] == 'h' && b[p + 3] == '"') {
                return true;
            }
        }
        return false;
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

    private static boolean isEvent(byte[] b, int brace, int from, int to) {
        int p = brace - 1;
        while (p > from && isBlank(b[p])) {
            p--;
        }
        if (p < Math.max(from, 0) || b[p] != ',' && b[p] != '[') {
            return false;
        }
        p = brace + 1;
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
