// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.List;

/** The columns of a table, in order. */
public record Schema(List<ColumnSpec> columns) {
    public Schema {
        columns = List.copyOf(columns);
    }

    /** A schema of these columns. */
    public static Schema of(ColumnSpec... columns) {
        return new Schema(List.of(columns));
    }

    public int size() {
        return columns.size();
    }

    public ColumnSpec get(int column) {
        return columns.get(column);
    }

    /** The place of the column with this header, or -1. */
    public int indexOf(String header) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).header().equals(header)) {
                return i;
            }
        }
        return -1;
    }
}
