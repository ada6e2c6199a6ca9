// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A few values by name, in the order in which they were put. A value is a text ({@link String}), {@link Long},
 * {@link Double}, {@link Boolean}, {@link RawJson}, {@code double[]}, a list of texts, or further {@code Args}.
 */
public final class Args {
    private static final Object[] NONE = {};

    private Object[] pairs;
    private int size;

    public Args() {
        pairs = NONE;
    }

    private Args(Object[] pairs, int size) {
        this.pairs = pairs;
        this.size = size;
    }

    public static Args of(String key, Object value) {
        return new Args(new Object[] {key, value}, 1);
    }

    public int size() {
        return size;
    }

    public String key(int i) {
        return (String) pairs[2 * i];
    }

    public Object value(int i) {
        return pairs[2 * i + 1];
    }

    public @Nullable Object get(String key) {
        int i = indexOf(key);
        return i < 0 ? null : value(i);
    }

    /** The value when it is a text, else null. */
    public @Nullable String text(String key) {
        return get(key) instanceof String text ? text : null;
    }

    /** The value as a number, NaN when there is none. */
    public double number(String key) {
        return get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    public boolean has(String key) {
        return indexOf(key) >= 0;
    }

    /** Puts a value; one of the same name is replaced where it stands. */
    public void put(String key, Object value) {
        int i = indexOf(key);
        if (i >= 0) {
            pairs[2 * i + 1] = value;
            return;
        }
        if (2 * size == pairs.length) {
            pairs = Arrays.copyOf(pairs, size == 0 ? 2 : 2 * size + 4);
        }
        pairs[2 * size] = key;
        pairs[2 * size + 1] = value;
        size++;
    }

    /** Takes a value away; null when there was none. */
    public @Nullable Object remove(String key) {
        int i = indexOf(key);
        if (i < 0) {
            return null;
        }
        Object removed = value(i);
        System.arraycopy(pairs, 2 * i + 2, pairs, 2 * i, 2 * (size - i - 1));
        size--;
        Arrays.fill(pairs, 2 * size, 2 * size + 2, null);
        return removed;
    }

    public Args copy() {
        return new Args(Arrays.copyOf(pairs, 2 * size), size);
    }

    private int indexOf(String key) {
        for (int i = 0; i < size; i++) {
            if (pairs[2 * i].equals(key)) {
                return i;
            }
        }
        return -1;
    }
}
