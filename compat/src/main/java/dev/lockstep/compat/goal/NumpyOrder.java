// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

/**
 * The order that numpy's {@code argsort} gives by default, without vector instructions: a quicksort that leaves equal
 * values in an order that looks arbitrary, but is always the same. Its pivot is the median of first, middle and last
 * value, ranges of up to 16 values are sorted by insertion, ranges that were cut too often by a heap.
 */
final class NumpyOrder {
    private static final int INSERTION = 15;

    private final long[] values;
    private final int[] places;

    private NumpyOrder(long[] values) {
        this.values = values;
        this.places = new int[values.length];
    }

    /** Places of the values, in order of the values. */
    static int[] of(long[] values) {
        NumpyOrder order = new NumpyOrder(values);
        for (int i = 0; i < values.length; i++) {
            order.places[i] = i;
        }
        int bits = 31 - Integer.numberOfLeadingZeros(Math.max(1, values.length));
        order.sort(0, values.length - 1, 2 * bits);
        return order.places;
    }

    private void sort(int first, int last, int cuts) {
        int from = first;
        int to = last;
        int left = cuts;
        while (to - from > INSERTION) {
            if (left < 0) {
                heap(from, to);
                return;
            }
            int at = cut(from, to);
            left--;
            if (at - from < to - at) {
                sort(at + 1, to, left);
                to = at - 1;
            } else {
                sort(from, at - 1, left);
                from = at + 1;
            }
        }
        insertion(from, to);
    }

    /** Puts what is less than the pivot before it; returns where the pivot is. */
    private int cut(int from, int to) {
        int middle = from + (to - from) / 2;
        inOrder(from, middle);
        inOrder(middle, to);
        inOrder(from, middle);
        long pivot = at(middle);
        swap(middle, to - 1);
        int low = from;
        int high = to - 1;
        while (true) {
            do {
                low++;
            } while (at(low) < pivot);
            do {
                high--;
            } while (pivot < at(high));
            if (low >= high) {
                swap(low, to - 1);
                return low;
            }
            swap(low, high);
        }
    }

    private void insertion(int from, int to) {
        for (int i = from + 1; i <= to; i++) {
            int place = places[i];
            int k = i;
            while (k > from && values[place] < at(k - 1)) {
                places[k] = places[k - 1];
                k--;
            }
            places[k] = place;
        }
    }

    private void heap(int from, int to) {
        int size = to - from + 1;
        for (int i = size / 2; i >= 1; i--) {
            sink(from - 1, i, size, places[from - 1 + i]);
        }
        for (int n = size; n > 1; n--) {
            int place = places[from - 1 + n];
            places[from - 1 + n] = places[from];
            sink(from - 1, 1, n - 1, place);
        }
    }

    /** Lets a place sink in a heap whose parts are counted from 1 behind a base. */
    private void sink(int base, int hole, int size, int place) {
        int i = hole;
        for (int child = 2 * i; child <= size; child = 2 * i) {
            if (child < size && at(base + child) < at(base + child + 1)) {
                child++;
            }
            if (values[place] >= at(base + child)) {
                break;
            }
            places[base + i] = places[base + child];
            i = child;
        }
        places[base + i] = place;
    }

    private void inOrder(int a, int b) {
        if (at(b) < at(a)) {
            swap(a, b);
        }
    }

    private long at(int place) {
        return values[places[place]];
    }

    private void swap(int a, int b) {
        int place = places[a];
        places[a] = places[b];
        places[b] = place;
    }
}
