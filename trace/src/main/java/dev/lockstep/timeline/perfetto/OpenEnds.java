// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import java.util.Arrays;

/** The ends of the slices that are open: the earliest comes first; of equal ones the slice that began last. A heap. */
final class OpenEnds {
    private long[] ends = new long[64];
    private int[] numbers = new int[64];
    private int[] rows = new int[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The earliest end. */
    long first() {
        return ends[0];
    }

    /**
     * @param number grows from slice to slice
     * @param row where the slice lies
     */
    void add(long end, int number, int row) {
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size * 2);
            numbers = Arrays.copyOf(numbers, size * 2);
            rows = Arrays.copyOf(rows, size * 2);
        }
        int i = size++;
        while (i > 0) {
            int above = i - 1 >>> 1;
            if (!before(end, number, above)) {
                break;
            }
            move(above, i);
            i = above;
        }
        put(i, end, number, row);
    }

    /** Takes the earliest away; returns where it lies. */
    int remove() {
        int first = rows[0];
        size--;
        long end = ends[size];
        int number = numbers[size];
        int i = 0;
        while (true) {
            int below = 2 * i + 1;
            if (below >= size) {
                break;
            }
            if (below + 1 < size && before(ends[below + 1], numbers[below + 1], below)) {
                below++;
            }
            if (before(end, number, below)) {
                break;
            }
            move(below, i);
            i = below;
        }
        put(i, end, number, rows[size]);
        return first;
    }

    private boolean before(long end, int number, int other) {
        return end != ends[other] ? end < ends[other] : number > numbers[other];
    }

    private void move(int from, int to) {
        put(to, ends[from], numbers[from], rows[from]);
    }

    private void put(int at, long end, int number, int row) {
        ends[at] = end;
        numbers[at] = number;
        rows[at] = row;
    }
}
