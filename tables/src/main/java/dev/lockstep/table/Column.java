// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import org.jspecify.annotations.Nullable;

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

    /**
     * {@return the cell as an object: a Long, Double, Boolean or String, or null where it holds nothing}
     *
     * @param row from 0
     */
    default @Nullable Object value(int row) {
        if (isMissing(row)) {
            return null;
        }
        return switch (this) {
            case LongColumn c -> c.get(row);
            case DoubleColumn c -> c.get(row);
            case BoolColumn c -> c.get(row);
            case StringColumn c -> c.get(row);
        };
    }
}
