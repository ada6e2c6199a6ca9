// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.table.StringPool;
import java.io.IOException;

/** Rows of one table on their way to a sink, batch by batch. Finish it behind the last row of a rank. Confined to one thread. */
final class BatchRows {
    private final BatchSink sink;
    private final DatasetTable table;
    private final StringPool texts;
    private final int[] shared;
    private RowBatch batch;

    /**
     * @param texts the pool that the columns {@code shared} have their texts in
     * @param shared names of columns; the other columns of text get pools of their own
     */
    BatchRows(BatchSink sink, DatasetTable table, StringPool texts, String... shared) {
        this.sink = sink;
        this.table = table;
        this.texts = texts;
        this.shared = new int[shared.length];
        for (int i = 0; i < shared.length; i++) {
            this.shared[i] = table.column(shared[i]);
        }
        batch = fresh();
    }

    /** Begins a row, whose cells are set in the batch that this returns. */
    RowBatch next() throws IOException {
        if (batch.isFull()) {
            sink.add(batch);
            batch = fresh();
        }
        batch.row();
        return batch;
    }

    /** Hands on what is left of a rank; rows of another may follow. */
    void finish() throws IOException {
        if (batch.size() > 0) {
            sink.add(batch);
            batch = fresh();
        }
    }

    private RowBatch fresh() {
        RowBatch empty = sink.batch(table);
        for (int column : shared) {
            empty.pool(column, texts);
        }
        return empty;
    }
}
