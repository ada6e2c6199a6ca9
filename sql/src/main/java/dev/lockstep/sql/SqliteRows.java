// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table, one after the other; columns are counted from 0 in the order in which they were asked for. A row with
 * something else where a number belongs is passed over, and the file counts it.
 */
public final class SqliteRows implements AutoCloseable {
    private final SqliteFile file;
    private final String table;
    private final int flag;
    private final Statement statement;
    private final ResultSet rows;
    private long damaged;

    /**
     * @param file says what an error means
     * @param table for which the file counts, behind the last row, how many rows were passed over
     * @param flag the column of the query that is true in such rows
     */
    SqliteRows(SqliteFile file, String table, Statement statement, String query, int flag) throws SQLException {
        this.file = file;
        this.table = table;
        this.flag = flag;
        this.statement = statement;
        this.rows = statement.executeQuery(query);
    }

    /** Goes to the next row, the first one at first; false behind the last. */
    public boolean next() throws IOException {
        try {
            while (rows.next()) {
                if (rows.getLong(flag) == 0) {
                    return true;
                }
                damaged++;
            }
            file.damagedRows(table, damaged);
            return false;
        } catch (SQLException e) {
            throw file.damaged(e);
        }
    }

    /** A number of this row, or what stands for it when the cell is empty. */
    public long number(int column, long absent) throws IOException {
        try {
            long value = rows.getLong(column + 1);
            return value == 0 && rows.wasNull() ? absent : value;
        } catch (SQLException e) {
            throw file.damaged(e);
        }
    }

    /** A text of this row, or null when the cell is empty. */
    public @Nullable String text(int column) throws IOException {
        try {
            return rows.getString(column + 1);
        } catch (SQLException e) {
            throw file.damaged(e);
        }
    }

    /** The bytes of a cell of this row, or null when it is empty. */
    byte @Nullable [] bytes(int column) throws IOException {
        try {
            return rows.getBytes(column + 1);
        } catch (SQLException e) {
            throw file.damaged(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            statement.close();
        } catch (SQLException e) {
            throw file.damaged(e);
        }
    }
}
