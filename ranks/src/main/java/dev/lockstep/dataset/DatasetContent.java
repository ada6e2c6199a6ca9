// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.dataset.DatasetTable.Level;

/**
 * How much of a run goes into its tables.
 *
 * @param level which tables are filled
 * @param findings whether findings of single ranks are wanted, for which the report of each is made
 * @param arguments whether slices get their arguments, for which traces are read with everything
 */
public record DatasetContent(Level level, boolean findings, boolean arguments) {
    /** All that reading a run for its meaning gives. */
    public static DatasetContent of(Level level) {
        return new DatasetContent(level, false, false);
    }
}
