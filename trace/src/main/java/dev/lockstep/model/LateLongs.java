// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.LongList;

/** A number for each row, -1 where a row has none. Rows behind the last one with a number take no memory. */
final class LateLongs {
    private static final int[] NO_ROWS = {};

    private final LongList values;

    /** @param capacity how many rows up to the last number there may be; only a hint */
    LateLongs(int capacity) {
        values = new LongList(capacity);
    }

    long get(int row) {
        return row < values.size() ? values.get(row) : -1;
    }

    void set(int row, long value) {
        if (row < values.size()) {
            values.set(row, value);
        } else if (value != -1) {
            pad(row);
            values.add(value);
        }
    }

    /** Appends the numbers of other rows, of which the first becomes this row. */
    void append(LateLongs later, int firstRow) {
        if (later.values.size() > 0) {
            pad(firstRow);
            values.addAll(later.values);
        }
    }

    private void pad(int rows) {
        while (values.size() < rows) {
            values.add(-1);
        }
    }

    /** The numbers of these rows, in this order; gives the memory up and is empty afterwards. */
    long[] take(int[] rows) {
        long[] taken = new long[rows.length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = get(rows[i]);
        }
        values.take(NO_ROWS);
        return taken;
    }

    void clear() {
        values.clear();
    }
}
