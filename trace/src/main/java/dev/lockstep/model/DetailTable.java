// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;

/** The rows of a side table, for slices that have them; typed views give the columns names. Immutable. */
public final class DetailTable {
    private final int[] slices;
    private final int[] ofSlice;
    private final int[][] texts;
    private final NarrowColumn[] numbers;

    /**
     * @param slices the slice of each row, ascending; the arrays pass to this object
     * @param sliceCount number of slices in the trace
     */
    DetailTable(int[] slices, int sliceCount, int[][] texts, NarrowColumn[] numbers) {
        this.slices = slices;
        this.texts = texts;
        this.numbers = numbers;
        this.ofSlice = new int[sliceCount];
        Arrays.fill(ofSlice, -1);
        for (int i = 0; i < slices.length; i++) {
            ofSlice[slices[i]] = i;
        }
    }

    /** {@return number of rows} */
    public int size() {
        return slices.length;
    }

    /**
     * {@return the slice that a row belongs to}
     *
     * @param row row of this table, from 0
     */
    public int slice(int row) {
        return slices[row];
    }

    /**
     * {@return the row of a slice, or -1}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public int of(int slice) {
        return ofSlice[slice];
    }

    /**
     * {@return a pool id, -1 when absent}
     *
     * @param column place among the texts of the table's key
     * @param row row of this table, from 0
     */
    public int text(int column, int row) {
        return texts[column][row];
    }

    /**
     * {@return a number, -1 when absent}
     *
     * @param column place among the numbers of the table's key
     * @param row row of this table, from 0
     */
    public long number(int column, int row) {
        return numbers[column].get(row);
    }
}
