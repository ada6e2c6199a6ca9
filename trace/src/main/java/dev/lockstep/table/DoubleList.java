// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** A growing array of doubles. */
public final class DoubleList {
    private double[] values;
    private int size;

    public DoubleList(int capacity) {
        values = new double[Math.max(4, capacity)];
    }

    public int size() {
        return size;
    }

    public double get(int i) {
        return values[i];
    }

    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    /** A copy of the content. */
    public double[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
