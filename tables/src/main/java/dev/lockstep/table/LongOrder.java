// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.function.IntPredicate;

/** Sorts numbers together with the rows they belong to, in linear time, and finds places in sorted ones. */
public final class LongOrder {
    private static final int BITS = 11;
    private static final int BUCKETS = 1 << BITS;

    /** Keys are then sorted alone. */
    private static final int[] NO_ROWS = {};

    private LongOrder() {}

    /**
     * Sorts the keys ascending and moves the rows along; rows with equal keys keep their order. Keys may span the whole
     * range of longs.
     *
     * @param keys the numbers to sort by
     * @param rows as many rows, one for each key
     */
    public static void sort(long[] keys, int[] rows) {
        int n = keys.length;
        if (isSorted(keys)) {
            return;
        }
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (long key : keys) {
            least = Math.min(least, key);
            most = Math.max(most, key);
        }
        long range = most - least;
        int bits = 64 - Long.numberOfLeadingZeros(range);
        long[] fromKeys = keys;
        int[] fromRows = rows;
        long[] toKeys = new long[n];
        int[] toRows = new int[rows.length];
        boolean swapped = false;
        for (int shift = 0; shift < bits; shift += BITS) {
            int[] next = new int[BUCKETS + 1];
            for (long key : fromKeys) {
                next[((int) (key - least >>> shift) & BUCKETS - 1) + 1]++;
            }
            for (int i = 0; i < BUCKETS; i++) {
                next[i + 1] += next[i];
            }
            for (int i = 0; i < n; i++) {
                int at = next[(int) (fromKeys[i] - least >>> shift) & BUCKETS - 1]++;
                toKeys[at] = fromKeys[i];
                if (rows.length > 0) {
                    toRows[at] = fromRows[i];
                }
            }
            long[] keysBack = fromKeys;
            int[] rowsBack = fromRows;
            fromKeys = toKeys;
            fromRows = toRows;
            toKeys = keysBack;
            toRows = rowsBack;
            swapped = !swapped;
        }
        if (swapped) {
            System.arraycopy(fromKeys, 0, keys, 0, n);
            System.arraycopy(fromRows, 0, rows, 0, rows.length);
        }
    }

    /**
     * Sorts numbers ascending.
     *
     * @param keys the numbers, which may span the whole range of longs
     */
    public static void sort(long[] keys) {
        sort(keys, NO_ROWS);
    }

    /**
     * How many numbers are less than another one, which is the place of the first that is not; takes logarithmic time.
     *
     * @param sorted the numbers, ascending
     * @param value what they are compared with
     * @return from 0 to all of them
     */
    public static int countBelow(long[] sorted, long value) {
        return countBelow(sorted, sorted.length, value);
    }

    /**
     * As {@link #countBelow(long[], long)}, of the first numbers alone.
     *
     * @param sorted the numbers, ascending; further ones may follow
     * @param count how many they are
     * @param value what they are compared with
     * @return from 0 to all of them
     */
    public static int countBelow(long[] sorted, int count, long value) {
        int from = 0;
        int to = count;
        while (from < to) {
            int middle = from + to >>> 1;
            if (sorted[middle] < value) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /**
     * How many places have a property that all places have up to some place, and none behind it; takes logarithmic time.
     *
     * @param size number of places
     * @param holds whether the place has the property
     * @return from 0 to all of them
     */
    public static int leading(int size, IntPredicate holds) {
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = from + to >>> 1;
            if (holds.test(middle)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private static boolean isSorted(long[] keys) {
        for (int i = 1; i < keys.length; i++) {
            if (keys[i] < keys[i - 1]) {
                return false;
            }
        }
        return true;
    }
}
