// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the list of events begins in a text whose outline is damaged.
 *
 * @param key where its key begins
 * @param begin where its first event is expected
 */
record EventListStart(int key, int begin) {
    private static final byte[] KEY = "traceEvents".getBytes(StandardCharsets.US_ASCII);

    /** The next list behind a key that says so, which may lack quotes, colon or bracket; null when there is none. */
    static @Nullable EventListStart next(byte[] b, int from, int to) {
        for (int p = from; p + KEY.length < to; p++) {
            if (b[p] == KEY[0] && Arrays.equals(b, p, p + KEY.length, KEY, 0, KEY.length)) {
                int q = p + KEY.length;
                while (q < to && isBetween(b[q])) {
                    q++;
                }
                boolean bracket = q < to && b[q] == '[';
                if (bracket || q < to && b[q] == '{' && EventBoundary.isObjectOfEvent(b, q, to)) {
                    boolean quoted = p > from && (b[p - 1] == '"' || b[p - 1] == '\'');
                    return new EventListStart(quoted ? p - 1 : p, bracket ? q + 1 : q);
                }
                p = q - 1;
            }
        }
        return null;
    }

    /** The first event that nothing announces; -1 when there is none. */
    static int firstEvent(byte[] b, int from, int to) {
        EventBoundary boundary = new EventBoundary();
        int p = from;
        while (true) {
            int found = boundary.next(b, p, to, 0);
            if (found < 0 || boundary.hasPhase(b, found, to, 0)) {
                return found;
            }
            p = found + 1;
        }
    }

    /** Where a document with a list of events begins behind other text, as what a program printed; -1 when none does. */
    static int documentWith(byte[] b, int from, int to) {
        EventListStart list = next(b, from, to);
        for (int p = from; list != null && p < list.key; p++) {
            if (b[p] == '{' && (p == from || b[p - 1] == '\n' || b[p - 1] == '\r')) {
                return p;
            }
        }
        return -1;
    }

    private static boolean isBetween(byte c) {
        return c == '"' || c == '\'' || c == ':' || c == '=' || c == ',' || c <= ' ' && c > 0;
    }
}
