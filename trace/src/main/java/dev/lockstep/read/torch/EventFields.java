// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;

/** The fields of the event that is being read. Reused from event to event. */
final class EventFields {
    /** Phase letter, 0 when absent or no text. */
    int phase;

    boolean oddPhase;
    boolean hasTs;
    boolean hasDur;
    long ts;
    long dur;
    int name;
    int category;
    int process;
    int thread;
    long id;
    /** Where the id stands in the block, and the place behind it; equal when there is none. */
    int idText;

    int idTextEnd;
    /** All arguments as compact JSON, where any may be a counter; -1 when they were not taken. */
    int counters;

    /** Bits by the ordinals of {@link ArgKey}: the arguments that were met. */
    long present;

    private final long[] values = new long[Long.SIZE];

    /** The value of an argument, -1 when absent. */
    long get(ArgKey key) {
        return (present & 1L << key.ordinal()) != 0 ? values[key.ordinal()] : -1;
    }

    /** The pool id of an argument that is a text, -1 when absent. */
    int text(ArgKey key) {
        return (int) get(key);
    }

    void set(ArgKey key, long value) {
        present |= 1L << key.ordinal();
        values[key.ordinal()] = value;
    }

    void clear() {
        phase = 0;
        oddPhase = false;
        hasTs = false;
        hasDur = false;
        ts = JsonCursor.NOT_A_NUMBER;
        dur = JsonCursor.NOT_A_NUMBER;
        name = -1;
        category = -1;
        process = -1;
        thread = -1;
        id = -1;
        idText = 0;
        idTextEnd = 0;
        counters = -1;
        present = 0;
    }

    EventFields() {
        clear();
    }
}
