// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Sound databases and tables that still can be read, but mean something else: tables and columns that are missing or called
 * otherwise, other types, values at their limits, rows that repeat or are missing. The same seed makes the same change.
 */
final class HostileTables {
    private static final List<String> VALUES = List.of(
            "NULL",
            "0",
            "-1",
            "1",
            "7",
            "0.5",
            "2147483648",
            "9007199254740993",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551616",
            "1e308",
            "-1e308",
            "1e999",
            "''",
            "'0'",
            "'NaN'",
            "'x'",
            "'=1+1'",
            "'[1,2,3'",
            "'[0, 1, ...]'",
            "'a' || CHAR || 'b'",
            "'" + WrittenFiles.TRAP + "'",
            "'../../x'",
            "LONG",
            "'ncclDevKernel_AllReduce_Sum_f32_RING_LL'",
            "rowid",
            "-rowid");

    private static final List<String> TYPES =
            List.of("VARCHAR", "DOUBLE", "BIGINT", "INTEGER", "TINYINT", "BLOB", "TIMESTAMP", "DATE", "BIGINT[]");

    private final Random random;
    private final Path folder;

    /** @param folder where files may lie for a moment */
    HostileTables(long seed, Path folder) {
        this.random = new Random(seed);
        this.folder = folder;
    }

    /** A database of SQLite with one to five changes. */
    byte[] sqlite(byte[] sound) throws IOException {
        Path file = folder.resolve("changed.sqlite");
        Files.write(file, sound);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names =
                    statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
                while (names.next()) {
                    tables.add('"' + names.getString(1) + '"');
                }
            }
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                String table = one(tables);
                if (random.nextInt(8) == 0) {
                    attempt(
                            statement,
                            random.nextBoolean() ? "DROP TABLE " + table : "ALTER TABLE " + table + " RENAME TO x" + i);
                } else {
                    change(statement, table, "char(0)", "hex(zeroblob(35000))");
                }
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return bytes(file);
    }

    /**
     * A table that DuckDB reads and writes, with one to five changes.
     *
     * @param format its word for it: parquet or csv
     */
    byte[] table(byte[] sound, String format) throws IOException {
        Path file = folder.resolve("changed." + format);
        Files.write(file, sound);
        boolean text = format.equals("csv");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads = 1");
            statement.execute("CREATE TABLE changed AS SELECT * FROM read_" + format + "('" + file + "'"
                    + (text ? ", all_varchar = true" : "") + ")");
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                change(statement, "changed", "chr(0)", "repeat('x', 70000)");
            }
            String manner = text ? ", HEADER " + (random.nextInt(8) > 0) : "";
            attempt(statement, "COPY changed TO '" + file + "' (FORMAT " + format + manner + ")");
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return bytes(file);
    }

    private static byte[] bytes(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        return bytes;
    }

    private void change(Statement statement, String table, String zero, String longText) throws SQLException {
        List<String> columns = columns(statement, table);
        if (columns.isEmpty()) {
            return;
        }
        String column = one(columns);
        String value = one(VALUES).replace("CHAR", zero).replace("LONG", longText);
        int every = 1 + random.nextInt(4);
        String some = random.nextBoolean() ? "" : " WHERE rowid % " + every + " = " + random.nextInt(every);
        attempt(
                statement,
                switch (random.nextInt(10)) {
                    case 0 -> "ALTER TABLE " + table + " DROP COLUMN " + column;
                    case 1 -> "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO y" + random.nextInt(100);
                    case 2 -> "ALTER TABLE " + table + " ALTER " + column + " TYPE " + one(TYPES); // DuckDB alone
                    case 3 -> "DELETE FROM " + table + some;
                    case 4 -> "INSERT INTO " + table + " SELECT * FROM " + table + some;
                    case 5 -> "UPDATE " + table + " SET " + column + " = " + one(columns) + some;
                    case 6 ->
                        "UPDATE " + table + " SET " + column + " = " + column + " * " + one(VALUES.subList(1, 14))
                                + some;
                    case 7 ->
                        "UPDATE " + table + " SET " + column + " = " + column + " + " + one(VALUES.subList(1, 14))
                                + some;
                    default -> "UPDATE " + table + " SET " + column + " = " + value + some;
                });
    }

    private static List<String> columns(Statement statement, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
            ResultSetMetaData all = none.getMetaData();
            for (int i = 1; i <= all.getColumnCount(); i++) {
                columns.add('"' + all.getColumnName(i) + '"');
            }
        } catch (SQLException droppedBefore) {
            return List.of();
        }
        return columns;
    }

    /** Not all values go into all columns; then the table stays as it is. */
    private static void attempt(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException leftAsItIs) {
            // another seed does another
        }
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
