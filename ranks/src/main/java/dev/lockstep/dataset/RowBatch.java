// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.table.ColumnType;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a table, column by column, without an object for each. A text is the number it has in a pool, which may be the
 * pool of a trace; each column of text has one. What is not set is missing. Confined to one thread.
 */
public final class RowBatch {
    /** So many rows a batch holds. */
    public static final int ROWS = 8192;

    private final DatasetTable table;
    private final Object[] columns;
    private final @Nullable StringPool[] pools;
    private int size;

    /** An empty batch. */
    public RowBatch(DatasetTable table) {
        this.table = table;
        columns = new Object[table.schema().size()];
        pools = new StringPool[columns.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = switch (table.schema().get(i).type()) {
                case LONG -> new long[ROWS];
                case DOUBLE -> new double[ROWS];
                case BOOL -> new boolean[ROWS];
                case STRING, JSON, ARGUMENTS -> new int[ROWS];
            };
        }
        size = ROWS;
        clear();
    }

    /** Forgets all rows. */
    public void clear() {
        for (Object column : columns) {
            switch (column) {
                case long[] longs -> Arrays.fill(longs, 0, size, LongColumn.ABSENT);
                case double[] doubles -> Arrays.fill(doubles, 0, size, Double.NaN);
                case boolean[] bools -> Arrays.fill(bools, 0, size, false);
                case int[] ids -> Arrays.fill(ids, 0, size, -1);
                default -> throw new IllegalStateException();
            }
        }
        Arrays.fill(pools, null);
        size = 0;
    }

    /** {@return what the rows are of} */
    public DatasetTable table() {
        return table;
    }

    /** {@return number of rows} */
    public int size() {
        return size;
    }

    /** {@return whether no row fits in any more} */
    public boolean isFull() {
        return size == ROWS;
    }

    /** Begins a row; {@code set} fills it. */
    public void row() {
        size++;
    }

    /**
     * Sets a cell of the last row.
     *
     * @param value {@link LongColumn#ABSENT} for none
     */
    public void set(int column, long value) {
        ((long[]) columns[column])[size - 1] = value;
    }

    /** Sets a cell of the last row to a count or id that is missing if negative. */
    public void setId(int column, long value) {
        ((long[]) columns[column])[size - 1] = value < 0 ? LongColumn.ABSENT : value;
    }

    /**
     * Sets a cell of the last row.
     *
     * @param value NaN for none
     */
    public void set(int column, double value) {
        ((double[]) columns[column])[size - 1] = value;
    }

    /** Sets a cell of the last row. */
    public void set(int column, boolean value) {
        ((boolean[]) columns[column])[size - 1] = value;
    }

    /**
     * Sets a cell of the last row to a text of the column's pool.
     *
     * @param id -1 for none
     */
    public void setText(int column, int id) {
        ((int[]) columns[column])[size - 1] = id;
    }

    /** Sets a cell of the last row to a text that is not in a pool yet; the column must have none of another's. */
    public void set(int column, @Nullable String text) {
        StringPool pool = pools[column];
        if (pool == null) {
            pool = new StringPool();
            pools[column] = pool;
        }
        ((int[]) columns[column])[size - 1] = text == null ? -1 : pool.intern(text);
    }

    /** Says where the texts of a column are; the same for all rows of a batch. */
    public void pool(int column, StringPool pool) {
        pools[column] = pool;
    }

    /** {@return the numbers of a column of type {@link ColumnType#LONG}, of which the first {@link #size} count} */
    public long[] longs(int column) {
        return (long[]) columns[column];
    }

    /** {@return the numbers of a column of type {@link ColumnType#DOUBLE}, likewise} */
    public double[] doubles(int column) {
        return (double[]) columns[column];
    }

    /** {@return the values of a column of type {@link ColumnType#BOOL}, likewise} */
    public boolean[] bools(int column) {
        return (boolean[]) columns[column];
    }

    /** {@return the texts of any other column as numbers in {@link #pool(int)}, likewise; -1 for none} */
    public int[] texts(int column) {
        return (int[]) columns[column];
    }

    /** {@return the texts that the numbers of a column stand for; null where it has none} */
    public @Nullable StringPool pool(int column) {
        return pools[column];
    }
}
