// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the profiler noted at launch calls about what they launch. */
public final class LaunchDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<LaunchDetails> KEY =
            new TableKey<>("launch_details", LaunchDetails.class, 1, 0, LaunchDetails::new);

    /** Text: {@link #kernel}. */
    public static final int KERNEL = 0;

    private LaunchDetails(DetailTable table) {
        super(table);
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
