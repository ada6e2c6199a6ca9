// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What CUPTI's range profiler counted in single kernels; each is a slice of the category {@link #CATEGORY}. */
public final class RangeCounters extends DetailView {
    /** The category of such slices. */
    public static final String CATEGORY = "cuda_profiler_range";

    /** The key under which a trace holds this table. */
    public static final TableKey<RangeCounters> KEY =
            new TableKey<>("range_counters", RangeCounters.class, 1, 0, RangeCounters::new);

    /** Text: {@link #values}. */
    public static final int VALUES = 0;

    private RangeCounters(DetailTable table) {
        super(table);
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
