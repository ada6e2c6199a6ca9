// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** The events that end slices, of slices that the file writes as two events: one where they begin, one where they end. */
public final class EndEvents {
    /** The key under which a trace holds this table. */
    public static final TableKey<EndEvents> KEY = new TableKey<>("end_events", EndEvents.class, 0, 1, EndEvents::new);

    static final int INDEX = 0;

    private final DetailTable table;

    private EndEvents(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
    }

    /**
     * {@return the slice of a row}
     *
     * @param row row of this table, from 0
     */
    public int slice(int row) {
        return table.slice(row);
    }

    /**
     * {@return place of the event that ends the slice, among all events of the file}
     *
     * @param row row of this table, from 0
     */
    public int index(int row) {
        return (int) table.number(INDEX, row);
    }
}
