// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.RowBatch;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/** A table of DuckDB whose rows come from batches, in their order. It can be read once. */
final class BatchFunction implements DuckDBTableFunction<BatchFunction, BatchFunction, BatchFunction> {
    /** Where batches come from. */
    interface Source {
        /** The next batch; null behind the last. */
        @Nullable
        RowBatch next(@Nullable RowBatch before) throws InterruptedException;
    }

    private final DatasetTable table;
    private final Source source;
    private final @Nullable StringPool[] pools;
    /** The texts of these pools in UTF-8, as far as they were needed. */
    private final byte[][][] texts;

    private @Nullable RowBatch batch;
    private int place;
    private boolean finished;

    BatchFunction(DatasetTable table, Source source) {
        this.table = table;
        this.source = source;
        pools = new StringPool[table.schema().size()];
        texts = new byte[pools.length][][];
    }

    /** The type that a column has in DuckDB. */
    static DuckDBColumnType type(ColumnType type) {
        return switch (type) {
            case LONG -> DuckDBColumnType.BIGINT;
            case DOUBLE -> DuckDBColumnType.DOUBLE;
            case BOOL -> DuckDBColumnType.BOOLEAN;
            case STRING, JSON, ARGUMENTS -> DuckDBColumnType.VARCHAR;
        };
    }

    @Override
    public BatchFunction bind(DuckDBTableFunctionBindInfo info) {
        for (ColumnSpec column : table.schema().columns()) {
            info.addResultColumn(column.header(), type(column.type()));
        }
        return this;
    }

    @Override
    public BatchFunction init(DuckDBTableFunctionInitInfo info) {
        info.setMaxThreads(1);
        return this;
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter chunk) throws InterruptedException {
        RowBatch rows = current();
        if (rows == null) {
            return 0;
        }
        int count = (int) Math.min(chunk.capacity(), rows.size() - place);
        for (int column = 0; column < pools.length; column++) {
            DuckDBWritableVector vector = chunk.vector(column);
            switch (table.schema().get(column).type()) {
                case LONG -> longs(vector, rows.longs(column), count);
                case DOUBLE -> doubles(vector, rows.doubles(column), count);
                case BOOL -> bools(vector, rows.bools(column), count);
                case STRING, JSON, ARGUMENTS -> texts(vector, rows, column, count);
            }
        }
        place += count;
        return count;
    }

    private @Nullable RowBatch current() throws InterruptedException {
        while (!finished && (batch == null || place == batch.size())) {
            batch = source.next(batch);
            place = 0;
            finished = batch == null;
            if (finished) { // the database keeps this
                Arrays.fill(pools, null);
                Arrays.fill(texts, null);
            }
        }
        return batch;
    }

    private void longs(DuckDBWritableVector vector, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            long value = values[place + i];
            if (value == LongColumn.ABSENT) {
                vector.setNull(i);
            } else {
                vector.setLong(i, value);
            }
        }
    }

    private void doubles(DuckDBWritableVector vector, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            double value = values[place + i];
            if (Double.isNaN(value)) {
                vector.setNull(i);
            } else {
                vector.setDouble(i, value);
            }
        }
    }

    private void bools(DuckDBWritableVector vector, boolean[] values, int count) {
        for (int i = 0; i < count; i++) {
            vector.setBoolean(i, values[place + i]);
        }
    }

    private void texts(DuckDBWritableVector vector, RowBatch rows, int column, int count) {
        StringPool pool = rows.pool(column);
        if (pool != pools[column] || texts[column] == null) {
            pools[column] = pool;
            texts[column] = new byte[pool == null ? 0 : pool.size()][];
        }
        int[] ids = rows.texts(column);
        byte[] @Nullable [] cells = new byte[count][];
        for (int i = 0; i < count; i++) {
            int id = ids[place + i];
            cells[i] = pool == null || id < 0 ? null : text(column, pool, id);
        }
        vector.setStringUtf8Batch(0, cells);
    }

    private byte[] text(int column, StringPool pool, int id) {
        byte[][] known = texts[column];
        if (id >= known.length) {
            known = texts[column] = Arrays.copyOf(known, Math.max(pool.size(), id + 1));
        }
        byte[] text = known[id];
        if (text == null) {
            text = new byte[pool.length(id)];
            byte[] padded = new byte[text.length + Long.BYTES];
            pool.copy(id, padded, 0);
            System.arraycopy(padded, 0, text, 0, text.length);
            known[id] = text;
        }
        return text;
    }
}
