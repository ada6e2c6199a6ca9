// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** The cells of one column. Immutable. */
public sealed interface Column permits LongColumn, DoubleColumn, BoolColumn, StringColumn {
    /** {@return number of cells} */
    int size();

    /**
     * {@return whether the cell holds nothing}
     *
     * @param row from 0
     */
    boolean isMissing(int row);
}
