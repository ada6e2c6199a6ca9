// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.RowBatch;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBFunctions;
import org.jspecify.annotations.Nullable;

/**
 * A statement of DuckDB that takes its rows from batches while they are made: it runs on a thread of its own, and two batches
 * wait for it at most. Batches that it has taken are used again.
 */
final class BatchLoad implements AutoCloseable {
    private static final int WAITING = 2;
    private static final int POLL_MS = 100;

    private final DatasetTable table;
    /** Behind the last there is nothing for ever. */
    private final BlockingQueue<Optional<RowBatch>> filled = new ArrayBlockingQueue<>(WAITING);

    private final BlockingQueue<RowBatch> empty = new ArrayBlockingQueue<>(WAITING + 2);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    /**
     * Begins a statement.
     *
     * @param name of the table function that gives the rows; none of the database
     * @param statement makes the statement of what it reads from, as in {@code CREATE TABLE t AS SELECT * FROM} …
     */
    BatchLoad(Connection connection, DatasetTable table, String name, UnaryOperator<String> statement)
            throws SQLException {
        this.table = table;
        Connection own = ((DuckDBConnection) connection).duplicate();
        DuckDBFunctions.tableFunction()
                .withName(name)
                .withFunction(new BatchFunction(table, this::take))
                .register(own);
        thread = new Thread(() -> run(own, statement.apply(name + "()")), "lockstep-duckdb-" + table.name());
        thread.setDaemon(true);
        thread.start();
    }

    /** An empty batch. */
    RowBatch batch() {
        RowBatch used = empty.poll();
        return used == null ? new RowBatch(table) : used;
    }

    /** Takes a batch over. */
    void add(RowBatch batch) throws IOException {
        put(Optional.of(batch));
    }

    private void put(Optional<RowBatch> batch) throws IOException {
        try {
            while (!filled.offer(batch, POLL_MS, TimeUnit.MILLISECONDS)) {
                if (!thread.isAlive()) {
                    throw failed();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while rows were stored", e);
        }
    }

    /** Waits until all rows are stored. */
    @Override
    public void close() throws IOException {
        put(Optional.empty());
        try {
            thread.join();
            empty.clear(); // the database keeps the function, and the function this
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while rows were stored", e);
        }
        if (failure != null) {
            throw failed();
        }
    }

    /** The next batch for the statement, null behind the last; the one before is used again. */
    private @Nullable RowBatch take(@Nullable RowBatch before) throws InterruptedException {
        if (before != null) {
            before.clear();
            empty.offer(before);
        }
        Optional<RowBatch> next = filled.take();
        if (next.isEmpty()) {
            filled.add(next); // whoever asks later finds no rows, and does not wait for more
        }
        return next.orElse(null);
    }

    private void run(Connection connection, String sql) {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private IOException failed() {
        Throwable cause = failure;
        Optional<FileSystemException> unwritten =
                cause instanceof SQLException said ? DuckError.of(said).unwritten() : Optional.empty();
        return unwritten.isPresent()
                ? unwritten.get()
                : new IOException(
                        table.name() + ": " + (cause == null ? "the rows could not be stored" : cause.getMessage()),
                        cause);
    }
}
