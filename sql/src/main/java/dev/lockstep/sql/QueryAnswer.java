// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBResultSet.DuckDBBlobResult;
import org.duckdb.DuckDBStruct;
import org.jspecify.annotations.Nullable;

/** The rows of an answer, one after the other; they are kept nowhere. Confined to one thread. */
public final class QueryAnswer implements AutoCloseable {
    /**
     * A column.
     *
     * @param name as the query calls it
     * @param type as the database calls it: {@code BIGINT}, {@code DOUBLE}, {@code VARCHAR}, …
     */
    public record Head(String name, String type) {
        /** Whether cells are numbers. */
        public boolean isNumber() {
            return type.endsWith("INT")
                    || type.endsWith("INTEGER")
                    || type.equals("DOUBLE")
                    || type.equals("FLOAT")
                    || type.startsWith("DECIMAL(") && type.endsWith(")");
        }
    }

    private final QueryDatabase database;
    private final String query;
    private final PreparedStatement statement;
    private final ResultSet rows;
    private final List<Head> heads;

    /**
     * Begins an answer.
     *
     * @param query as it was given
     * @param statement the query with times as text; closed with the answer
     */
    QueryAnswer(QueryDatabase database, String query, PreparedStatement statement, List<Head> heads)
            throws SQLException {
        this.database = database;
        this.query = query;
        this.statement = statement;
        this.heads = heads;
        rows = statement.executeQuery();
    }

    static List<Head> heads(ResultSetMetaData types) throws SQLException {
        List<Head> heads = new ArrayList<>();
        for (int i = 1; i <= types.getColumnCount(); i++) {
            heads.add(new Head(types.getColumnName(i), types.getColumnTypeName(i)));
        }
        return List.copyOf(heads);
    }

    /** The columns. */
    public List<Head> heads() {
        return heads;
    }

    /**
     * The next row: of each column a Long, BigInteger, BigDecimal, Double (as it is, even if it is no number), Boolean,
     * String, a list of such or a map by name of such; null where there is no value. Other types are spelt out, times as
     * the database does.
     *
     * @return null behind the last
     * @throws dev.lockstep.error.UserException when a cell cannot be computed
     * @throws dev.lockstep.error.TraceFormatException when a file is damaged
     */
    public @Nullable List<@Nullable Object> next() throws IOException {
        try {
            if (!rows.next()) {
                return null;
            }
            @Nullable Object[] cells = new Object[heads.size()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = plain(rows.getObject(i + 1));
            }
            return Arrays.asList(cells);
        } catch (SQLException e) {
            throw database.failure(DuckError.of(e), query);
        }
    }

    private static @Nullable Object plain(@Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> null;
            case Byte number -> (long) number;
            case Short number -> (long) number;
            case Integer number -> (long) number;
            case Long number -> number;
            case Float number -> Double.valueOf(number.toString());
            case Double number -> number;
            case BigInteger number -> number;
            case BigDecimal number -> number;
            case Boolean truth -> truth;
            case Array array -> list(array);
            case DuckDBStruct struct -> members(struct.getMap());
            case Map<?, ?> map -> members(map);
            case DuckDBBlobResult blob -> hex(blob);
            default -> value.toString();
        };
    }

    private static String hex(DuckDBBlobResult blob) throws SQLException {
        return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
    }

    private static List<@Nullable Object> list(Array array) throws SQLException {
        List<@Nullable Object> items = new ArrayList<>();
        for (Object item : (Object[]) array.getArray()) {
            items.add(plain(item));
        }
        return items;
    }

    private static Map<String, @Nullable Object> members(Map<?, ?> given) throws SQLException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : given.entrySet()) {
            members.put(String.valueOf(plain(member.getKey())), plain(member.getValue()));
        }
        return members;
    }

    @Override
    public void close() throws IOException {
        try {
            rows.close();
            statement.close();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
