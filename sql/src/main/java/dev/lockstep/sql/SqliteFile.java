// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.GzipSource;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A SQLite file, opened for reading. The file is never changed, nothing is put beside it, and it may lie where nothing
 * can be written. Confined to one thread.
 */
public final class SqliteFile implements AutoCloseable {
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

    private static final int HEADER_BYTES = 100;
    private static final int PAGE_BYTES_AT = 16;
    private static final long LARGEST_PAGE = 65_536;
    private static final int CHANGES_AT = 24;
    private static final int PAGES_AT = 28;
    private static final int CHANGES_WHEN_COUNTED_AT = 92;

    /** How SQLite marks columns that were computed when their row was written; others would be computed now. */
    private static final int STORED = 3;

    /** Operations of SQLite's machine between two looks at how many there were, and as many as a byte of a file may cause. */
    private static final int WATCHED = 1 << 20;

    private static final String EXPORT_AGAIN = "Export it again: nsys export --type=sqlite.";

    private static final long MOST_OPERATIONS = 16;
    private static final long SMALL = 1 << 20;

    private static final Pattern VERSION = Pattern.compile("[\\w.]{1,40}");

    /** A row of a slice takes no fewer bytes. */
    private static final int LEAST_ROW = 32;

    private final TraceInput input;
    private final Connection connection;
    private final Watch watch;
    private final Map<String, List<String>> columns = new HashMap<>();
    private final Map<String, Long> damagedRows = new TreeMap<>();
    private String hint = NsysReader.FORMAT.hint();
    private String remedy;
    /** Columns that hold texts, bytes or fractions; all others hold whole numbers. */
    private Set<String> texts = SqliteNsysExports.TEXTS;

    private SqliteFile(TraceInput input, Connection connection, Watch watch) {
        this.input = input;
        this.connection = connection;
        this.watch = watch;
        this.remedy = remedy(input);
    }

    /** Ends queries that go on for longer than rows of the file can last: pages of a forged file may hold one another. */
    private static final class Watch extends ProgressHandler {
        private final long most;
        private long operations;

        Watch(long bytes) {
            most = MOST_OPERATIONS * Math.max(bytes, SMALL);
        }

        @Override
        protected int progress() {
            operations += WATCHED;
            return operations > most ? 1 : 0;
        }
    }

    /** Whether a file that begins so is a SQLite file. */
    public static boolean recognises(byte[] head) {
        return head.length >= MAGIC.length && Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /**
     * Opens a file.
     *
     * @throws TraceFormatException when there is none, or it is not SQLite
     */
    public static SqliteFile open(TraceInput input) throws IOException {
        check(input);
        NativeLibrary.load();
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        config.enableLoadExtension(false);
        Properties properties = config.toProperties();
        properties.setProperty(SQLiteConfig.Pragma.LIMIT_LENGTH.pragmaName, String.valueOf(JsonWindow.LONGEST));
        properties.setProperty(SQLiteConfig.Pragma.LIMIT_ATTACHED.pragmaName, "0");
        try {
            JDBC4Connection connection =
                    new JDBC4Connection("jdbc:sqlite:" + input.name(), uri(input.path()), properties);
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA trusted_schema = OFF");
                statement.execute("PRAGMA cell_size_check = ON");
                Watch watch = new Watch(input.size());
                ProgressHandler.setHandler(connection, WATCHED, watch);
                return new SqliteFile(input, connection, watch);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw damaged(input, e, remedy(input));
        }
    }

    /** What to do about a damaged file as long as only its name says what it is. */
    private static String remedy(TraceInput input) {
        return RocpdReader.FORMAT.mayBe(input.name()) ? RocpdReader.FORMAT.hint() : EXPORT_AGAIN;
    }

    /** The file as the user named it. */
    public TraceInput input() {
        return input;
    }

    /** Whether there is a table of that name. */
    public boolean has(String table) throws IOException {
        return !columns(table).isEmpty();
    }

    /** Names of all tables and views, in the order in which they were made. */
    List<String> tables() throws IOException {
        return names("type IN ('table', 'view')");
    }

    /** Names of all tables whose rows are stored in the file, in the order in which they were made. */
    List<String> storedTables() throws IOException {
        return names("type = 'table' AND rootpage > 0");
    }

    private List<String> names(String condition) throws IOException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT name FROM sqlite_master WHERE " + condition + " ORDER BY rowid")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw damaged(e);
        }
        return names;
    }

    /** The columns of a table, in their order; empty when there is no such table. */
    public List<String> columns(String table) throws IOException {
        List<String> known = columns.get(table);
        if (known == null) {
            demandTable(table);
            known = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT name FROM pragma_table_xinfo('" + table
                            + "') WHERE hidden IN (0, " + STORED + ")")) {
                while (rows.next()) {
                    known.add(rows.getString(1));
                }
            } catch (SQLException e) {
                throw damaged(e);
            }
            columns.put(table, known);
        }
        return known;
    }

    /** Refuses what has the name of a table but computes its rows, by whatever the author of the file wrote into it. */
    private void demandTable(String name) throws IOException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT type FROM sqlite_master WHERE name = '" + name
                        + "' COLLATE NOCASE AND (type = 'view' OR type = 'table' AND rootpage = 0)")) {
            if (rows.next()) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        input.name(),
                        -1,
                        "expected a table " + name + ", found a "
                                + (rows.getString(1).equals("view") ? "view" : "virtual table"),
                        hint);
            }
        } catch (SQLException e) {
            throw damaged(e);
        }
    }

    /**
     * The rows of a table in the order of the file.
     *
     * @param wanted the columns that can be asked for; those that the table lacks are absent in every row
     */
    public SqliteRows rows(String table, String... wanted) throws IOException {
        return rowsWhere(null, table, wanted);
    }

    /**
     * Those rows of a table for which a condition holds, in the order of the file.
     *
     * @param condition an expression of SQL, or null for all
     */
    public SqliteRows rowsWhere(@Nullable String condition, String table, String... wanted) throws IOException {
        List<String> known = columns(table);
        List<String> cells = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        for (String name : wanted) {
            cell("", known, name, cells, numbers);
        }
        return rows(table, cells, numbers, '"' + table + '"' + (condition == null ? "" : " WHERE " + condition));
    }

    /**
     * The rows of a table in the order of the file, each with the row of another table that it names, if there is one.
     *
     * @param key the column that has the {@code id} of a row of the other table
     * @param ofOther the columns of the other table that can be asked for, behind those of the first
     */
    SqliteRows rowsWith(String table, String[] wanted, String key, String other, String... ofOther) throws IOException {
        List<String> known = columns(table);
        List<String> knownOfOther = columns(other);
        if (!known.contains(key) || !knownOfOther.contains("id")) {
            return rows(table, wanted);
        }
        List<String> cells = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        for (String name : wanted) {
            cell("t.", known, name, cells, numbers);
        }
        for (String name : ofOther) {
            cell("o.", knownOfOther, name, cells, numbers);
        }
        String from = '"' + table + "\" t LEFT JOIN \"" + other + "\" o ON o.id = t.\"" + key + '"';
        return rows(table, cells, numbers, from);
    }

    private void cell(String of, List<String> known, String name, List<String> cells, List<String> numbers) {
        boolean there = known.contains(name);
        String cell = of + '"' + name + '"';
        cells.add(there ? cell : "NULL");
        if (there && !texts.contains(name)) {
            numbers.add(cell);
        }
    }

    private SqliteRows rows(String table, List<String> cells, List<String> numbers, String from) throws IOException {
        StringBuilder damaged = new StringBuilder("0");
        numbers.forEach(cell -> damaged.append(" OR ").append(cell).append(" <> CAST(" + cell + " AS INTEGER)"));
        watch.operations = 0;
        try {
            return new SqliteRows(
                    this,
                    table,
                    connection.createStatement(),
                    "SELECT " + String.join(", ", cells) + ", " + damaged + " FROM " + from,
                    cells.size() + 1);
        } catch (SQLException e) {
            throw damaged(e);
        }
    }

    /** How many rows a table has. */
    long count(String table) throws IOException {
        return number("SELECT count(*) FROM \"" + table + '"');
    }

    /** About how many rows a table has, without a look at them: the number of its last row, as far as the file can hold so many. */
    long about(String table) throws IOException {
        return Math.clamp(number("SELECT max(rowid) FROM \"" + table + '"'), 0, input.size() / LEAST_ROW);
    }

    /** Whether a table has any row. */
    boolean any(String table) throws IOException {
        return number("SELECT 1 FROM \"" + table + "\" LIMIT 1") != 0;
    }

    /**
     * The version of the tables that the file states last, as JSON text; null where it states none.
     *
     * @param rows names and values; closed afterwards
     * @param name stands for the version
     */
    static @Nullable String schema(SqliteRows rows, String name) throws IOException {
        String schema = null;
        try (rows) {
            while (rows.next()) {
                String value = rows.text(1);
                if (name.equals(rows.text(0))
                        && value != null
                        && VERSION.matcher(value).matches()) {
                    schema = '"' + value + '"';
                }
            }
        }
        return schema;
    }

    /** The first cell of the answer to a query, 0 where there is none. */
    private long number(String query) throws IOException {
        watch.operations = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            throw damaged(e);
        }
    }

    /** How many rows had something else where a number belongs, by table; of those that were read to the end. */
    Map<String, Long> damagedRows() {
        damagedRows.values().removeIf(count -> count == 0);
        return damagedRows;
    }

    /** States how many rows of a table were passed over when it was read to its end. */
    void damagedRows(String table, long count) {
        damagedRows.merge(table, count, Math::max);
    }

    /** Adds a diagnostic for each table with damaged rows. */
    void noteDamagedRows(Diagnostics diagnostics) {
        damagedRows()
                .forEach((table, count) -> diagnostics.add(
                        Weight.REPAIRED,
                        "row_damaged",
                        "rows of " + table + " hold something else where a number belongs; they were left out",
                        -1,
                        count));
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw damaged(e);
        }
    }

    /**
     * States what the file is, so that messages say how to get another one.
     *
     * @param textColumns columns of its tables that hold texts, bytes or fractions; all others hold whole numbers
     */
    void isOf(TraceFormat format, Set<String> textColumns) {
        hint = format.hint();
        remedy = format.equals(NsysReader.FORMAT) ? EXPORT_AGAIN : format.hint();
        texts = textColumns;
    }

    TraceFormatException damaged(SQLException e) {
        return damaged(input, e, remedy);
    }

    private static TraceFormatException damaged(TraceInput input, SQLException e, String remedy) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                input.name(),
                -1,
                e.getErrorCode() == SQLiteErrorCode.SQLITE_INTERRUPT.code
                        ? "the database cannot be read: it seems to have more rows than there is room for in the file"
                        : "the database cannot be read: " + e.getMessage(),
                remedy);
    }

    private static void check(TraceInput input) throws IOException {
        byte[] head;
        try (InputStream in = NamedFiles.in(input.name(), input.path())) {
            head = in.readNBytes(HEADER_BYTES);
        } catch (NoSuchFileException e) {
            throw new TraceFormatException(ErrorCode.INPUT_NOT_FOUND, input.name(), -1, "there is no such file", null);
        } catch (AccessDeniedException e) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, input.name(), -1, "the file may not be read", null);
        }
        if (GzipSource.matches(head, head.length)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    input.name(),
                    0,
                    "the database is packed, and is read only as it is",
                    "Unpack it first: gunzip.");
        }
        if (!recognises(head)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, input.name(), 0, "expected a SQLite file", NsysReader.FORMAT.hint());
        }
        long promised = bytes(head);
        long there = Files.size(input.path());
        if (there < promised) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    input.name(),
                    there,
                    "the file ends here, but has " + promised + " bytes",
                    "It was cut off: copy it again.");
        }
        Path path = Files.isSymbolicLink(input.path()) ? input.path().toRealPath() : input.path();
        for (String ending : List.of("-wal", "-journal")) {
            Path beside = Path.of(URI.create(path.toUri() + ending)); // names need be no text
            if (Files.exists(beside) && Files.size(beside) > 0) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        input.name(),
                        -1,
                        "changes that were never finished lie in " + beside.getFileName(),
                        "Whoever writes the file must close it first; then that file disappears.");
            }
        }
    }

    /** How long the file is by its own account; 0 when it does not say. Reading a page that is cut off yields zeros. */
    private static long bytes(byte[] head) {
        if (head.length < HEADER_BYTES) {
            return HEADER_BYTES;
        }
        ByteBuffer header = ByteBuffer.wrap(head);
        boolean said = header.getInt(CHANGES_AT) == header.getInt(CHANGES_WHEN_COUNTED_AT);
        int page = Short.toUnsignedInt(header.getShort(PAGE_BYTES_AT));
        return said ? (page == 1 ? LARGEST_PAGE : page) * Integer.toUnsignedLong(header.getInt(PAGES_AT)) : 0;
    }

    /** Immutable: SQLite then takes no locks and looks for no files beside it. The bytes of the name are escaped as they are. */
    private static String uri(Path path) {
        return "file:" + path.toUri().getRawPath() + "?mode=ro&immutable=1";
    }
}
