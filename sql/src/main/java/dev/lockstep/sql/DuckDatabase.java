// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.tabular.UniqueNames;
import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;

/**
 * A database of DuckDB in memory that sees the files it is given and nothing else: no network, no extensions that it would
 * fetch, no settings of the user, no other file. What does not fit into memory goes into a scratch folder. Confined to one thread.
 */
final class DuckDatabase implements AutoCloseable {
    /** The view through which a Parquet file is read. */
    static final String FILE = "file";

    private static final int MOST_MEMORY_MB = 1024;

    /** What Linux says a process has loaded, and how the driver calls what it unpacks. */
    private static final Path LOADED = Path.of("/proc/self/maps");

    private static final String UNPACKED = "libduckdb_java";

    /** How old what was unpacked is when nobody is about to load it any more. */
    private static final Duration ABANDONED = Duration.ofMinutes(10);

    private final ScratchFolder scratch;
    private final Connection connection;

    private DuckDatabase(ScratchFolder scratch, Connection connection) {
        this.scratch = scratch;
        this.connection = connection;
    }

    /** One Parquet file, as the view {@link #FILE}. */
    static DuckDatabase of(Path file) throws IOException {
        DuckDatabase database = seeing(List.of(file), true);
        try {
            database.view(FILE, List.of(file));
            return database;
        } catch (IOException | RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /** An empty database whose queries may read these files. Which they are cannot be changed any more. */
    static DuckDatabase seeing(List<Path> files) throws IOException {
        return seeing(files, false);
    }

    /** @param streams whether rows come as they are read; otherwise all of an answer are in memory before the first comes */
    private static DuckDatabase seeing(List<Path> files, boolean streams) throws IOException {
        Set<String> paths = new LinkedHashSet<>();
        for (Path file : files) {
            paths.add(text(file.toRealPath().toString()));
            paths.add(read(file));
        }
        ScratchFolder scratch = ScratchFolder.temporary();
        try {
            DuckDatabase database = new DuckDatabase(scratch, connected(scratch, streams));
            database.execute("SET allowed_paths = [" + String.join(", ", paths) + "]");
            database.execute("SET enable_external_access = false");
            database.execute("SET errors_as_json = true");
            database.execute("SET TimeZone = 'UTC'");
            database.execute("SET lock_configuration = true");
            return database;
        } catch (SQLException e) {
            scratch.close();
            throw new IOException(DuckError.of(e).message(), e);
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /** A database without tables that may write files below a folder, and can read no others. */
    static DuckDatabase writing(Path folder) throws IOException {
        String path = folder.toRealPath().toString();
        ScratchFolder scratch = ScratchFolder.temporary();
        try {
            DuckDatabase database = new DuckDatabase(scratch, connected(scratch, false));
            try (Statement statement = database.connection.createStatement()) {
                statement.execute("SET allowed_directories = [" + text(path) + "]");
                statement.execute("SET enable_external_access = false");
                statement.execute("SET lock_configuration = true");
            }
            return database;
        } catch (SQLException e) {
            scratch.close();
            throw new IOException(folder + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /**
     * A view of Parquet files that this database sees: their rows one after the other, in the order of the files.
     *
     * @param name as SQL has it
     * @throws TraceFormatException when they cannot be read
     */
    void view(String name, List<Path> files) throws IOException {
        List<String> paths = new ArrayList<>();
        for (Path file : files) {
            paths.add(read(file));
        }
        try {
            execute("CREATE VIEW " + name + " AS SELECT * FROM read_parquet([" + String.join(", ", paths)
                    + "], hive_partitioning = false, union_by_name = " + (files.size() > 1) + ")");
        } catch (SQLException e) {
            throw unreadable(files, DuckError.of(e));
        }
    }

    /** What to say of files of which one cannot be read; which one is found out by reading each alone. */
    TraceFormatException unreadable(List<Path> files, DuckError error) {
        Path damaged = files.getFirst();
        String others = "";
        if (files.size() > 1) {
            Path found = files.stream().filter(this::isDamaged).findFirst().orElse(null);
            damaged = found == null ? damaged : found;
            others = found == null ? " and " + (files.size() - 1) + " more together" : "";
        }
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                damaged + others,
                -1,
                "the Parquet file cannot be read: " + error.firstLine(),
                "Is it the file that you meant, and was it copied whole?");
    }

    private boolean isDamaged(Path file) {
        try {
            String whole = "read_parquet(" + read(file) + ") AS whole";
            execute("SELECT count(hash(whole)) FROM " + whole);
            execute("DESCRIBE FROM " + whole); // heads are read in another way than rows
            return false;
        } catch (SQLException | IOException e) {
            return true;
        }
    }

    /** A file to read, as SQL has it: as a pattern that no other file fits, since DuckDB takes each for one. */
    private static String read(Path file) throws IOException {
        return text(file.toRealPath().toString().replaceAll("[*?\\[]", "[$0]"));
    }

    /** Runs a statement of the program's own. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    Connection connection() {
        return connection;
    }

    /** A name of a column or table, as SQL has it. */
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** What is equal of names that are one: SQL does not tell a from A. */
    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Numbers names that are one to SQL. */
    static UniqueNames uniqueNames() {
        return new UniqueNames(DuckDatabase::key);
    }

    /** A text, as SQL has it. */
    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static Connection connected(ScratchFolder scratch, boolean streams) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("allow_community_extensions", "false");
        settings.setProperty("allow_persistent_secrets", "false");
        settings.setProperty("memory_limit", MOST_MEMORY_MB + "MB");
        settings.setProperty("temp_directory", scratch.path().toString());
        settings.setProperty("extension_directory", scratch.path().toString());
        settings.setProperty("home_directory", scratch.path().toString());
        settings.setProperty("threads", "1");
        settings.setProperty("jdbc_stream_results", Boolean.toString(streams));
        Set<Path> before = unpacked(scratch.path());
        removeAbandoned(before);
        try {
            return loaded(settings);
        } catch (LinkageError | RuntimeException e) {
            removeHalf(scratch.path(), before);
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "DuckDB's native code cannot be loaded: " + reason.getMessage(),
                    "The temporary folder (java.io.tmpdir) must have 80 MB of room and allow running code: set it with"
                            + " LOCKSTEP_JAVA_OPTS.",
                    e);
        }
    }

    /** The driver unpacks its code when it is first used. A signal that comes meanwhile ends the program when that is removed. */
    private static synchronized Connection loaded(Properties settings) throws SQLException {
        Thread hook = new Thread(DuckDatabase::awaitLoading, "lockstep-duckdb");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            throw new SQLException("the program is ending", e);
        }
        try {
            Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", settings);
            removeUnpacked();
            return connection;
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the end has begun, and waits for this method
            }
        }
    }

    private static synchronized void awaitLoading() {
        // whoever loads holds the lock
    }

    /**
     * Removes the 71 MB that the driver unpacks for each process and leaves there: the system keeps what is loaded. Where the
     * system does not say which file that is, it stays.
     */
    private static void removeUnpacked() {
        try (Stream<String> loaded = Files.lines(LOADED, StandardCharsets.ISO_8859_1)) {
            for (String line : loaded.filter(each -> each.contains(UNPACKED)).toList()) {
                Path file = Path.of(line.substring(line.indexOf('/')));
                if (file.getFileName().toString().startsWith(UNPACKED)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | RuntimeException stays) {
            // there is no such list on this system, or the file is not ours to remove
        }
    }

    /**
     * Removes what the driver left of the user's programs that were killed while it unpacked: it lies beside the scratch folder.
     * A program that has loaded such a file keeps what it has.
     */
    private static void removeAbandoned(Set<Path> unpacked) {
        Instant latest = Instant.now().minus(ABANDONED);
        for (Path file : unpacked) {
            try {
                if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(latest)) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException stays) {
                // another program was first
            }
        }
    }

    /** Removes what could not be unpacked as a whole; it stays where another program unpacks at the same time. */
    private static void removeHalf(Path scratch, Set<Path> before) {
        Set<Path> made = unpacked(scratch);
        made.removeAll(before);
        try {
            if (made.size() == 1) {
                Files.deleteIfExists(made.iterator().next());
            }
        } catch (IOException stays) {
            // it goes when it is old
        }
    }

    /** The user's files beside the scratch folder that drivers have unpacked and left there; none where no owners are told. */
    private static Set<Path> unpacked(Path scratch) {
        Set<Path> found = new HashSet<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(scratch.resolveSibling(""), UNPACKED + "[0-9]*.so")) {
            for (Path file : files) {
                PosixFileAttributes facts =
                        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (facts.isRegularFile() && facts.owner().equals(Files.getOwner(scratch))) {
                    found.add(file);
                }
            }
        } catch (IOException | RuntimeException unknown) {
            // the rest is not ours to remove
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException(e);
        } finally {
            scratch.close();
        }
    }
}
