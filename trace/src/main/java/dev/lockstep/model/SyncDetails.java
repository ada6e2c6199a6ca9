// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What a synchronisation on the device waits for, as profilers note it beside the call that asked for it. The slice's own
 * name says which kind it is, its track which stream waits.
 */
public final class SyncDetails {
    /** The key under which a trace holds this table. */
    public static final TableKey<SyncDetails> KEY =
            new TableKey<>("sync_details", SyncDetails.class, 0, 2, SyncDetails::new);

    /** Number: {@link #stream}. */
    public static final int STREAM = 0;
    /** Number: {@link #record}. */
    public static final int RECORD = 1;

    private final DetailTable table;

    private SyncDetails(DetailTable table) {
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
     * {@return number of the stream in which the event that is waited for was recorded, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long stream(int row) {
        return table.number(STREAM, row);
    }

    /**
     * {@return correlation number of the call that recorded the event, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long record(int row) {
        return table.number(RECORD, row);
    }
}
