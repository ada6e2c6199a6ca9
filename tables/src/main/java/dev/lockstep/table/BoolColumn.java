// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** Truth values. */
public final class BoolColumn implements Column {
    private final boolean[] values;

    BoolColumn(boolean[] values) {
        this.values = values;
    }

    /**
     * {@return the value; cells that are missing hold false}
     *
     * @param row from 0
     */
    public boolean get(int row) {
        return values[row];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean isMissing(int row) {
        return false;
    }
}
