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
    /**
     * Copies the list of columns and checks that the parts fit.
     *
     * @throws IllegalArgumentException when there are more or fewer columns than the schema names, or one has more or
     *     fewer cells than the table has rows
     */
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

    /**
     * {@return a column of integers}
     *
     * @param column its place, from 0
     * @throws ClassCastException when it holds something else
     */
    public LongColumn longs(int column) {
        return (LongColumn) columns.get(column);
    }

    /**
     * {@return a column of doubles}
     *
     * @param column its place, from 0
     * @throws ClassCastException when it holds something else
     */
    public DoubleColumn doubles(int column) {
        return (DoubleColumn) columns.get(column);
    }

    /**
     * {@return a column of texts, of structured values or of arguments}
     *
     * @param column its place, from 0
     * @throws ClassCastException when it holds something else
     */
    public StringColumn strings(int column) {
        return (StringColumn) columns.get(column);
    }

    /**
     * {@return a column of truth values}
     *
     * @param column its place, from 0
     * @throws ClassCastException when it holds something else
     */
    public BoolColumn bools(int column) {
        return (BoolColumn) columns.get(column);
    }

    /**
     * {@return the number in a LONG or DOUBLE cell, in the unit that is shown; NaN when missing}
     *
     * @param column its place, from 0
     * @param row from 0
     * @throws IllegalArgumentException when the column holds no numbers
     */
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

    /**
     * {@return a time in a LONG or DOUBLE cell, in ns; 0 when missing}
     *
     * @param column its place, from 0; of a unit of time
     * @param row from 0
     */
    public long nanoseconds(int column, int row) {
        double scale = (double) schema.get(column).shown().scale() / Unit.NANOSECONDS.scale();
        return Math.round(shown(column, row) * scale);
    }
}
