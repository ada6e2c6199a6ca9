// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import java.util.Arrays;

/**
 * A set of pairs of small numbers that lists them in the order in which CPython (3.8 and later) lists a set of such tuples:
 * by their places in a hash table. The tool numbers nodes in that order.
 */
final class PairSet {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;
    private static final int NEIGHBOURS = 9;
    private static final int MANY = 50_000;

    private long[] table = empty(8);
    private int size;

    /** Adds a pair that is not yet in the set. */
    void add(int first, int second) {
        insert(table, (long) first << Integer.SIZE | second);
        size++;
        if (size * 5L >= (table.length - 1) * 3L) {
            long wanted = size > MANY ? size * 2L : size * 4L;
            long[] larger = empty(Math.toIntExact(Long.highestOneBit(wanted) * 2));
            for (long pair : table) {
                if (pair >= 0) {
                    insert(larger, pair);
                }
            }
            table = larger;
        }
    }

    int size() {
        return size;
    }

    /** The pairs, the first number of each in the upper half. */
    long[] inOrder() {
        return Arrays.stream(table).filter(pair -> pair >= 0).toArray();
    }

    private static void insert(long[] table, long pair) {
        int mask = table.length - 1;
        long perturb = hash(pair);
        int place = (int) perturb & mask;
        while (true) {
            int last = place + NEIGHBOURS <= mask ? place + NEIGHBOURS : place;
            for (int i = place; i <= last; i++) {
                if (table[i] < 0) {
                    table[i] = pair;
                    return;
                }
            }
            perturb >>>= 5;
            place = (int) (place * 5L + 1 + perturb) & mask;
        }
    }

    private static long hash(long pair) {
        long hash = PRIME_5;
        hash = Long.rotateLeft(hash + (pair >>> Integer.SIZE) * PRIME_2, 31) * PRIME_1;
        hash = Long.rotateLeft(hash + (pair & 0xFFFFFFFFL) * PRIME_2, 31) * PRIME_1;
        hash += 2 ^ PRIME_5 ^ 3527539L;
        return hash == -1 ? 1546275796L : hash;
    }

    private static long[] empty(int capacity) {
        long[] table = new long[capacity];
        Arrays.fill(table, -1);
        return table;
    }
}
