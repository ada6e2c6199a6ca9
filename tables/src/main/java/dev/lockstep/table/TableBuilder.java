// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects rows and makes the table once. Confined to one thread. */
public final class TableBuilder {
    private final String name;
    private final String title;
    private final Schema schema;
    private final Object[] stores;
    private int rows;

    /**
     * A table without rows.
     *
     * @param name the sheet's name
     * @param title what a person reads above it
     * @param schema the columns
     */
    public TableBuilder(String name, String title, Schema schema) {
        this.name = name;
        this.title = title;
        this.schema = schema;
        this.stores = new Object[schema.size()];
        for (int i = 0; i < stores.length; i++) {
            stores[i] = store(schema.get(i).type(), 16);
        }
    }

    /**
     * Appends a row. Integers and counts as {@link Long} or {@link Integer}, doubles as {@link Double}, truth values as
     * {@link Boolean}, text and JSON as {@link String}; null for a missing cell.
     *
     * @param cells one for each column
     * @return this builder
     * @throws IllegalArgumentException when there are more or fewer cells than columns
     */
    public TableBuilder row(@Nullable Object... cells) {
        if (cells.length != schema.size()) {
            throw new IllegalArgumentException(
                    name + ": a row of " + cells.length + " cells for " + schema.size() + " columns");
        }
        for (int i = 0; i < cells.length; i++) {
            put(i, cells[i]);
        }
        rows++;
        return this;
    }

    /** {@return the finished table; the builder must not be used afterwards} */
    public Table build() {
        List<Column> columns = new ArrayList<>(stores.length);
        for (Object store : stores) {
            columns.add(
                    switch (store) {
                        case long[] a -> new LongColumn(Arrays.copyOf(a, rows));
                        case double[] a -> new DoubleColumn(Arrays.copyOf(a, rows));
                        case boolean[] a -> new BoolColumn(Arrays.copyOf(a, rows));
                        case String[] a -> new StringColumn(Arrays.copyOf(a, rows));
                        default -> throw new IllegalStateException();
                    });
        }
        return new Table(name, title, schema, columns, rows);
    }

    private void put(int column, @Nullable Object cell) {
        Object store = stores[column] = withRoom(stores[column]);
        switch (store) {
            case long[] a -> a[rows] = cell == null ? LongColumn.ABSENT : ((Number) cell).longValue();
            case double[] a -> a[rows] = cell == null ? Double.NaN : ((Number) cell).doubleValue();
            case boolean[] a -> a[rows] = cell != null && (Boolean) cell;
            case String[] a -> a[rows] = (String) cell;
            default -> throw new IllegalStateException();
        }
    }

    private Object withRoom(Object store) {
        return switch (store) {
            case long[] a -> rows < a.length ? a : Arrays.copyOf(a, rows * 2);
            case double[] a -> rows < a.length ? a : Arrays.copyOf(a, rows * 2);
            case boolean[] a -> rows < a.length ? a : Arrays.copyOf(a, rows * 2);
            case String[] a -> rows < a.length ? a : Arrays.copyOf(a, rows * 2);
            default -> throw new IllegalStateException();
        };
    }

    private static Object store(ColumnType type, int capacity) {
        return switch (type) {
            case LONG -> new long[capacity];
            case DOUBLE -> new double[capacity];
            case BOOL -> new boolean[capacity];
            case STRING, JSON, ARGUMENTS -> new String[capacity];
        };
    }
}
