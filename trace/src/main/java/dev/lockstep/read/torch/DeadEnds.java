// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.BitSet;

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

    /** Of more events than that which are open at once, the outer ones are remembered. */
    private static final int MOST_OPEN = 1 << 21;

    /**
     * A place where reading failed.
     *
     * @param base place of the text in the content
     * @param open where in the text what was open there begins, in order
     * @param end where the text ended; only with more text something that was incomplete is read further
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record DeadEnd(long base, int[] open, Stop stop, long end, long failedAt, String expected) {
        static final DeadEnd NOWHERE = new DeadEnd(0, new int[0], Stop.MALFORMED, 0, 0, "");

        boolean meets(long place, long textEnd) {
            return open.length > 0
                    && (stop != Stop.INCOMPLETE || end == textEnd)
                    && place >= base
                    && place - base <= Integer.MAX_VALUE
                    && Arrays.binarySearch(open, (int) (place - base)) >= 0;
        }
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
            if (end.meets(base + at, base + cursor.limit)) {
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
        known[next] = new DeadEnd(
                base, open(cursor, at, to), stop, base + cursor.limit, base + cursor.failedAt, cursor.expected);
        next = (next + 1) % WAYS;
    }

    /**
     * Where the objects and lists begin that are open at the end of this text and that reading may begin with: the first,
     * and those that look like events.
     */
    private static int[] open(JsonCursor failed, int from, int to) {
        JsonCursor cursor = new JsonCursor();
        cursor.set(failed.buffer, from, failed.limit);
        cursor.lenient = failed.lenient;
        IntList open = new IntList(16);
        BitSet kept = new BitSet(); // of what is open by depth
        int depth = 0;
        while (cursor.pos < to) {
            switch (cursor.buffer[cursor.pos]) {
                case '"' -> {
                    try {
                        cursor.string();
                        continue;
                    } catch (Stop stop) {
                        return open.toArray(); // the text ends within the string
                    }
                }
                case '{', '[' -> {
                    boolean keep = open.size() < MOST_OPEN
                            && (cursor.pos == from
                                    || EventBoundary.isEvent(cursor.buffer, cursor.pos, from, cursor.limit));
                    kept.set(depth++, keep);
                    if (keep) {
                        open.add(cursor.pos);
                    }
                }
                case '}', ']' -> {
                    depth = Math.max(0, depth - 1);
                    if (kept.get(depth)) {
                        kept.clear(depth);
                        open.removeLast();
                    }
                }
                default -> {
                    // neither opens nor closes
                }
            }
            cursor.pos++;
        }
        return open.toArray();
    }
}
