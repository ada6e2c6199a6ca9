// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteNsysExportsTest {
    private static final String STRINGS = "CREATE TABLE StringIds(id INTEGER, value TEXT)";
    private static final String KERNELS = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER,"
            + " deviceId INTEGER, streamId INTEGER, globalPid INTEGER, correlationId INTEGER, demangledName INTEGER)";

    @TempDir
    Path folder;

    /** Says everything that it gets in lines. */
    private static final class Lines implements NsysRows {
        final List<String> lines = new ArrayList<>();

        @Override
        public void system(String name, String value) {
            lines.add("system " + name + " " + value);
        }

        @Override
        public void process(long globalId, String name) {
            lines.add("process " + NsysRows.processOf(globalId) + " " + name);
        }

        @Override
        public void annotation(long start, long end, long thread, String text) {
            lines.add("annotation " + start + " " + end + " " + text);
        }

        @Override
        public void kernel(NsysKernel k) {
            lines.add("kernel " + k.start() + " " + k.end() + " " + NsysRows.processOf(k.globalProcess()) + " "
                    + k.device() + " " + k.stream() + " " + k.correlation() + " " + k.blocks() + " " + k.name());
        }

        @Override
        public void launch(long start, long end, long thread, long correlation) {
            lines.add("launch " + start + " " + correlation);
        }

        @Override
        public void damaged(String table, long rows) {
            lines.add("damaged " + table + " " + rows);
        }
    }

    private Path database(String name, String... statements) throws SQLException, IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return file;
    }

    private static List<String> read(Path file) throws IOException {
        Lines lines = new Lines();
        new SqliteNsysExports().read(TraceInput.of(file), lines);
        return lines.lines;
    }

    @Test
    void onlyWhatIsAboutTheLibraryIsRead() throws Exception {
        Path file = database(
                "a.sqlite",
                STRINGS,
                "INSERT INTO StringIds VALUES (1, 'ncclDevKernel_X'), (2, 'gemm'), (3, 'registered')",
                "CREATE TABLE TARGET_INFO_SYSTEM_ENV(name TEXT, value TEXT)",
                "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 'node7'), ('Other', NULL)",
                "CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT)",
                "INSERT INTO PROCESSES VALUES (" + (1L << 56 | 4711L << 24) + ", 4711, 'python3')",
                "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, text TEXT, textId INTEGER, globalTid INTEGER)",
                "INSERT INTO NVTX_EVENTS VALUES (5, 9, 'range', NULL, 1), (6, NULL, NULL, 3, 1), (7, 8, NULL, NULL, 1)",
                KERNELS,
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, " + (4711L << 24) + ", 33, 1),"
                        + " (11, 12, 0, 7, 0, 34, 2)",
                "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER,"
                        + " correlationId INTEGER)",
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (8, 9, 1, 33), (8, 9, 1, 34)");

        assertThat(read(file))
                .containsExactly(
                        "system Hostname node7",
                        "process 4711 python3",
                        "annotation 5 9 range",
                        "annotation 6 -1 registered",
                        "kernel 10 20 4711 0 7 33 -1 ncclDevKernel_X",
                        "launch 8 33");
    }

    @Test
    void missingTablesAndColumnsAreNamedOrDoneWithout() throws Exception {
        Path noStrings = database("b.sqlite", "CREATE TABLE t(a)");
        Path noAnnotations = database("c.sqlite", STRINGS);
        Path bare = database(
                "d.sqlite",
                STRINGS,
                "CREATE TABLE NVTX_EVENTS(start INTEGER, text TEXT)",
                "INSERT INTO NVTX_EVENTS VALUES (1, 'x')");

        assertThatThrownBy(() -> read(noStrings))
                .hasMessageContaining("b.sqlite")
                .hasMessageContaining("StringIds");
        assertThatThrownBy(() -> read(noAnnotations)).hasMessageContaining("NVTX_EVENTS");
        assertThat(read(bare)).containsExactly("annotation 1 -1 x");
    }

    @Test
    void rowsWithSomethingElseForANumberAreCounted() throws Exception {
        Path file = database(
                "m.sqlite",
                STRINGS,
                "CREATE TABLE NVTX_EVENTS(start INTEGER, text TEXT)",
                "INSERT INTO NVTX_EVENTS VALUES ('abc', 'x'), (1, 'y'), (1.5, 'z'), (X'31', 'z')");

        assertThat(read(file)).containsExactly("annotation 1 -1 y", "damaged NVTX_EVENTS 3");
    }

    @Test
    void columnsThatWereComputedWhenTheirRowsWereWrittenAreRead() throws Exception {
        Path file = database(
                "n.sqlite",
                STRINGS,
                "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER AS (start + 4) STORED, text TEXT)",
                "INSERT INTO NVTX_EVENTS VALUES (1, 'x')");

        assertThat(read(file)).containsExactly("annotation 1 5 x");
    }

    @Test
    void changesBesideWhatALinkLeadsToAreNoticed() throws Exception {
        Path file = database("real/o.sqlite", STRINGS, "CREATE TABLE NVTX_EVENTS(start INTEGER, text TEXT)");
        Path link = Files.createSymbolicLink(folder.resolve("p.sqlite"), Path.of("real", "o.sqlite"));

        assertThat(read(link)).isEmpty();

        Files.writeString(file.resolveSibling("o.sqlite-wal"), "changes");
        assertThatThrownBy(() -> read(link))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("p.sqlite")
                .hasMessageContaining("o.sqlite-wal");
    }

    @Test
    void textsAndNamesMayBeMissingAsColumns() throws Exception {
        Path wordless = database("i.sqlite", STRINGS, "CREATE TABLE NVTX_EVENTS(start INTEGER)");
        Path registered = database(
                "j.sqlite",
                STRINGS,
                "INSERT INTO StringIds VALUES (3, 'registered')",
                "CREATE TABLE NVTX_EVENTS(start INTEGER, textId INTEGER)",
                "INSERT INTO NVTX_EVENTS VALUES (6, 3)",
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER)",
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2)");

        assertThatThrownBy(() -> read(wordless)).hasMessageContaining("the column text of NVTX_EVENTS is missing");
        assertThat(read(registered)).containsExactly("annotation 6 -1 registered");
    }

    @Test
    void aFileWhoseLastBytesAreMissingIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(database(
                "k.sqlite",
                STRINGS,
                "CREATE TABLE NVTX_EVENTS(start INTEGER, text TEXT)",
                "INSERT INTO NVTX_EVENTS VALUES (1, 'x')"));
        Path cut = Files.write(folder.resolve("l.sqlite"), Arrays.copyOf(whole, whole.length - 1));

        assertThatThrownBy(() -> read(cut))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("but has " + whole.length + " bytes");
    }

    @Test
    void whatIsNoDatabaseIsRefused() throws Exception {
        Path text = Files.writeString(folder.resolve("e.sqlite"), "not a database at all, but long enough");
        byte[] whole = Files.readAllBytes(database("f.sqlite", STRINGS, "CREATE TABLE NVTX_EVENTS(start, text)"));
        Path cut = Files.write(folder.resolve("g.sqlite"), Arrays.copyOf(whole, 600));

        assertThatThrownBy(() -> read(text)).isInstanceOf(TraceFormatException.class);
        assertThatThrownBy(() -> read(cut))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("g.sqlite");
        assertThatThrownBy(() -> read(folder.resolve("none"))).hasMessageContaining("no such file");
    }

    @Test
    void nothingIsLeftBesideTheFileOrInTheTemporaryFolder() throws Exception {
        Path file = database("odd %3f#?name/h.sqlite", STRINGS, "CREATE TABLE NVTX_EVENTS(start, text)");
        byte[] before = Files.readAllBytes(file);

        read(file);

        assertThat(file).hasBinaryContent(before);
        try (Stream<Path> beside = Files.list(file.getParent());
                Stream<Path> temporary = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(beside).containsExactly(file);
            String own = "lockstep-sqlite-" + ProcessHandle.current().pid() + "-";
            assertThat(temporary.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith(own));
        }
    }

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(NsysExports.class)).hasAtLeastOneElementOfType(SqliteNsysExports.class);
    }
}
