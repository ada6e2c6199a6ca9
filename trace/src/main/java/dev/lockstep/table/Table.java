// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.List;

/**
 * An immutable table of results.
 *
 * @param name the sheet's name: file stem of its CSV, name of its worksheet
 * @param title what a person reads above it
 * @param schema the columns
 * @param columns the cells, one column each, all of {@code rows} cells
 * @param rows number of rows
 */
public record Table(String name, String title, Schema schema, List<Column> columns, int rows) {
    public Table {
        columns = List.copyOf(columns);
        if (columns.size() != schema.size()) {
            throw new IllegalArgumentException(
                    name + ": " + columns.size() + " columns for a schema of " + schema.size());
        }
        for (Column column : columns) {
            if (column.size() != rows) {
                throw new IllegalArgumentException(
                        name + ": a column of " + column.size() + " cells in " + rows + " rows");
            }
        }
    }

    public LongColumn longs(int column) {
        return (LongColumn) columns.get(column);
    }

    public DoubleColumn doubles(int column) {
        return (DoubleColumn) columns.get(column);
    }

    public StringColumn strings(int column) {
        return (StringColumn) columns.get(column);
    }

    public BoolColumn bools(int column) {
        return (BoolColumn) columns.get(column);
    }

    /** The number in a LONG or DOUBLE cell, in the unit that is shown; NaN when missing. */
    public double shown(int column, int row) {
        Column cells = columns.get(column);
        if (cells.isMissing(row)) {
            return Double.NaN;
        }
        double divisor = schema.get(column).divisor();
        return switch (cells) {
            case LongColumn c -> c.get(row) / divisor;
            case DoubleColumn c -> c.get(row) / divisor;
            case BoolColumn c ->
                throw new IllegalArgumentException(schema.get(column).header() + " holds no numbers");
            case StringColumn c ->
                throw new IllegalArgumentException(schema.get(column).header() + " holds no numbers");
        };
    }
}
