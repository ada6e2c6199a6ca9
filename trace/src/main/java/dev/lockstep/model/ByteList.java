// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;

/** A growing array of bytes. */
final class ByteList {
    private byte[] values;
    private int size;

    ByteList(int capacity) {
        values = new byte[Math.max(16, capacity)];
    }

    void clear() {
        size = 0;
    }

    byte get(int i) {
        return values[i];
    }

    void set(int i, int value) {
        values[i] = (byte) value;
    }

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = (byte) value;
    }

    void addAll(ByteList other) {
        if (size + other.size > values.length) {
            values = Arrays.copyOf(values, Math.max(size + other.size, size + (size >> 1)));
        }
        System.arraycopy(other.values, 0, values, size, other.size);
        size += other.size;
    }

    /** The values at these places, in this order. */
    byte[] take(int[] places) {
        byte[] taken = new byte[places.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = values[places[i]];
        }
        return taken;
    }

    byte[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
