// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.IntList;

/**
 * Collects the rows of a side table. A row is begun with {@link #add} and filled with {@link #text} and {@link #number};
 * what is not filled is absent. Confined to one thread.
 */
public final class DetailRows {
    private static final int FIRST_CAPACITY = 16;

    private final IntList slices = new IntList(FIRST_CAPACITY);
    private final IntList[] texts;
    private final LateLongs[] numbers;

    DetailRows(TableKey<?> key) {
        texts = new IntList[key.texts()];
        numbers = new LateLongs[key.numbers()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new IntList(FIRST_CAPACITY);
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = new LateLongs(0);
        }
    }

    /**
     * Begins a row for the slice that was added to the builder with this number. A later row replaces an earlier one.
     *
     * @param slice its number in the builder
     */
    public void add(int slice) {
        slices.add(slice);
        for (IntList column : texts) {
            column.add(-1);
        }
    }

    /**
     * Sets a text of the row begun last.
     *
     * @param column place among the texts of the table's key
     * @param poolId id in the builder's pool, -1 for none
     */
    public void text(int column, int poolId) {
        texts[column].set(slices.size() - 1, poolId);
    }

    /**
     * Sets a number of the row begun last.
     *
     * @param column place among the numbers of the table's key
     * @param value the number, -1 for none
     */
    public void number(int column, long value) {
        numbers[column].set(slices.size() - 1, value);
    }

    /**
     * States a number of an earlier row anew, for readers that learn it late.
     *
     * @param column place among the numbers of the table's key
     * @param row row of this table, from 0
     * @param value the number, -1 for none
     */
    public void setNumber(int column, int row, long value) {
        numbers[column].set(row, value);
    }

    /** Forgets all rows. */
    void clear() {
        slices.clear();
        for (IntList column : texts) {
            column.clear();
        }
        for (LateLongs column : numbers) {
            column.clear();
        }
    }

    /** {@return number of rows so far} */
    public int size() {
        return slices.size();
    }

    /**
     * {@return the slice of a row: its number in the builder}
     *
     * @param row row of this table, from 0
     */
    public int slice(int row) {
        return slices.get(row);
    }

    /**
     * {@return a text of a row: a pool id, -1 for none}
     *
     * @param column place among the texts of the table's key
     * @param row row of this table, from 0
     */
    public int textOf(int column, int row) {
        return texts[column].get(row);
    }

    /**
     * {@return a number of a row, -1 for none}
     *
     * @param column place among the numbers of the table's key
     * @param row row of this table, from 0
     */
    public long numberOf(int column, int row) {
        return numbers[column].get(row);
    }

    /**
     * States a text of an earlier row anew, for readers that learn it late.
     *
     * @param column place among the texts of the table's key
     * @param row row of this table, from 0
     * @param poolId id in the builder's pool, -1 for none
     */
    public void setText(int column, int row, int poolId) {
        texts[column].set(row, poolId);
    }

    /** Adds a row of another collection of the same kind and pool, for a slice of this one. */
    void copy(DetailRows other, int row, int slice) {
        add(slice);
        for (int i = 0; i < texts.length; i++) {
            text(i, other.texts[i].get(row));
        }
        for (int i = 0; i < numbers.length; i++) {
            number(i, other.numbers[i].get(row));
        }
    }

    /**
     * Takes over the rows of a finished table.
     *
     * @param moved the numbers of slices here, by those there; -1 for those that are not here
     */
    void addAll(DetailTable table, int[] moved) {
        for (int row = 0; row < table.size(); row++) {
            if (moved[table.slice(row)] < 0) {
                continue;
            }
            slices.add(moved[table.slice(row)]);
            for (int c = 0; c < texts.length; c++) {
                texts[c].add(table.text(c, row));
            }
            for (int c = 0; c < numbers.length; c++) {
                numbers[c].set(slices.size() - 1, table.number(c, row));
            }
        }
    }

    void append(DetailRows later, int sliceShift, int[] renumbered) {
        int before = slices.size();
        slices.addAll(later.slices, sliceShift);
        for (int i = 0; i < texts.length; i++) {
            texts[i].addAll(later.texts[i], renumbered);
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i].append(later.numbers[i], before);
        }
    }

    /**
     * The finished table.
     *
     * @param newRow the final row of each slice, -1 for one that was left out
     * @param sliceCount number of slices that were kept
     */
    DetailTable build(int[] newRow, int sliceCount) {
        int[] rowOfSlice = new int[sliceCount];
        int kept = 0;
        for (int i = 0; i < slices.size(); i++) {
            int slice = newRow[slices.get(i)];
            if (slice >= 0) {
                kept += rowOfSlice[slice] == 0 ? 1 : 0;
                rowOfSlice[slice] = i + 1;
            }
        }
        int[] order = new int[kept];
        int[] sorted = new int[kept];
        int n = 0;
        for (int slice = 0; slice < sliceCount; slice++) {
            if (rowOfSlice[slice] > 0) {
                order[n] = rowOfSlice[slice] - 1;
                sorted[n++] = slice;
            }
        }
        int[][] textColumns = new int[texts.length][];
        for (int c = 0; c < texts.length; c++) {
            textColumns[c] = texts[c].take(order);
        }
        NarrowColumn[] numberColumns = new NarrowColumn[numbers.length];
        for (int c = 0; c < numbers.length; c++) {
            numberColumns[c] = new NarrowColumn(numbers[c].take(order));
        }
        return new DetailTable(sorted, sliceCount, textColumns, numberColumns);
    }
}
