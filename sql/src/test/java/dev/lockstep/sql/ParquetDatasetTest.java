// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.dataset.BatchSink;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RowBatch;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringPool;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetDatasetTest {
    private static final DatasetTable TABLE = new DatasetTable(
            "things",
            "A thing, it's small.",
            Schema.of(
                    ColumnSpec.id("rank", "Rank."),
                    ColumnSpec.whole("ts_ns", Unit.NANOSECONDS, Unit.NANOSECONDS, "When it was."),
                    ColumnSpec.text("name", "Its name, \"so\" called."),
                    ColumnSpec.real("value", Unit.WATTS, Unit.WATTS, "Its power."),
                    ColumnSpec.bool("odd", "Whether it is odd.")),
            List.of("rank", "ts_ns"),
            Level.SKETCH);

    private static final int ROWS = RowBatch.ROWS * 2 + 77;

    @TempDir
    private Path folder;

    /** Rows of a rank; every seventh cell is missing. */
    private static void fill(BatchSink sink, int rank) throws IOException {
        StringPool pool = new StringPool();
        Random random = new Random(rank);
        RowBatch batch = sink.batch(TABLE);
        for (int i = 0; i < ROWS; i++) {
            if (batch.isFull()) {
                sink.add(batch);
                batch = sink.batch(TABLE);
            }
            batch.pool(2, pool);
            batch.row();
            batch.set(0, rank);
            if (i % 7 != 0) {
                batch.set(1, Long.MAX_VALUE - i);
                batch.setText(2, pool.intern("näme " + random.nextInt(300)));
                batch.set(3, i / 3.0);
            }
            batch.set(4, i % 2 == 1);
        }
        sink.add(batch);
    }

    private Path written(String name, int... ranks) throws IOException {
        Path to = Files.createDirectory(folder.resolve(name));
        try (ParquetDataset dataset = ParquetDataset.in(to, "one")) {
            for (int rank : ranks) {
                fill(dataset, rank);
            }
            dataset.finish(List.of(TABLE, DatasetTables.MEMORY));
        }
        return to;
    }

    @Test
    void rowsComeBackAsTheyWere() throws IOException {
        Path file = written("a", 3).resolve("things/run=one/rank_block=00000/part-0.parquet");
        try (ParquetFile parquet = ParquetFile.open(file)) {
            assertThat(parquet.columns().values()).containsExactly("BIGINT", "BIGINT", "VARCHAR", "DOUBLE", "BOOLEAN");
            Table table = parquet.table(List.of("rank", "ts_ns", "name", "value"));
            Random random = new Random(3);
            assertThat(table.rows()).isEqualTo(ROWS);
            for (int i = 0; i < ROWS; i++) {
                boolean there = i % 7 != 0;
                assertThat(table.longs(0).get(i)).isEqualTo(3);
                assertThat(table.columns().get(1).value(i)).isEqualTo(there ? Long.MAX_VALUE - i : null);
                assertThat(table.columns().get(2).value(i)).isEqualTo(there ? "näme " + random.nextInt(300) : null);
                assertThat(table.columns().get(3).value(i)).isEqualTo(there ? i / 3.0 : null);
            }
        }
    }

    @Test
    void ranksOfABlockShareAFileAndTheSameRowsAreTheSameBytes() throws IOException {
        Path one = written("a", 0, 1, 63, 64, 200);
        Path two = written("b", 0, 1, 63, 64, 200);
        List<String> files = files(one);
        assertThat(files)
                .containsExactly(
                        "memory/run=one/rank_block=00000/part-0.parquet",
                        "things/run=one/rank_block=00000/part-0.parquet",
                        "things/run=one/rank_block=00001/part-0.parquet",
                        "things/run=one/rank_block=00003/part-0.parquet");
        for (String file : files) {
            assertThat(one.resolve(file)).hasSameBinaryContentAs(two.resolve(file));
        }
    }

    /** Thousands of blocks must not hold the batches of all of them. */
    @Test
    void nothingOfABlockIsHeldWhenItsFileIsWhole() throws IOException {
        List<WeakReference<Object>> held = new ArrayList<>();
        try (ParquetDataset dataset = ParquetDataset.in(Files.createDirectory(folder.resolve("many")), "one")) {
            for (int block = 0; block < 3; block++) {
                RowBatch batch = dataset.batch(TABLE);
                batch.row();
                batch.set(0, (long) block * DatasetTables.BLOCK);
                StringPool pool = new StringPool();
                batch.pool(2, pool);
                batch.setText(2, pool.intern("name"));
                held.add(new WeakReference<>(batch));
                held.add(new WeakReference<>(pool));
                dataset.add(batch);
            }
            dataset.finish(List.of(TABLE));

            System.gc();

            assertThat(held).allMatch(reference -> reference.get() == null);
        }
    }

    @Test
    void filesSayWhatTheirColumnsMean() throws Exception {
        Path file = written("a", 0).resolve("things/run=one/rank_block=00000/part-0.parquet");
        assertThat(query("SELECT decode(key) || '=' || decode(value) FROM parquet_kv_metadata('" + file + "')"))
                .contains(
                        "lockstep.version=" + DatasetTables.VERSION,
                        "lockstep.table=things",
                        "lockstep.doc=A thing, it's small.",
                        "lockstep.sorted_by=rank,ts_ns",
                        "lockstep.column.name=Its name, \"so\" called.",
                        "lockstep.unit.ts_ns=ns",
                        "lockstep.unit.value=W");
        assertThat(query("SELECT DISTINCT compression FROM parquet_metadata('" + file + "')"))
                .containsExactly("ZSTD");
    }

    /** Readers that find numbers of columns go by these, and not by names: a table of Iceberg would show other columns. */
    @Test
    void columnsHaveNamesAndNoNumbers() throws Exception {
        Path file = written("a", 0).resolve("things/run=one/rank_block=00000/part-0.parquet");
        assertThat(query("SELECT count(*) > 3 AND count(field_id) = 0 FROM parquet_schema('" + file + "')"))
                .containsExactly("true");
    }

    @Test
    void tablesOfADatabaseNameTheirRun() throws Exception {
        try (DuckDatabase database = DuckDatabase.writing(folder)) {
            try (DuckTables tables =
                    new DuckTables(database, "it's one", DuckTables.whole(List.of(TABLE, DatasetTables.MEMORY)))) {
                fill(tables, 0);
                fill(tables, 1);
            }
            try (Statement statement = database.connection().createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT run, count(*), count(name), sum(rank), (SELECT count(*) FROM memory) FROM things"
                                    + " GROUP BY run")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("it's one");
                assertThat(rows.getLong(2)).isEqualTo(2L * ROWS);
                assertThat(rows.getLong(3)).isEqualTo(2L * (ROWS - (ROWS + 6) / 7));
                assertThat(rows.getLong(4)).isEqualTo(ROWS);
                assertThat(rows.getLong(5)).isZero();
            }
        }
    }

    @Test
    void whatCannotBeStoredIsSaid() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        try (ParquetDataset dataset = ParquetDataset.in(gone, "one")) {
            Files.createDirectories(gone.resolve("things/run=one/rank_block=00000/part-0.parquet"));
            assertThatThrownBy(() -> {
                        fill(dataset, 0);
                        dataset.finish(List.of());
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("things");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("things"); // the file is still open, and fails again
        }
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> query(String sql) throws SQLException {
        try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }
}
