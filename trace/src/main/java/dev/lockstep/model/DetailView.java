// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** A side table of slices: what is known of some slices and not of others, a row for each, under names for its columns. */
public abstract class DetailView {
    /** The columns by number. */
    protected final DetailTable table;

    /**
     * A view of a table.
     *
     * @param table the columns by number
     */
    protected DetailView(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public final int size() {
        return table.size();
    }

    /**
     * {@return the slice that a row belongs to}
     *
     * @param row row of this table, from 0
     */
    public final int slice(int row) {
        return table.slice(row);
    }

    /**
     * {@return the row of a slice, or -1}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public final int of(int slice) {
        return table.of(slice);
    }
}
