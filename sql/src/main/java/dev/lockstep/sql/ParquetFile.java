// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file, opened for reading: its columns, and the rows in the order of the file. Nothing but this file is read, nothing
 * is written or fetched. Confined to one thread.
 */
public final class ParquetFile implements AutoCloseable {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final String HINT = "Is it the file that you meant, and was it copied whole?";

    private final String name;
    private final DuckDatabase database;
    private final Map<String, String> columns;

    private ParquetFile(String name, DuckDatabase database) throws IOException {
        this.name = name;
        this.database = database;
        this.columns = described();
    }

    /**
     * Opens a file.
     *
     * @throws TraceFormatException when there is none, or it is no sound Parquet file
     */
    public static ParquetFile open(Path file) throws IOException {
        check(file);
        DuckDatabase database = DuckDatabase.of(file);
        try {
            return new ParquetFile(file.toString(), database);
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** The types of the columns by name, as the database calls them ({@code FLOAT}, {@code BIGINT}, …), in their order. */
    public Map<String, String> columns() {
        return columns;
    }

    /**
     * Some columns, with all rows: whole numbers, doubles (to which floats of 32 bits widen exactly) and text. A cell without a
     * value is missing, and so is a number that is none.
     *
     * @param wanted columns that the file has; a type that is neither number nor text comes as text
     */
    public Table table(List<String> wanted) throws IOException {
        if (wanted.isEmpty()) {
            return new TableBuilder(name, name, new Schema(List.of())).build();
        }
        StringBuilder query = new StringBuilder("SELECT ");
        for (int i = 0; i < wanted.size(); i++) {
            String column = wanted.get(i);
            query.append(i == 0 ? "" : ", ")
                    .append(TimeTypes.spelt(DuckDatabase.quoted(column), columns.getOrDefault(column, "")));
        }
        query.append(" FROM ").append(DuckDatabase.FILE);
        try (Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery(query.toString())) {
            List<ColumnSpec> specs = specs(wanted, rows.getMetaData());
            TableBuilder table = new TableBuilder(name, name, new Schema(specs));
            @Nullable Object[] cells = new Object[specs.size()];
            while (rows.next()) {
                for (int i = 0; i < cells.length; i++) {
                    cells[i] = cell(rows, i + 1, specs.get(i).type());
                }
                table.row(cells);
            }
            return table.build();
        } catch (SQLException e) {
            throw damaged(name, e);
        }
    }

    @Override
    public void close() throws IOException {
        database.close();
    }

    private Map<String, String> described() throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        try (Statement statement = database.connection().createStatement();
                ResultSet rows = statement.executeQuery("DESCRIBE SELECT * FROM " + DuckDatabase.FILE)) {
            while (rows.next()) {
                types.put(rows.getString(1), rows.getString(2));
            }
            return types;
        } catch (SQLException e) {
            throw damaged(name, e);
        }
    }

    private static List<ColumnSpec> specs(List<String> wanted, ResultSetMetaData types) throws SQLException {
        List<ColumnSpec> specs = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            String doc = "As in the file.";
            specs.add(
                    switch (types.getColumnType(i + 1)) {
                        case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
                            ColumnSpec.count(wanted.get(i), doc);
                        case Types.FLOAT, Types.REAL, Types.DOUBLE ->
                            ColumnSpec.real(wanted.get(i), Unit.NONE, Unit.NONE, doc);
                        default -> ColumnSpec.text(wanted.get(i), doc);
                    });
        }
        return specs;
    }

    private static @Nullable Object cell(ResultSet rows, int column, ColumnType type) throws SQLException {
        Object value = switch (type) {
            case LONG -> rows.getLong(column);
            case DOUBLE -> rows.getDouble(column);
            default -> rows.getString(column);
        };
        return rows.wasNull() ? null : value;
    }

    private static void check(Path file) throws IOException {
        byte[] head;
        byte[] tail = new byte[MAGIC.length];
        NamedFiles.demandFile(file.toString(), file, "Parquet is read from its end.");
        try (InputStream in = NamedFiles.in(file);
                FileChannel channel = FileChannel.open(file)) {
            head = in.readNBytes(MAGIC.length);
            ByteBuffer end = ByteBuffer.wrap(tail);
            channel.read(end, Math.max(0, channel.size() - MAGIC.length));
        }
        if (!Arrays.equals(head, MAGIC)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    file.toString(),
                    0,
                    "expected a Parquet file, which begins with PAR1",
                    HINT);
        }
        if (!Arrays.equals(tail, MAGIC)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    file.toString(),
                    -1,
                    "expected PAR1 at the end of a Parquet file: it was cut off",
                    HINT);
        }
    }

    private static TraceFormatException damaged(String name, SQLException e) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                name,
                -1,
                "the Parquet file cannot be read: " + DuckError.of(e).firstLine(),
                HINT);
    }
}
