// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/** Numbers by long keys, without boxes. Every long is a key; values are 0 or more. */
public final class LongIntMap {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private long[] keys;
    private int[] values;
    private int size;

    /**
     * An empty map.
     *
     * @param expected how many keys there may be; only a hint
     */
    public LongIntMap(int expected) {
        int capacity = Integer.highestOneBit(Math.max(8, expected)) * 4;
        keys = new long[capacity];
        values = new int[capacity];
        Arrays.fill(values, -1);
    }

    /** {@return the number of keys} */
    public int size() {
        return size;
    }

    /**
     * {@return the value of a key, or -1}
     *
     * @param key any number
     */
    public int get(long key) {
        return values[slot(key)];
    }

    /**
     * Sets the value of a key.
     *
     * @param key any number
     * @param value 0 or more
     * @return the value before, or -1
     */
    public int put(long key, int value) {
        int slot = slot(key);
        int before = values[slot];
        keys[slot] = key;
        values[slot] = value;
        if (before < 0 && ++size * 2 > keys.length) {
            grow();
        }
        return before;
    }

    /**
     * {@return the value of a key; one that is new gets the number of keys before it}
     *
     * @param key any number
     */
    public int numberOf(long key) {
        int known = get(key);
        if (known < 0) {
            known = size;
            put(key, known);
        }
        return known;
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) (key * MIX >>> 32) & mask;
        while (values[slot] >= 0 && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        Arrays.fill(values, -1);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] >= 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
