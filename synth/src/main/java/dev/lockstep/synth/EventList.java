// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;

/**
 * What one rank recorded in one step, as columns, reused from step to step. Times are true nanoseconds since the start of
 * the run. What {@code first} to {@code third} mean depends on the kind of event, see {@link Slot}.
 */
final class EventList {
    private static final int LANES = Lane.values().length;
    private final Lane[] lanes = Lane.values();

    private int size;
    private EventKind[] kind = new EventKind[256];
    private byte[] lane = new byte[256];
    private long[] numbers = new long[256 * 5];

    int size() {
        return size;
    }

    /** Forgets the rows and keeps the room. */
    void clear() {
        size = 0;
    }

    /** Appends a row and returns its index; an end that is not known yet is set by {@link #end(int, long)}. */
    int append(EventKind eventKind, Lane eventLane, long start, long end) {
        if (size == kind.length) {
            kind = Arrays.copyOf(kind, size * 2);
            lane = Arrays.copyOf(lane, size * 2);
            numbers = Arrays.copyOf(numbers, size * 10);
        }
        kind[size] = eventKind;
        lane[size] = (byte) eventLane.index();
        int at = size * 5;
        numbers[at] = start;
        numbers[at + 1] = end;
        numbers[at + 2] = 0;
        numbers[at + 3] = 0;
        numbers[at + 4] = 0;
        return size++;
    }

    /** States what its kind of event says of a row, which is 0 until then. */
    void say(int row, long first, long second, long third) {
        int at = row * 5;
        numbers[at + 2] = first;
        numbers[at + 3] = second;
        numbers[at + 4] = third;
    }

    void end(int row, long end) {
        numbers[row * 5 + 1] = end;
    }

    EventKind kind(int row) {
        return kind[row];
    }

    Lane lane(int row) {
        return lanes[lane[row]];
    }

    /** Distinguishes the texts that rows need: dense, below {@code kinds * lanes}. */
    int textIndex(int row) {
        return kind[row].id() * LANES + lane[row];
    }

    long start(int row) {
        return numbers[row * 5];
    }

    long end(int row) {
        return numbers[row * 5 + 1];
    }

    long first(int row) {
        return numbers[row * 5 + 2];
    }

    long second(int row) {
        return numbers[row * 5 + 3];
    }

    long third(int row) {
        return numbers[row * 5 + 4];
    }
}
