// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** 64-bit integers. */
public final class LongColumn implements Column {
    /** The value that stands for a missing cell. */
    public static final long ABSENT = Long.MIN_VALUE;

    private final long[] values;

    LongColumn(long[] values) {
        this.values = values;
    }

    /**
     * {@return a column of these cells}
     *
     * @param cells values, {@link #ABSENT} for missing ones
     */
    public static LongColumn of(LongList cells) {
        return new LongColumn(cells.toArray());
    }

    /**
     * {@return the value, {@link #ABSENT} when missing}
     *
     * @param row from 0
     */
    public long get(int row) {
        return values[row];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean isMissing(int row) {
        return values[row] == ABSENT;
    }
}
