// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/**
 * Numbers tuples of ints, without an object for each: a tuple is walked from {@link #ROOT} value by value, and equal
 * tuples of one length end at equal numbers.
 */
public final class IntTuples {
    /** The empty tuple. */
    public static final int ROOT = 0;

    private final LongIntMap next = new LongIntMap(256);

    /** Knows the empty tuple alone. */
    public IntTuples() {}

    /**
     * The tuple that follows when this value is added; numbers are small, in order of first appearance.
     *
     * @param tuple number of a tuple, {@link #ROOT} for the empty one
     * @param value the value to add
     * @return the number of the longer tuple
     */
    public int then(int tuple, int value) {
        long key = (long) tuple << 32 | value & 0xFFFFFFFFL;
        int known = next.get(key);
        if (known < 0) {
            known = next.size() + 1;
            next.put(key, known);
        }
        return known;
    }
}
