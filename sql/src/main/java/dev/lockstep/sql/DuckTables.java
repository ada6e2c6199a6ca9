// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.BatchSink;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.RowBatch;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Fills tables of a database with the rows of a run, each with a column {@code run} in front. The tables are there when it is
 * closed. Confined to one thread.
 */
final class DuckTables implements BatchSink, AutoCloseable {
    private final DuckDatabase database;
    private final String run;
    private final Map<DatasetTable, BatchLoad> open = new LinkedHashMap<>();

    /**
     * Tables of a run.
     *
     * @param run name of the run
     * @param tables those that shall be there, even if no rows come for them, and of each what is kept: the query by what it
     *     reads from; no others are wanted
     */
    DuckTables(DuckDatabase database, String run, Map<DatasetTable, UnaryOperator<String>> tables) throws IOException {
        this.database = database;
        this.run = run;
        for (Map.Entry<DatasetTable, UnaryOperator<String>> table : tables.entrySet()) {
            open.put(table.getKey(), load(table.getKey(), table.getValue()));
        }
    }

    /** Of these tables everything. */
    static Map<DatasetTable, UnaryOperator<String>> whole(Iterable<DatasetTable> tables) {
        Map<DatasetTable, UnaryOperator<String>> whole = new LinkedHashMap<>();
        tables.forEach(table -> whole.put(table, rows -> "SELECT * FROM " + rows));
        return whole;
    }

    @Override
    public boolean wants(DatasetTable table) {
        return open.containsKey(table);
    }

    @Override
    public RowBatch batch(DatasetTable table) {
        return of(table).batch();
    }

    @Override
    public void add(RowBatch batch) throws IOException {
        of(batch.table()).add(batch);
    }

    private BatchLoad of(DatasetTable table) {
        BatchLoad load = open.get(table);
        if (load == null) {
            throw new IllegalArgumentException(table.name() + " is none of the tables");
        }
        return load;
    }

    private BatchLoad load(DatasetTable table, UnaryOperator<String> kept) throws IOException {
        try {
            return new BatchLoad(
                    database.connection(),
                    table,
                    "rows_of_" + table.name(),
                    rows -> "CREATE TABLE " + DuckDatabase.quoted(table.name()) + " AS SELECT " + DuckDatabase.text(run)
                            + " AS run, * FROM (" + kept.apply(rows) + ")");
        } catch (SQLException e) {
            throw new IOException(table.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        for (BatchLoad load : open.values()) {
            load.close();
        }
        open.clear();
    }
}
