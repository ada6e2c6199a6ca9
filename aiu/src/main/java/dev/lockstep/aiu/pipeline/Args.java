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

    /** Every second sample of a counter is 0. */
    private static final Double ZERO = 0.0;

    /** The first name and its value; most have no other. */
    private String firstKey = "";

    private Object firstValue = "";

    /** The others, names and values in turn. */
    private Object[] others = NONE;

    private int size;

    public Args() {}

    private Args(String firstKey, Object firstValue, Object[] others, int size) {
        this.firstKey = firstKey;
        this.firstValue = firstValue;
        this.others = others;
        this.size = size;
    }

    public static Args of(String key, Object value) {
        return new Args(key, value.equals(ZERO) ? ZERO : value, NONE, 1);
    }

    public int size() {
        return size;
    }

    public String key(int i) {
        return i == 0 ? firstKey : (String) others[2 * i - 2];
    }

    public Object value(int i) {
        return i == 0 ? firstValue : others[2 * i - 1];
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
        if (i < 0) {
            i = size++;
            if (2 * size - 2 > others.length) {
                others = Arrays.copyOf(others, 2 * size + 2);
            }
        }
        set(i, key, value);
    }

    private void set(int i, String key, Object value) {
        if (i == 0) {
            firstKey = key;
            firstValue = value;
        } else {
            others[2 * i - 2] = key;
            others[2 * i - 1] = value;
        }
    }

    /** Takes a value away; null when there was none. */
    public @Nullable Object remove(String key) {
        int at = indexOf(key);
        if (at < 0) {
            return null;
        }
        Object removed = value(at);
        size--;
        for (int i = at; i < size; i++) {
            set(i, key(i + 1), value(i + 1));
        }
        if (size == 0) {
            firstKey = "";
            firstValue = "";
        } else {
            Arrays.fill(others, 2 * size - 2, 2 * size, null);
        }
        return removed;
    }

    public Args copy() {
        return new Args(firstKey, firstValue, size < 2 ? NONE : Arrays.copyOf(others, 2 * size - 2), size);
    }

    private int indexOf(String key) {
        for (int i = 0; i < size; i++) {
            if (key(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }
}
