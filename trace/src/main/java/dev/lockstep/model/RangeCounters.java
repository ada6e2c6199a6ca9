// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What CUPTI's range profiler counted in single kernels; each is a slice of the category {@link #CATEGORY}. */
public final class RangeCounters {
    /** The category of such slices. */
    public static final String CATEGORY = "cuda_profiler_range";

    /** The key under which a trace holds this table. */
    public static final TableKey<RangeCounters> KEY =
            new TableKey<>("range_counters", RangeCounters.class, 1, 0, RangeCounters::new);

    /** Text: {@link #values}. */
    public static final int VALUES = 0;

    private final DetailTable table;

    private RangeCounters(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
    }

    /**
     * {@return the slice that a row belongs to}
     *
     * @param row row of this table, from 0
     */
    public int slice(int row) {
        return table.slice(row);
    }

    /**
     * {@return the row of a slice, or -1}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public int of(int slice) {
        return table.of(slice);
    }

    /**
     * {@return pool id of the counters by name, as the JSON text of an object}
     *
     * @param row row of this table, from 0
     */
    public int values(int row) {
        return table.text(VALUES, row);
    }
}
