// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of bytes. */
public final class ByteList {
    private byte[] values;
    private int size;

    /**
     * An empty list.
     *
     * @param capacity how many values there may be; only a hint
     */
    public ByteList(int capacity) {
        values = new byte[Math.max(16, capacity)];
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
    public byte get(int i) {
        return values[i];
    }

    /**
     * Exchanges a value.
     *
     * @param i its place, from 0
     * @param value the new one, of which the lowest byte counts
     */
    public void set(int i, int value) {
        values[i] = (byte) value;
    }

    /**
     * Appends a value.
     *
     * @param value the value, of which the lowest byte counts
     */
    public void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = (byte) value;
    }

    /**
     * Appends all of another list.
     *
     * @param other stays as it is
     */
    public void addAll(ByteList other) {
        if (size + other.size > values.length) {
            values = Arrays.copyOf(values, Math.max(size + other.size, size + (size >> 1)));
        }
        System.arraycopy(other.values, 0, values, size, other.size);
        size += other.size;
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
    public byte[] take(int[] places) {
        byte[] taken = new byte[places.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = values[places[i]];
        }
        values = new byte[16];
        size = 0;
        return taken;
    }

    /** {@return all values} The list gives its memory up and is empty afterwards. */
    public byte[] take() {
        byte[] taken = size == values.length ? values : Arrays.copyOf(values, size);
        values = new byte[16];
        size = 0;
        return taken;
    }

    /** {@return a copy of the content} */
    public byte[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
