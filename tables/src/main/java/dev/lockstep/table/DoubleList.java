// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of doubles. */
public final class DoubleList {
    private double[] values;
    private int size;

    /**
     * An empty list.
     *
     * @param capacity how many values there may be; only a hint
     */
    public DoubleList(int capacity) {
        values = new double[Math.max(4, capacity)];
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
    public double get(int i) {
        return values[i];
    }

    /**
     * Appends a value.
     *
     * @param value the value
     */
    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    /** {@return a copy of the content} */
    public double[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
