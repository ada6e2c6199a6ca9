// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.BatchSink;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RowBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run as Parquet files, in the layout of a dataset: {@code TABLE/run=NAME/rank_block=00000/part-0.parquet}. Files hold
 * {@value DatasetTables#BLOCK} ranks, whose rows lie in their order, in row groups of {@value #ROW_GROUP}, packed by zstd; what
 * the table and its columns mean stands in the metadata of each file. One file of each table is open at a time. Same rows, same
 * bytes. Confined to one thread.
 */
public final class ParquetDataset implements BatchSink, AutoCloseable {
    private static final int ROW_GROUP = 131_072;

    private final Path folder;
    private final String run;
    private final DuckDatabase database;
    private final Map<DatasetTable, Part> open = new HashMap<>();
    private final Map<Path, Integer> parts = new HashMap<>();
    private int functions;

    private record Part(int block, BatchLoad load) {}

    private ParquetDataset(Path folder, String run, DuckDatabase database) {
        this.folder = folder;
        this.run = run;
        this.database = database;
    }

    /**
     * Begins a run.
     *
     * @param folder exists; tables are made in it
     * @param run its name, of letters, digits, dots, dashes and underscores
     */
    public static ParquetDataset in(Path folder, String run) throws IOException {
        return new ParquetDataset(folder, run, DuckDatabase.writing(folder));
    }

    @Override
    public RowBatch batch(DatasetTable table) {
        Part part = open.get(table);
        return part == null ? new RowBatch(table) : part.load.batch();
    }

    @Override
    public void add(RowBatch batch) throws IOException {
        int rank = batch.table().schema().get(0).header().equals("rank") ? (int) Math.max(0, batch.longs(0)[0]) : 0;
        part(batch.table(), rank / DatasetTables.BLOCK).load.add(batch);
    }

    /**
     * Finishes all files. A table that got no rows gets a file without any, so that every reader finds its columns.
     *
     * @param tables those of the dataset
     */
    public void finish(Iterable<DatasetTable> tables) throws IOException {
        for (DatasetTable table : tables) {
            if (!Files.isDirectory(folder.resolve(table.name())) && open.get(table) == null) {
                part(table, 0);
            }
        }
        for (Part part : open.values()) {
            part.load.close();
        }
        open.clear();
    }

    private Part part(DatasetTable table, int block) throws IOException {
        Part part = open.get(table);
        if (part == null || part.block != block) {
            if (part != null) {
                part.load.close();
            }
            part = new Part(block, load(table, file(table, block)));
            open.put(table, part);
        }
        return part;
    }

    private Path file(DatasetTable table, int block) throws IOException {
        Path home = folder;
        for (String name : List.of(table.name(), "run=" + run, String.format(Locale.ROOT, "rank_block=%05d", block))) {
            home = home.resolve(name);
            if (!Files.isDirectory(home)) {
                Files.createDirectory(home); // and not the folder: at a signal it is gone, and stays so
            }
        }
        return home.resolve("part-" + (parts.merge(home, 1, Integer::sum) - 1) + ".parquet");
    }

    private BatchLoad load(DatasetTable table, Path file) throws IOException {
        try {
            return new BatchLoad(
                    database.connection(),
                    table,
                    "rows_" + ++functions,
                    rows -> ParquetCopy.of(rows, file, table, ROW_GROUP));
        } catch (SQLException e) {
            throw new IOException(table.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        @Nullable IOException failure = null;
        for (Part part : open.values()) {
            try {
                part.load.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        open.clear();
        database.close();
        if (failure != null) {
            throw failure;
        }
    }
}
