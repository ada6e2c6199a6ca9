// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** The cells of one column. Immutable. */
public sealed interface Column permits LongColumn, DoubleColumn, BoolColumn, StringColumn {
    /** Number of cells. */
    int size();

    /** Whether the cell holds nothing. */
    boolean isMissing(int row);
}
