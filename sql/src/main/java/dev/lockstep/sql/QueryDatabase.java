// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.sql.QueryAnswer.Head;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.UniqueNames;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Tables that people ask in SQL. Queries read: they change nothing, see no file but those that were handed over, and reach no
 * network. One thread computes, so that results are the same on every machine. Confined to one thread, but for {@link #cancel}.
 */
public final class QueryDatabase implements AutoCloseable {
    /** Where that lies of which tables are made, so that no table has its name and nobody is shown it. */
    private static final String PARTS = "lockstep_parts";

    private final DuckDatabase database;
    private final List<Path> files;
    private final Map<String, List<Path>> filesOfTables = new HashMap<>();
    private volatile @Nullable Statement running;
    private volatile boolean cancelled;
    private int longest;

    private QueryDatabase(DuckDatabase database, List<Path> files) {
        this.database = database;
        this.files = List.copyOf(files);
    }

    /**
     * A database without tables.
     *
     * @param files Parquet files that views may read
     */
    public static QueryDatabase seeing(List<Path> files) throws IOException {
        DuckDatabase database = DuckDatabase.seeing(files);
        try {
            database.execute("CREATE SCHEMA " + PARTS);
            return new QueryDatabase(database, files);
        } catch (SQLException e) {
            database.close();
            throw new IOException(DuckError.of(e).message(), e);
        }
    }

    /**
     * Ends queries from now on that take longer.
     *
     * @param seconds for each query; 0 to end none
     */
    public void limit(int seconds) {
        longest = seconds;
    }

    /**
     * Adds files that have the same columns as one table.
     *
     * @throws TraceFormatException when they cannot be read
     */
    public void add(String name, List<Path> files) throws IOException {
        database.view(DuckDatabase.quoted(name), files);
    }

    /**
     * Adds the files of several runs or reports as one table, with a column in front that says whose a row is.
     *
     * @param files those of each by its name
     * @param column the name of that column; one of that name in the files is called {@code name_2}, or by the next number
     * @throws TraceFormatException when they cannot be read
     */
    void add(String name, Map<String, List<Path>> files, String column) throws IOException {
        filesOfTables.put(name, files.values().stream().flatMap(List::stream).toList());
        Map<String, Set<String>> columns = new LinkedHashMap<>();
        for (Map.Entry<String, List<Path>> each : files.entrySet()) {
            String part = part(name, columns.size());
            database.view(part, each.getValue());
            columns.put(each.getKey(), described(part).keySet());
        }
        UniqueNames taken = DuckDatabase.uniqueNames();
        columns.values().stream()
                .flatMap(Set::stream)
                .map(DuckDatabase::key)
                .distinct()
                .forEach(taken::add);
        String other = DuckDatabase.quoted(taken.add(column));
        List<String> parts = new ArrayList<>();
        columns.forEach((each, found) -> parts.add("SELECT " + DuckDatabase.text(each) + " AS " + column + ", *"
                + (found.stream().anyMatch(column::equalsIgnoreCase) ? " RENAME (" + column + " AS " + other + ")" : "")
                + " FROM " + part(name, parts.size())));
        try {
            database.execute(
                    "CREATE VIEW " + DuckDatabase.quoted(name) + " AS " + String.join(" UNION ALL BY NAME ", parts));
        } catch (SQLException e) {
            throw new IOException(name + ": " + DuckError.of(e).message(), e);
        }
    }

    /** Takes the rows of a run that is read, as tables that are there when what is returned is closed. */
    DuckTables tables(String run, Map<DatasetTable, UnaryOperator<String>> tables) throws IOException {
        return new DuckTables(database, run, tables);
    }

    /**
     * Adds the rows of a table, with its heads as names of columns; of several that are one to SQL, the later ones are numbered.
     * Where there is a table of that name, the rows come behind
     * its own, and columns that only one of them has are empty in the other.
     */
    public void add(String name, Table table) throws IOException {
        try {
            if (!tables().contains(name)) {
                create("main", name, table);
                return;
            }
            create(PARTS, name, table);
            database.execute("CREATE OR REPLACE TABLE " + DuckDatabase.quoted(name) + " AS FROM "
                    + DuckDatabase.quoted(name) + " UNION ALL BY NAME FROM " + part(name));
            database.execute("DROP TABLE " + part(name));
        } catch (SQLException e) {
            throw new IOException(name + ": " + DuckError.of(e).message(), e);
        }
    }

    /**
     * Adds a view by its definition, unless a table or column that it needs is not there.
     *
     * @return why it is not there, empty when it is
     */
    public String define(String name, String query) throws IOException {
        try {
            database.execute("CREATE VIEW " + DuckDatabase.quoted(name) + " AS " + query);
            return "";
        } catch (SQLException e) {
            DuckError error = DuckError.of(e);
            if (error.kind().equals("catalog") || error.kind().equals("binder")) {
                return error.firstLine();
            }
            throw new IOException(name + ": " + error.message(), e);
        }
    }

    /** The names of all tables and views, in their order. */
    public List<String> tables() throws IOException {
        List<String> names = new ArrayList<>();
        collect(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1",
                row -> names.add(row.getString(1)));
        return names;
    }

    /** The columns of a table: types by name, as {@code BIGINT}, in their order. */
    public Map<String, String> columns(String table) throws IOException {
        return described(DuckDatabase.quoted(table));
    }

    private static String part(String name) {
        return PARTS + "." + DuckDatabase.quoted(name);
    }

    /** By its place, since SQL would take what is called run for what is called RUN. */
    private static String part(String name, int place) {
        return part(name + "/" + place);
    }

    private Map<String, String> described(String table) throws IOException {
        Map<String, String> columns = new LinkedHashMap<>();
        collect("DESCRIBE " + table, row -> columns.put(row.getString(1), row.getString(2)));
        return columns;
    }

    /** What to say of a table whose rows are not what was expected, which names its file. */
    TraceFormatException unexpected(String table, String problem) {
        List<Path> of = filesOfTables.getOrDefault(table, List.of());
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                of.isEmpty() ? table : of.getFirst().toString(),
                -1,
                "table " + table + ": " + problem,
                "'lockstep dataset' writes such tables; were they changed?");
    }

    private interface RowReader {
        void accept(ResultSet row) throws SQLException;
    }

    private void collect(String sql, RowReader reader) throws IOException {
        try (Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.accept(rows);
            }
        } catch (SQLException e) {
            DuckError error = DuckError.of(e);
            throw error.isOfAFile() ? database.unreadable(files, error) : new IOException(error.message(), e);
        }
    }

    /**
     * Asks.
     *
     * @return the answer, which the caller closes
     * @throws UserException when the query is wrong, or would do anything but read; with the place in it
     * @throws TraceFormatException when a file that it reads is damaged
     */
    public QueryAnswer query(String text) throws IOException {
        PreparedStatement statement = null;
        try {
            ReadOnlyQuery.check(database.connection(), text);
            statement = database.connection().prepareStatement(text);
            List<Head> heads = QueryAnswer.heads(statement.getMetaData());
            String spelt = TimeTypes.spelt(text, heads.stream().map(Head::type).toList());
            if (!spelt.equals(text)) {
                statement.close();
                statement = database.connection().prepareStatement(spelt);
            }
            begin(statement);
            return new QueryAnswer(this, text, statement, heads);
        } catch (SQLException e) {
            close(statement);
            throw failure(DuckError.of(e), text);
        }
    }

    /**
     * Asks, and writes the answer as a Parquet file.
     *
     * @param file one of the files that this database sees; its content is replaced
     * @throws UserException as {@link #query} does
     * @throws TraceFormatException as {@link #query} does
     */
    public void write(String text, Path file) throws IOException {
        try {
            if (ReadOnlyQuery.check(database.connection(), text)) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "a plan cannot be written as Parquet",
                        "Write the rows of the query itself, or the plan as CSV.");
            }
            try (Statement statement = database.connection().createStatement()) {
                begin(statement);
                statement.execute("COPY (FROM query(" + DuckDatabase.text(text) + ")) TO "
                        + DuckDatabase.text(file.toRealPath().toString())
                        + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
            }
        } catch (SQLException e) {
            DuckError error = DuckError.of(e);
            Optional<FileSystemException> unwritten = error.unwritten();
            if (unwritten.isPresent()) {
                throw unwritten.get();
            }
            throw failure(error, text);
        }
    }

    private void begin(Statement statement) throws SQLException {
        statement.setQueryTimeout(longest);
        cancelled = false;
        running = statement;
    }

    /** Ends the query that is running, if one is; may be called by any thread. */
    public void cancel() {
        cancelled = true;
        Statement statement = running;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                return; // it has ended by itself
            }
        }
    }

    private static void close(@Nullable Statement statement) throws IOException {
        if (statement != null) {
            try {
                statement.close();
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    /**
     * That a file is damaged which a query reads.
     *
     * @throws UserException when it is the query that is wrong
     */
    TraceFormatException failure(DuckError error, String text) {
        if (error.kind().equals("interrupt") && longest > 0 && !cancelled) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "the query was ended: it took longer than " + longest + " s",
                    "Give it more time, or ask for less.");
        }
        if (!error.isOfAFile()) {
            throw failed(error, text);
        }
        return database.unreadable(files, error);
    }

    /** What is wrong with a query, with the line and a mark under the place. */
    static UserException failed(DuckError error, String text) {
        boolean closed = error.kind().equals("permission");
        String where = error.position(text);
        StringBuilder message = new StringBuilder(where.isEmpty() ? "" : where + ": ");
        message.append(
                closed
                        ? "queries read the tables of what was opened and nothing else: no files, network or extensions"
                        : shortened(error.message()));
        error.marked(text).lines().forEach(line -> message.append("\n  ").append(line));
        return new UserException(
                ErrorCode.OPTION_INVALID, message.toString(), closed ? "Name further inputs beside the query." : null);
    }

    /** Without advice to install what may not be installed. */
    private static String shortened(String message) {
        int advice = message.indexOf(", but it exists in the ");
        return advice < 0 ? message.strip() : message.substring(0, advice) + "; extensions are not loaded";
    }

    private void create(String schema, String name, Table table) throws SQLException {
        List<String> columns = new ArrayList<>();
        UniqueNames taken = DuckDatabase.uniqueNames();
        for (ColumnSpec column : table.schema().columns()) {
            String head = taken.add(column.header());
            String type = switch (column.type()) {
                case LONG -> "BIGINT";
                case DOUBLE -> "DOUBLE";
                case BOOL -> "BOOLEAN";
                case STRING, JSON, ARGUMENTS -> "VARCHAR";
            };
            columns.add(DuckDatabase.quoted(head) + " " + type);
        }
        database.execute(
                "CREATE TABLE " + schema + "." + DuckDatabase.quoted(name) + " (" + String.join(", ", columns) + ")");
        try (DuckDBAppender appender =
                database.connection().unwrap(DuckDBConnection.class).createAppender(schema, name)) {
            for (int row = 0; row < table.rows(); row++) {
                appender.beginRow();
                for (Column column : table.columns()) {
                    append(appender, column.value(row));
                }
                appender.endRow();
            }
        }
    }

    private static void append(DuckDBAppender appender, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> appender.appendNull();
            case Long number -> appender.append((long) number);
            case Double number -> appender.append((double) number);
            case Boolean truth -> appender.append((boolean) truth);
            default -> appender.append(value.toString());
        }
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
