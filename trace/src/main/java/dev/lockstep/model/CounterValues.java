// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What counters said: a row for each mark of phase {@code 'C'} whose values the file states. */
public final class CounterValues {
    /** The key under which a trace holds this table; its rows belong to {@link Marks}. */
    public static final TableKey<CounterValues> KEY =
            new TableKey<>("counter_values", CounterValues.class, 1, 0, CounterValues::new);

    /** Text: {@link #values}. */
    public static final int VALUES = 0;

    private final DetailTable table;

    private CounterValues(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
    }

    /**
     * {@return the mark that a row belongs to: row of {@link Marks}}
     *
     * @param row row of this table, from 0
     */
    public int mark(int row) {
        return table.slice(row);
    }

    /**
     * {@return pool id of the values by name, as the JSON text of an object, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int values(int row) {
        return table.text(VALUES, row);
    }
}
