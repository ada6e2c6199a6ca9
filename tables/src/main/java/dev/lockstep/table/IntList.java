// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of ints. */
public final class IntList {
    private int[] values;
    private int size;

    /**
     * An empty list.
     *
     * @param capacity how many values there may be; only a hint
     */
    public IntList(int capacity) {
        values = new int[Math.max(16, capacity)];
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
    public int get(int i) {
        return values[i];
    }

    /**
     * Exchanges a value.
     *
     * @param i its place, from 0
     * @param value the new one
     */
    public void set(int i, int value) {
        values[i] = value;
    }

    /**
     * Appends a value.
     *
     * @param value the value
     */
    public void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = value;
    }

    /**
     * Appends all of another list, each value through a table of new values; negative values stay as they are.
     *
     * @param other stays as it is
     * @param renumbered by old value: the new one
     */
    public void addAll(IntList other, int[] renumbered) {
        room(other.size);
        for (int i = 0; i < other.size; i++) {
            int value = other.values[i];
            values[size + i] = value < 0 ? value : renumbered[value];
        }
        size += other.size;
    }

    /**
     * Appends all of another list, each value moved up.
     *
     * @param other stays as it is
     * @param shift what is added to each value
     */
    public void addAll(IntList other, int shift) {
        room(other.size);
        for (int i = 0; i < other.size; i++) {
            int value = other.values[i];
            values[size + i] = value < 0 ? value : value + shift;
        }
        size += other.size;
    }

    /**
     * Appends all of another list.
     *
     * @param other stays as it is
     */
    public void addAll(IntList other) {
        room(other.size);
        System.arraycopy(other.values, 0, values, size, other.size);
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
    public int removeLast() {
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
    public int[] take(int[] places) {
        int[] taken = new int[places.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = values[places[i]];
        }
        values = new int[16];
        size = 0;
        return taken;
    }

    /** {@return all values} The list gives its memory up and is empty afterwards. */
    public int[] take() {
        int[] taken = size == values.length ? values : Arrays.copyOf(values, size);
        values = new int[16];
        size = 0;
        return taken;
    }

    /** {@return a copy of the content} */
    public int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
