// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** Doubles; NaN is a missing cell. */
public final class DoubleColumn implements Column {
    private final double[] values;

    DoubleColumn(double[] values) {
        this.values = values;
    }

    /**
     * {@return the value, NaN when missing}
     *
     * @param row from 0
     */
    public double get(int row) {
        return values[row];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean isMissing(int row) {
        return Double.isNaN(values[row]);
    }
}
