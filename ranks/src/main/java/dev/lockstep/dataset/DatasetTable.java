// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.table.Schema;
import java.util.List;

/**
 * A table of a dataset. Its rows lie in the order of {@link #sortedBy}. Which run a row belongs to is no column here: the place
 * where rows are stored says it, and whoever reads them adds a column {@code run}.
 *
 * @param name as queries call it
 * @param doc one sentence that says what a row is
 * @param schema the columns; times are whole nanoseconds
 * @param sortedBy names of the columns that order the rows, the most important first
 * @param level the least level at which the table is filled
 */
public record DatasetTable(String name, String doc, Schema schema, List<String> sortedBy, Level level) {
    /** How much of a run a dataset holds. */
    public enum Level {
        /** Sums, collectives and findings: what a report of a thousand ranks needs. */
        SKETCH,
        /** Single slices, allocations and counters, too. */
        FULL;

        /** Whether a table of the other level is filled at this one. */
        public boolean holds(Level other) {
            return other.compareTo(this) <= 0;
        }
    }

    /** Copies the list. */
    public DatasetTable {
        sortedBy = List.copyOf(sortedBy);
    }

    /**
     * The place of a column.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public int column(String name) {
        for (int i = 0; i < schema.size(); i++) {
            if (schema.get(i).header().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(this.name + " has no column " + name);
    }
}
