// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;

/**
 * The annotations and Python frames that a rank has open, and the time span of the work that each annotation's thread has
 * enqueued on each stream meanwhile: the profiler repeats an annotation on the device over that span.
 */
final class OpenCalls {
    private static final int LANES = Lane.values().length;
    private final Lane[] lanes = Lane.values();

    private int depth;
    private EventKind[] kinds = new EventKind[16];
    private Lane[] threads = new Lane[16];
    private int[] rows = new int[16];
    private long[] ids = new long[16];
    private long[] from = new long[16 * LANES];
    private long[] until = new long[16 * LANES];

    void push(EventKind kind, Lane thread, int row, long id) {
        if (depth == kinds.length) {
            kinds = Arrays.copyOf(kinds, depth * 2);
            threads = Arrays.copyOf(threads, depth * 2);
            rows = Arrays.copyOf(rows, depth * 2);
            ids = Arrays.copyOf(ids, depth * 2);
            from = Arrays.copyOf(from, from.length * 2);
            until = Arrays.copyOf(until, until.length * 2);
        }
        kinds[depth] = kind;
        threads[depth] = thread;
        rows[depth] = row;
        ids[depth] = id;
        Arrays.fill(from, depth * LANES, (depth + 1) * LANES, Long.MAX_VALUE);
        Arrays.fill(until, depth * LANES, (depth + 1) * LANES, Long.MIN_VALUE);
        depth++;
    }

    void pop() {
        depth--;
    }

    EventKind kind() {
        return kinds[depth - 1];
    }

    int row() {
        return rows[depth - 1];
    }

    /** Id of the innermost Python frame, or -1. */
    long python() {
        for (int i = depth - 1; i >= 0; i--) {
            if (kinds[i].category() == Category.PYTHON_FUNCTION) {
                return ids[i];
            }
        }
        return -1;
    }

    /** Work that {@code thread} enqueued runs on {@code lane} from {@code start} to {@code end}. */
    void covered(Lane thread, Lane lane, long start, long end) {
        for (int i = 0; i < depth; i++) {
            if (threads[i] == thread && kinds[i].category() == Category.USER_ANNOTATION) {
                int at = i * LANES + lane.index();
                from[at] = Math.min(from[at], start);
                until[at] = Math.max(until[at], end);
            }
        }
    }

    /** Records the device twins of the innermost annotation. */
    void twins(EventKind twin, EventList events) {
        for (Lane lane : lanes) {
            int at = (depth - 1) * LANES + lane.index();
            if (from[at] != Long.MAX_VALUE) {
                int row = events.append(twin, lane, from[at], until[at]);
                events.say(row, ids[depth - 1], 0, events.third(rows[depth - 1]));
            }
        }
    }
}
