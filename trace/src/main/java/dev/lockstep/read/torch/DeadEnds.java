// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import java.util.Arrays;

/**
 * Remembers where reading failed, so that damage far behind is met once and not again from every place before it: whoever
 * begins to read at an object or list that was open where the text could not be read gets to the same place and no further.
 * Places are those of the unpacked content.
 */
final class DeadEnds {
    /** Failures nearer than this are met again in less time than it takes to remember them. */
    private static final int NEAR = 256;

    /** Texts can be read in few ways that do not come together: from within a string and from without. */
    private static final int WAYS = 4;

    /** Of text that is deeper than that, the outer part is remembered. */
    private static final int MOST_OPEN = 1 << 21;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record DeadEnd(long[] open, Stop stop, long failedAt, String expected) {
        static final DeadEnd NOWHERE = new DeadEnd(new long[0], Stop.MALFORMED, 0, "");
    }

    private final DeadEnd[] known = new DeadEnd[WAYS];
    private int next;

    DeadEnds() {
        Arrays.fill(known, DeadEnd.NOWHERE);
    }

    /**
     * Fails as reading from here would fail, if that is known.
     *
     * @param base place of the cursor's first byte
     */
    void check(JsonCursor cursor, int at, long base) throws Stop {
        for (DeadEnd end : known) {
            if (end.open.length > 0 && Arrays.binarySearch(end.open, base + at) >= 0) {
                cursor.failedAt = (int) (end.failedAt - base);
                cursor.expected = end.expected;
                throw end.stop;
            }
        }
    }

    /** Remembers that reading from here failed as the cursor says, or at the end of the text. */
    void remember(JsonCursor cursor, int at, long base, Stop stop) {
        int to = stop == Stop.INCOMPLETE ? cursor.limit : cursor.failedAt;
        if (to - at < NEAR) {
            return;
        }
        known[next] = new DeadEnd(open(cursor, at, to, base), stop, base + cursor.failedAt, cursor.expected);
        next = (next + 1) % WAYS;
    }

    /** Where objects and lists begin that are open at the end of this text. */
    private static long[] open(JsonCursor failed, int from, int to, long base) {
        JsonCursor cursor = new JsonCursor();
        cursor.set(failed.buffer, from, failed.limit);
        cursor.lenient = failed.lenient;
        long[] open = new long[64];
        int depth = 0;
        while (cursor.pos < to) {
            switch (cursor.buffer[cursor.pos]) {
                case '"' -> {
                    try {
                        cursor.string();
                        continue;
                    } catch (Stop stop) {
                        return Arrays.copyOf(open, Math.min(depth, open.length)); // the text ends within the string
                    }
                }
                case '{', '[' -> {
                    if (depth == open.length && depth < MOST_OPEN) {
                        open = Arrays.copyOf(open, 2 * depth);
                    }
                    if (depth < open.length) {
                        open[depth] = base + cursor.pos;
                    }
                    depth++;
                }
                case '}', ']' -> depth = Math.max(0, depth - 1);
                default -> {
                    // neither opens nor closes
                }
            }
            cursor.pos++;
        }
        return Arrays.copyOf(open, Math.min(depth, open.length));
    }
}
