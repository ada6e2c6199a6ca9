// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What a synchronisation on the device waits for, as profilers note it beside the call that asked for it. The slice's own
 * name says which kind it is, its track which stream waits.
 */
public final class SyncDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<SyncDetails> KEY =
            new TableKey<>("sync_details", SyncDetails.class, 0, 2, SyncDetails::new);

    /** Number: {@link #stream}. */
    public static final int STREAM = 0;
    /** Number: {@link #record}. */
    public static final int RECORD = 1;

    private SyncDetails(DetailTable table) {
        super(table);
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
     * @param correlation of the synchronisation itself: in merged files it begins with the number of the rank, which the
     *     recorded one then lacks
     */
    public long record(int row, long correlation) {
        long recorded = table.number(RECORD, row);
        boolean lacksRank = recorded >= 0 && recorded < Slices.RANK_STRIDE && correlation >= Slices.RANK_STRIDE;
        return lacksRank ? correlation / Slices.RANK_STRIDE * Slices.RANK_STRIDE + recorded : recorded;
    }
}
