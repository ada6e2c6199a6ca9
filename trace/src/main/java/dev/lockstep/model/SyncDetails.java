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

    public static final int STREAM = 0;
    public static final int RECORD = 1;

    private final DetailTable table;

    private SyncDetails(DetailTable table) {
        this.table = table;
    }

    /** Number of rows. */
    public int size() {
        return table.size();
    }

    /** The slice that a row belongs to. */
    public int slice(int row) {
        return table.slice(row);
    }

    /** The row of a slice, or -1. */
    public int of(int slice) {
        return table.of(slice);
    }

    /** Number of the stream in which the event that is waited for was recorded, -1 when absent. */
    public long stream(int row) {
        return table.number(STREAM, row);
    }

    /** Correlation number of the call that recorded the event, -1 when absent. */
    public long record(int row) {
        return table.number(RECORD, row);
    }
}
