// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of longs. */
public final class LongList {
    private long[] values;
    private int size;

    public LongList(int capacity) {
        values = new long[Math.max(16, capacity)];
    }

    public int size() {
        return size;
    }

    public long get(int i) {
        return values[i];
    }

    public void set(int i, long value) {
        values[i] = value;
    }

    public void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = value;
    }

    /** Appends all of another list. */
    public void addAll(LongList other) {
        room(other.size);
        System.arraycopy(other.values, 0, values, size, other.size);
        size += other.size;
    }

    /** Appends all of another list, each value moved up; negative values stay as they are. */
    public void addAll(LongList other, long shift) {
        room(other.size);
        for (int i = 0; i < other.size; i++) {
            long value = other.values[i];
            values[size + i] = value < 0 ? value : value + shift;
        }
        size += other.size;
    }

    private void room(int more) {
        if (size + more > values.length) {
            values = Arrays.copyOf(values, Math.max(size + more, size + (size >> 1)));
        }
    }

    /** Takes the last value off. */
    public long removeLast() {
        return values[--size];
    }

    public void clear() {
        size = 0;
    }

    /** The values at these places, in this order. The list gives its memory up and is empty afterwards. */
    public long[] take(int[] places) {
        long[] taken = new long[places.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = values[places[i]];
        }
        values = new long[16];
        size = 0;
        return taken;
    }

    /** A copy of the content. */
    public long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
