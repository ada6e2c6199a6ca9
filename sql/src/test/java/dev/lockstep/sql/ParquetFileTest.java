// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ParquetFileTest {
    @TempDir
    private Path folder;

    private Path written(String name, String query) throws SQLException {
        Path file = folder.resolve(name);
        try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + query + ") TO '" + file.toString().replace("'", "''") + "' (FORMAT parquet)");
        }
        return file;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nothingOfTheLibraryStaysInTheTemporaryFolder() throws Exception {
        try (ParquetFile file = ParquetFile.open(written("a.parquet", "SELECT 1 AS a"))) {
            assertThat(file.columns()).containsKey("a");
        }

        assertThat(Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1))
                .filteredOn(line -> line.contains("libduckdb_java"))
                .isNotEmpty()
                .allMatch(line -> line.endsWith("(deleted)"));
    }

    /** A program that is killed while the driver unpacks leaves 71 MB; one that does so now may need them yet. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatKilledProgramsLeftOfTheLibraryIsRemoved() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Path left = Files.createTempFile(temporary, "libduckdb_java", ".so");
        Path young = Files.createTempFile(temporary, "libduckdb_java", ".so");
        Path other = Files.createTempFile(temporary, "libduckdb_java1", ".so.txt");
        Path linked = Files.createSymbolicLink(temporary.resolve("libduckdb_java" + System.nanoTime() + ".so"), other);
        for (Path file : List.of(left, other)) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(700)));
        }

        written("a.parquet", "SELECT 1 AS a");
        ParquetFile.open(folder.resolve("a.parquet")).close();

        assertThat(left).doesNotExist();
        for (Path file : List.of(linked, young, other)) {
            assertThat(file).exists();
            Files.delete(file);
        }
    }

    @Test
    void columnsComeWithTheirTypesAndRowsInTheirOrder() throws Exception {
        Path file = written(
                "a.parquet",
                "SELECT * FROM (VALUES (3::TINYINT, 9000000000000000::BIGINT, 0.1::FLOAT, 'x'), (1, 2, NULL, NULL),"
                        + " (2, 1, 'nan'::FLOAT, 'y')) t(small, \"la\"\"rge\", real, words)");
        try (ParquetFile parquet = ParquetFile.open(file)) {
            assertThat(parquet.columns())
                    .containsExactly(
                            Map.entry("small", "TINYINT"),
                            Map.entry("la\"rge", "BIGINT"),
                            Map.entry("real", "FLOAT"),
                            Map.entry("words", "VARCHAR"));
            Table table = parquet.table(List.of("words", "real", "la\"rge", "small"));
            assertThat(table.rows()).isEqualTo(3);
            assertThat(table.longs(3).get(0)).isEqualTo(3);
            assertThat(table.longs(2).get(0)).isEqualTo(9_000_000_000_000_000L);
            assertThat(table.doubles(1).get(0)).isEqualTo(0.1f);
            assertThat(table.doubles(1).get(1)).isNaN();
            assertThat(table.strings(0).get(1)).isNull();
            assertThat(table.strings(0).get(2)).isEqualTo("y");
        }
    }

    @Test
    void namesThatWouldStandForOtherFilesStandForThemselves() throws Exception {
        Path file = written("b[1]*'?.parquet", "SELECT 1 AS one");
        written("b1x'y.parquet", "SELECT 1 AS other");
        try (ParquetFile parquet = ParquetFile.open(file)) {
            assertThat(parquet.columns()).containsOnlyKeys("one");
            assertThat(parquet.table(List.of("one")).rows()).isEqualTo(1);
        }
    }

    @Test
    void timesComeAsTextWhateverTheZoneOfTheMachine() throws Exception {
        Path file =
                written("a.parquet", "SELECT TIMESTAMP '2020-03-29 02:30:00' AS \"the time\", DATE 'infinity' AS d");
        TimeZone zone = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        try (ParquetFile parquet = ParquetFile.open(file)) {
            Table table = parquet.table(List.of("the time", "d"));
            assertThat(table.strings(0).get(0)).isEqualTo("2020-03-29 02:30:00");
            assertThat(table.strings(1).get(0)).isEqualTo("infinity");
        } finally {
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void nothingButTheFileCanBeReadOrWritten() throws Exception {
        Path file = written("a.parquet", "SELECT 1 AS one");
        Path other = written("other.parquet", "SELECT 2 AS two");
        try (DuckDatabase database = DuckDatabase.of(file);
                Statement statement = database.connection().createStatement()) {
            for (String query : List.of(
                    "SELECT * FROM read_parquet('" + other + "')",
                    "SELECT * FROM read_text('" + other + "')",
                    "COPY (SELECT 1) TO '" + folder.resolve("new.csv") + "'",
                    "INSTALL httpfs",
                    "LOAD httpfs",
                    "ATTACH '" + folder.resolve("new.db") + "'",
                    "SET enable_external_access = true",
                    "SELECT * FROM 'https://localhost/a.parquet'")) {
                assertThatThrownBy(() -> statement.execute(query)).as(query).isInstanceOf(SQLException.class);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(file, other);
        }
    }

    @Test
    void whatIsNoParquetFileIsNamed() throws Exception {
        byte[] sound = Files.readAllBytes(written("a.parquet", "SELECT range AS one FROM range(1000)"));
        refused("text", "dp_rank,stage\n0,0\n".getBytes(StandardCharsets.UTF_8), ErrorCode.FORMAT_UNKNOWN);
        refused("empty", new byte[0], ErrorCode.FORMAT_UNKNOWN);
        refused("head", Arrays.copyOf(sound, 4), ErrorCode.FORMAT_CORRUPT);
        refused("cut", Arrays.copyOf(sound, sound.length / 2), ErrorCode.FORMAT_CORRUPT);
        byte[] odd = sound.clone();
        Arrays.fill(odd, odd.length - 60, odd.length - 8, (byte) 0x7f);
        refused("odd", odd, ErrorCode.FORMAT_CORRUPT);
        assertThatThrownBy(() -> ParquetFile.open(folder.resolve("none")))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_NOT_FOUND));
    }

    private void refused(String name, byte[] content, ErrorCode code) throws Exception {
        Path file = Files.write(folder.resolve(name), content);
        assertThatThrownBy(() -> ParquetFile.open(file).close())
                .as(name)
                .isInstanceOfSatisfying(TraceFormatException.class, e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e).hasMessageContaining("Parquet").hasMessageContaining(name);
                });
    }
}
