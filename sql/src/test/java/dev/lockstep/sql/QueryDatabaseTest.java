// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryDatabaseTest {
    @TempDir
    private Path folder;

    private Path seen;
    private Path secret;
    private byte[] before;
    private QueryDatabase database;

    @BeforeEach
    void open() throws IOException {
        seen = Files.createFile(folder.resolve("seen.parquet"));
        secret = Files.writeString(folder.resolve("secret.csv"), "password\nhunter2\n");
        try (QueryDatabase maker = QueryDatabase.seeing(List.of(seen))) {
            maker.write("SELECT range AS n FROM range(3);", seen);
        }
        before = Files.readAllBytes(seen);
        database = QueryDatabase.seeing(List.of(seen));
        database.add("seen", List.of(seen));
        database.add("made", table(1L, "a", 2L, null));
    }

    @AfterEach
    void close() throws IOException {
        database.close();
    }

    private static Table table(@Nullable Object... cells) {
        TableBuilder table = new TableBuilder(
                "made",
                "made",
                new Schema(List.of(ColumnSpec.count("n", "A number."), ColumnSpec.text("odd name", "A text."))));
        for (int i = 0; i < cells.length; i += 2) {
            table.row(cells[i], cells[i + 1]);
        }
        return table.build();
    }

    private List<List<@Nullable Object>> rows(String query) throws IOException {
        List<List<@Nullable Object>> all = new ArrayList<>();
        try (QueryAnswer answer = database.query(query)) {
            for (List<@Nullable Object> row = answer.next(); row != null; row = answer.next()) {
                all.add(row);
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('SECRET')",
                "SELECT * FROM read_text('SECRET')",
                "SELECT * FROM read_blob('SECRET')",
                "SELECT * FROM read_json('SECRET')",
                "SELECT * FROM read_parquet('SECRET')",
                "SELECT * FROM parquet_metadata('SECRET')",
                "SELECT * FROM sniff_csv('SECRET')",
                "SELECT * FROM read_text('FOLDER/*')",
                "SELECT * FROM read_text('FOLDER/seen.parquet/../secret.csv')",
                "SELECT * FROM glob('FOLDER/*')",
                "SELECT * FROM glob('/etc/*')",
                "FROM 'SECRET'",
                "DESCRIBE SELECT * FROM 'SECRET'",
                "SELECT * FROM query('SELECT * FROM read_csv(''SECRET'')')",
                "EXPLAIN ANALYZE SELECT * FROM read_csv('SECRET')",
                "SELECT getenv('HOME')",
                "SELECT * FROM read_parquet('http://localhost/x.parquet')",
                "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
                "SELECT * FROM sqlite_scan('SECRET', 'a')",
                "SELECT * FROM read_duckdb('SECRET')",
                "COPY made TO 'FOLDER/new.csv'",
                "COPY made TO 'SEEN' (USE_TMP_FILE false)",
                "WITH x AS (COPY made TO 'SEEN' (USE_TMP_FILE false)) SELECT 1",
                "EXPLAIN ANALYZE COPY made TO 'SEEN' (USE_TMP_FILE false)",
                "EXPLAIN ANALYZE WITH x AS (COPY made TO 'SEEN' (USE_TMP_FILE false)) SELECT 1",
                "SELECT * FROM query('WITH x AS (COPY made TO ''SEEN'' (USE_TMP_FILE false)) SELECT 1')",
                "SELECT 1; COPY made TO 'SEEN' (USE_TMP_FILE false)",
                "WITH x AS (INSERT INTO made VALUES (3, 'c') RETURNING *) SELECT * FROM x",
                "WITH x AS (DELETE FROM made RETURNING *) SELECT * FROM x",
                "WITH x AS (UPDATE made SET n = 0 RETURNING *) SELECT * FROM x",
                "INSERT INTO made VALUES (3, 'c')",
                "DELETE FROM made",
                "UPDATE made SET n = 0",
                "DROP TABLE made",
                "ALTER TABLE made ADD COLUMN x INT",
                "CREATE TABLE more AS SELECT 1",
                "CREATE VIEW more AS SELECT 1",
                "CREATE MACRO more() AS 1",
                "CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')",
                "ATTACH 'FOLDER/new.db'",
                "ATTACH ':memory:' AS other",
                "DETACH memory",
                "USE memory",
                "EXPORT DATABASE 'FOLDER/new'",
                "IMPORT DATABASE 'FOLDER'",
                "INSTALL httpfs",
                "LOAD httpfs",
                "LOAD 'SECRET'",
                "SET threads = 64",
                "SET enable_external_access = true",
                "RESET allowed_paths",
                "PRAGMA database_list",
                "PRAGMA enable_profiling",
                "CALL pragma_version()",
                "BEGIN",
                "CHECKPOINT",
                "VACUUM",
                "PREPARE p AS SELECT 1",
                "PIVOT made ON n",
                "FROM json_execute_serialized_sql(json_serialize_sql("
                        + "'WITH x AS (COPY (SELECT 1) TO ''SEEN'' (USE_TMP_FILE false)) SELECT 1'))",
                "SELECT (FROM main.\"JSON_Execute_Serialized_SQL\"(json_serialize_sql("
                        + "'WITH x AS (UPDATE made SET n = 7 RETURNING n) FROM x')))",
                "FROM query('FROM json_execute_serialized_sql(json_serialize_sql("
                        + "''WITH x AS (COPY (SELECT 1) TO SEEN (USE_TMP_FILE false)) SELECT 1''))')",
                "FROM query('WITH x AS (COPY (SELECT 1) TO ''SEEN'' (USE_TMP_FILE false)) SELECT 1')",
                "FROM query('COPY (SELECT 1) TO ''SEEN'' (USE_TMP_FILE false)')",
                "FROM query('SELECT ' || 1)",
                "FROM register_external_resource_type('x')",
                "SELECT json_serialize_plan('SELECT 1')",
                "",
                "  -- nothing\n",
                ";",
            })
    void whatDoesMoreThanReadTheTablesIsRefused(String attempt) throws IOException {
        String query = attempt.replace("SECRET", secret.toString())
                .replace("SEEN", seen.toString())
                .replace("FOLDER", folder.toString());
        assertThatThrownBy(() -> rows(query)).isInstanceOfSatisfying(UserException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.OPTION_INVALID);
            assertThat(e.getMessage()).doesNotContain("hunter2", "INSTALL", "exception_type");
        });
        assertThat(Files.readAllBytes(seen)).isEqualTo(before);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(seen, secret);
        }
        assertThat(rows("SELECT count(*), sum(n) FROM made")).containsExactly(List.of(2L, BigInteger.valueOf(3)));
    }

    /** DuckDB plans by recursion, whose end would be that of the process. */
    @Test
    void aTextInAQueryIsNoDeeperThanAQuery() {
        String deep = "SELECT * FROM (".repeat(900) + "SELECT 1" + ")".repeat(900);

        assertThatThrownBy(() -> rows("FROM query('" + deep + "')"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nested too deeply");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT n FROM seen",
                "FROM seen",
                "TABLE seen;",
                "WITH RECURSIVE u(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM u WHERE n < 2) FROM u",
                "SELECT 'COPY_QUERY_NODE' AS \"type\" FROM seen",
                "(SELECT n FROM seen) UNION ALL (SELECT n FROM seen WHERE n < 0)",
                "VALUES (0), (1), (2)",
                "FROM query('FROM query(''SELECT n FROM seen'')')",
            })
    void everyWayOfReadingIsTaken(String query) throws IOException {
        assertThat(rows(query)).hasSize(3);
    }

    @Test
    void tablesCanBeDescribed() throws IOException {
        assertThat(rows("DESCRIBE made")).hasSize(2);
        assertThat(rows("SUMMARIZE made")).hasSize(2);
        assertThat(rows("SHOW TABLES")).containsExactly(List.of("made"), List.of("seen"));
        assertThat(rows("EXPLAIN SELECT * FROM made")).isNotEmpty();
        assertThat(rows("SELECT * FROM (PIVOT made ON n IN (1, 2) USING count(*))"))
                .isNotEmpty();
        assertThat(database.columns("made"))
                .containsExactly(Map.entry("n", "BIGINT"), Map.entry("odd name", "VARCHAR"));
    }

    @Test
    void cellsKeepTheirValues() throws IOException {
        assertThat(rows("SELECT 1::TINYINT, 9223372036854775807, 170141183460469231731687303715884105727::HUGEINT,"
                        + " 1.50::DECIMAL(9,2), 0.1::FLOAT, 'nan'::DOUBLE, '-inf'::DOUBLE, true, NULL, 'x', [1, NULL],"
                        + " {'a': 'b'}, MAP {'k': 2}, DATE '2020-02-29', 'ab'::BLOB"))
                .containsExactly(Arrays.asList(
                        1L,
                        Long.MAX_VALUE,
                        BigInteger.TWO.pow(127).subtract(BigInteger.ONE),
                        new BigDecimal("1.50"),
                        0.1,
                        Double.NaN,
                        Double.NEGATIVE_INFINITY,
                        true,
                        null,
                        "x",
                        Arrays.asList(1L, null),
                        Map.of("a", "b"),
                        Map.of("k", 2L),
                        "2020-02-29",
                        "6162"));
    }

    /** Whatever zone the machine is in; this one has no such hour on that day. */
    @Test
    void timesAreSpeltAsTheDatabaseDoes() throws IOException {
        TimeZone zone = TimeZone.getDefault();
        String time = "2020-03-29 02:30:00";
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            assertThat(rows("SELECT t, [t], {'DATE': t, 'e \"TIME': 'DATE'::ENUM('DATE')}, MAP {t: [t::DATE]},"
                            + " t::TIMESTAMP_NS, t::TIMESTAMP_S, t::TIMESTAMPTZ, t::TIME, t AS \"DATE\""
                            + " FROM (VALUES (TIMESTAMP '" + time + "')) v(t);; -- the end"))
                    .containsExactly(List.of(
                            time,
                            List.of(time),
                            Map.of("DATE", time, "e \"TIME", "DATE"),
                            Map.of(time, List.of("2020-03-29")),
                            time,
                            time,
                            time + "+00",
                            "02:30:00",
                            time));
        } finally {
            TimeZone.setDefault(zone);
        }
        assertThat(
                        rows(
                                "SELECT DATE '5000-01-01 (BC)', '-infinity'::DATE, 'infinity'::TIMESTAMP, TIME '24:00:00', TIME '24:00:00'::VARIANT"))
                .containsExactly(List.of("5000-01-01 (BC)", "-infinity", "infinity", "24:00:00", "24:00:00"));
        assertThat(rows("SELECT DATE '2020-01-01' + n::INT, n FROM made ORDER BY n DESC"))
                .containsExactly(List.of("2020-01-03", 2L), List.of("2020-01-02", 1L));
        message("SELECT DATE '2020-01-01',\n  CAST(\"odd name\" AS INT) FROM made", "line 2, column 3: ", "'a'");
    }

    @Test
    void headsSayWhetherCellsAreNumbers() throws IOException {
        try (QueryAnswer answer = database.query("SELECT 1, 1::UINTEGER, 1::UBIGINT, 1.5, 1e0, 1.5::FLOAT, [1.5],"
                + " [1], {'a': 1}, 'x', DATE '2020-01-01'")) {
            assertThat(answer.heads().stream().map(QueryAnswer.Head::isNumber))
                    .containsExactly(true, true, true, true, true, true, false, false, false, false, false);
        }
    }

    @Test
    void errorsNameThePlaceAndMarkIt() {
        message(
                "SELECT n\n\tFROM made WHERE wrong = 1",
                "line 2, column 18: ",
                "\n  \tFROM made WHERE wrong = 1\n  \t                ^^^^^");
        message("SELECT 'ü→𝄞', wrong FROM made", "line 1, column 15: ", "\n                ^^^^^");
        message("EXPLAIN SELECT wrong FROM made", "line 1, column 16: ", "\n                 ^^^^^");
        message("EXPLAIN ANALYZE SELEC 1", "line 1, column 17: ", "^");
        message("SELECT * FROM mad", "line 1, column 15: ", "Did you mean \"made\"?");
        message("SELECT * FROM read_text('/etc/passwd')", "line 1, column 15: ", "no files, network or extensions");
        message("SELECT 1; SELECT 2", "these are 2 queries", "");
        message("SELECT (", "line 1, column 8: ", "^");
        message("FROM (".repeat(3_000) + "FROM made" + ")".repeat(3_000), "the query is nested too deeply", "");
    }

    private void message(String query, String beginning, String part) {
        assertThatThrownBy(() -> rows(query))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(beginning)
                .hasMessageContaining(part);
    }

    @Test
    void anErrorInACellIsToldWhenItIsReached() {
        assertThatThrownBy(() -> rows("SELECT CAST(\"odd name\" AS INT) FROM made"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'a'");
    }

    /** What lies in a file is seen when a query comes to it, which is not to blame then; nor is a sound file before it. */
    @Test
    void aDamagedFileIsNamedAndNotTheQueryBlamed() throws Exception {
        Path file = folder.resolve("damaged.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT i, 'text ' || i AS t FROM range(5000) r(i)) TO '" + file
                    + "' (FORMAT parquet, COMPRESSION zstd)");
        }
        byte[] bytes = Files.readAllBytes(file);
        List<Path> files = List.of(Files.copy(file, folder.resolve("sound.parquet")), file);
        int refused = 0;
        for (int at = 4; at < bytes.length; at += bytes.length / 40) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x5a;
            Files.write(file, damaged);
            try (QueryDatabase both = QueryDatabase.seeing(files)) {
                both.add("rows", files);
                try (QueryAnswer answer = both.query("SELECT i, t FROM rows")) {
                    while (answer.next() != null) {
                        // to the end
                    }
                }
            } catch (TraceFormatException e) {
                refused++;
                assertThat(e).hasMessageContaining("damaged.parquet");
            }
        }
        assertThat(refused).isPositive();
    }

    /** Also where a file has a column of the name that says whose a row is. */
    @Test
    void filesOfSeveralBecomeOneTable() throws Exception {
        Path one = folder.resolve("one.parquet");
        Path two = folder.resolve("two.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT 1 AS x) TO '" + one + "' (FORMAT parquet)");
            statement.execute("COPY (SELECT 2 AS x, 'its own' AS Report) TO '" + two + "' (FORMAT parquet)");
        }
        try (QueryDatabase both = QueryDatabase.seeing(List.of(one, two))) {
            Map<String, List<Path>> files = new LinkedHashMap<>();
            files.put("a", List.of(one));
            files.put("b", List.of(two));
            both.add("t", files, "report");
            assertThat(both.columns("t").keySet()).containsExactly("report", "x", "report_2");
            try (QueryAnswer answer = both.query("SELECT report, x, report_2 FROM t ORDER BY x")) {
                assertThat(answer.next()).containsExactly("a", 1L, null);
                assertThat(answer.next()).containsExactly("b", 2L, "its own");
            }
            try (QueryAnswer answer = both.query("SHOW TABLES")) {
                assertThat(answer.next()).containsExactly("t");
                assertThat(answer.next()).isNull();
            }
        }
    }

    @Test
    void whatDiffersInCapitalsAloneIsToldApart() throws IOException {
        database.add("all", new LinkedHashMap<>(Map.of("run", List.of(seen), "RUN", List.of(seen))), "run");

        assertThat(rows("SELECT run, count(*) FROM \"all\" GROUP BY ALL ORDER BY 1"))
                .containsExactly(List.of("RUN", 3L), List.of("run", 3L));
    }

    /** One of them has both the column's name and the first other that it could have. */
    @Test
    void theColumnThatSaysWhoseARowIsTakesNoOthersPlace() throws IOException {
        Path one = Files.createFile(folder.resolve("one.parquet"));
        Path two = Files.createFile(folder.resolve("two.parquet"));
        try (QueryDatabase both = QueryDatabase.seeing(List.of(one, two))) {
            both.write("SELECT 1 AS report", one);
            both.write("SELECT 2 AS report, 3 AS report_2", two);
            Map<String, List<Path>> files = new LinkedHashMap<>();
            files.put("a", List.of(one));
            files.put("b", List.of(two));
            both.add("t", files, "report");
            try (QueryAnswer answer = both.query("SELECT report, report_2, report_3 FROM t ORDER BY 1")) {
                assertThat(answer.next()).containsExactly("a", null, 1L);
                assertThat(answer.next()).containsExactly("b", 3L, 2L);
            }
        }
    }

    @Test
    void rowsOfATableOfTheSameNameComeBehind() throws IOException {
        database.add(
                "made",
                new TableBuilder("made", "made", new Schema(List.of(ColumnSpec.count("more", "A number."))))
                        .row(7L)
                        .build());
        assertThat(rows("SELECT n, \"odd name\", more FROM made"))
                .containsExactly(
                        Arrays.asList(1L, "a", null), Arrays.asList(2L, null, null), Arrays.asList(null, null, 7L));
        assertThat(database.tables()).containsExactly("made", "seen");
    }

    @Test
    void aTableMayHaveAnyNameBesideThoseOfWhichTablesAreMade() throws IOException {
        for (String name : List.of("made (more)", "made (joined)", "lockstep_parts", "made")) {
            database.add(name, table(5L, "e"));
        }
        assertThat(rows("SELECT count(*) FROM made")).containsExactly(List.of(3L));
        assertThat(rows("SELECT n FROM \"made (more)\" UNION ALL SELECT n FROM lockstep_parts"))
                .containsExactly(List.of(5L), List.of(5L));
        assertThat(rows("SHOW TABLES"))
                .containsExactly(
                        List.of("lockstep_parts"),
                        List.of("made"),
                        List.of("made (joined)"),
                        List.of("made (more)"),
                        List.of("seen"));
    }

    /** DuckDB takes paths for patterns. */
    @Test
    void aNameOfAFileIsNoPattern() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("f1", "f?", "f*", "f[1]", "f[", "f]")) {
            Path file = Files.createFile(folder.resolve(name + ".parquet"));
            files.add(file);
            try (QueryDatabase maker = QueryDatabase.seeing(List.of(file))) {
                maker.write("SELECT '" + name + "' AS name", file);
                maker.add("one", List.of(file));
                assertThat(maker.columns("one")).containsOnlyKeys("name");
                try (QueryAnswer answer = maker.query("FROM one")) {
                    assertThat(answer.next()).containsExactly(name);
                    assertThat(answer.next()).isNull();
                }
            }
        }
        Path odd = files.get(1);
        Files.writeString(odd, "PAR1 is no table PAR1");
        try (QueryDatabase all = QueryDatabase.seeing(files)) {
            assertThatThrownBy(() -> all.add("all", files))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageStartingWith(odd.toString());
        }
    }

    @Test
    void aViewWithoutItsTablesSaysWhatItLacks() throws IOException {
        assertThat(database.define("sums", "SELECT sum(n) AS n FROM made")).isEmpty();
        assertThat(rows("FROM sums")).containsExactly(List.of(BigInteger.valueOf(3)));
        assertThat(database.define("lost", "SELECT * FROM slices")).contains("slices");
        assertThat(database.define("lost", "SELECT wrong FROM made")).contains("wrong");
    }

    @Test
    void answersAreWrittenAsParquet() throws IOException {
        Path file = Files.createFile(folder.resolve("answer.parquet"));
        try (QueryDatabase own = QueryDatabase.seeing(List.of(seen, file))) {
            own.add("seen", List.of(seen));
            own.write("SELECT n * 2 AS twice FROM seen -- end", file);
            assertThatThrownBy(() -> own.write("SELECT wrong FROM seen", file))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("line 1, column 8: ");
            assertThatThrownBy(() -> own.write("EXPLAIN SELECT 1", file))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("a plan");
            own.write("SELECT n * 2 AS twice FROM seen; -- it's the end\n;", file);
        }
        try (ParquetFile written = ParquetFile.open(file)) {
            assertThat(written.columns()).containsExactly(Map.entry("twice", "BIGINT"));
            assertThat(written.table(List.of("twice")).longs(0).get(2)).isEqualTo(4);
        }
    }

    @Test
    void whatParquetCannotHoldIsNoDamageOfWhatIsRead() throws IOException {
        assertThatThrownBy(() -> database.write("SELECT {} AS s FROM seen", seen))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not supported in the Parquet format");
    }

    @Test
    void aFullDiskIsNoDamageOfWhatIsRead() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        try (QueryDatabase own = QueryDatabase.seeing(List.of(seen, full))) {
            assertThatThrownBy(() -> own.write("SELECT range AS n FROM range(100000)", full))
                    .isInstanceOfSatisfying(
                            FileSystemException.class,
                            e -> assertThat(e.getFile()).isEqualTo("/dev/full"))
                    .hasMessageEndingWith("No space left on device");
        }
    }

    @Test
    void aQueryThatRunsIsEndedFromAnotherThread() throws Exception {
        Thread end = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                database.cancel();
                Thread.onSpinWait();
            }
        });
        end.start();
        try {
            assertThatThrownBy(() -> rows("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"))
                    .isInstanceOf(UserException.class);
        } finally {
            end.interrupt();
            end.join();
        }
        assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
    }

    /** The limit is for one query: the next one has its own. */
    @Test
    void aQueryThatTakesTooLongIsEnded() throws IOException {
        database.limit(1);
        String endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c";
        assertThatThrownBy(() -> {
                    try (QueryAnswer rows = database.query(endless)) {
                        rows.next();
                    }
                })
                .isInstanceOf(UserException.class)
                .hasMessageContaining("took longer than 1 s");
        assertThatThrownBy(() -> database.write(endless, seen))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("took longer than 1 s");
        try (QueryAnswer rows = database.query("SELECT 7")) {
            assertThat(rows.next()).containsExactly(7L);
        }
    }
}
