// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of longs. */
public final class LongList {
    private long[] values;
    private int size;

    /**
     * An empty list.
     *
     * @param capacity how many values there may be; only a hint
     */
    public LongList(int capacity) {
        values = new long[Math.max(2, capacity)];
    }

    /** {@return the number of values} */
    public int size() {
        return size;
    }

    /**
     * {@return a value}
     *
     * @param i its place, from 0
     */
    public long get(int i) {
        return values[i];
    }

    /**
     * Exchanges a value.
     *
     * @param i its place, from 0
     * @param value the new one
     */
    public void set(int i, long value) {
        values[i] = value;
    }

    /**
     * Appends a value.
     *
     * @param value the value
     */
    public void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = value;
    }

    /**
     * Appends all of another list.
     *
     * @param other stays as it is
     */
    public void addAll(LongList other) {
        room(other.size);
        System.arraycopy(other.values, 0, values, size, other.size);
        size += other.size;
    }

    /**
     * Appends all of another list, each value moved up; negative values stay as they are.
     *
     * @param other stays as it is
     * @param shift what is added to each value that is not negative
     */
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

    /**
     * Takes the last value off.
     *
     * @return that value
     */
    public long removeLast() {
        return values[--size];
    }

    /** Takes all values off; the memory is kept for new ones. */
    public void clear() {
        size = 0;
    }

    /**
     * {@return the values at these places, in this order} The list gives its memory up and is empty afterwards.
     *
     * @param places places in the list, from 0
     */
    public long[] take(int[] places) {
        long[] taken = new long[places.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = values[places[i]];
        }
        values = new long[16];
        size = 0;
        return taken;
    }

    /** {@return all values} The list gives its memory up and is empty afterwards. */
    public long[] take() {
        long[] taken = size == values.length ? values : Arrays.copyOf(values, size);
        values = new long[16];
        size = 0;
        return taken;
    }

    /** {@return a copy of the content} */
    public long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
