// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import java.io.IOException;

/**
 * Stores the rows of tables. Rows of a table come in the order of the table, batch by batch, and those of a batch are of one
 * rank; tables come in any order and may take turns. Confined to one thread.
 */
public interface BatchSink {
    /** Whether rows of a table are wanted at all; those of others are not made. */
    default boolean wants(DatasetTable table) {
        return true;
    }

    /** An empty batch for rows of a table, to be filled and handed to {@link #add}. */
    RowBatch batch(DatasetTable table);

    /**
     * Takes a batch of {@link #batch} over; whoever filled it must not touch it again.
     *
     * @throws IOException when the rows cannot be stored
     */
    void add(RowBatch batch) throws IOException;
}
