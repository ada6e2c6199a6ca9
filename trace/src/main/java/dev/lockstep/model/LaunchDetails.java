// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the profiler noted at launch calls about what they launch. */
public final class LaunchDetails {
    /** The key under which a trace holds this table. */
    public static final TableKey<LaunchDetails> KEY =
            new TableKey<>("launch_details", LaunchDetails.class, 1, 0, LaunchDetails::new);

    /** Text: {@link #kernel}. */
    public static final int KERNEL = 0;

    private final DetailTable table;

    private LaunchDetails(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
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
     * {@return pool id of the name of the kernel that the call launches, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int kernel(int row) {
        return table.text(KERNEL, row);
    }
}
