// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.List;

/**
 * The columns of a table, in order.
 *
 * @param columns from left to right
 */
public record Schema(List<ColumnSpec> columns) {
    /** Copies the list. */
    public Schema {
        columns = List.copyOf(columns);
    }

    /**
     * {@return a schema of these columns}
     *
     * @param columns from left to right
     */
    public static Schema of(ColumnSpec... columns) {
        return new Schema(List.of(columns));
    }

    /** {@return the number of columns} */
    public int size() {
        return columns.size();
    }

    /**
     * {@return a column}
     *
     * @param column its place, from 0
     */
    public ColumnSpec get(int column) {
        return columns.get(column);
    }

    /**
     * {@return the place of the column with this header, or -1}
     *
     * @param header the text at the head of the sheet, letter by letter
     */
    public int indexOf(String header) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).header().equals(header)) {
                return i;
            }
        }
        return -1;
    }
}
