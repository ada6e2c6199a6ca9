// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A table that is written as Parquet in whatever way the format allows.
 *
 * @param columns as SQL selects them from columns called {@code col0}, {@code col1} and so on
 * @param rows as SQL spells them
 */
record MadeTable(List<String> columns, List<String> rows) {
    private static final List<String> CODECS = List.of("uncompressed", "snappy", "gzip", "zstd", "lz4_raw");

    /** A table of texts and numbers, the first row of which names the columns. */
    static MadeTable of(List<List<Object>> cells) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < cells.getFirst().size(); i++) {
            boolean text = cells.get(1).get(i) instanceof String;
            columns.add("col" + i + "::" + (text ? "VARCHAR" : "DOUBLE") + " AS "
                    + named(cells.getFirst().get(i)));
        }
        return new MadeTable(
                columns,
                cells.subList(1, cells.size()).stream()
                        .map(row -> String.join(
                                ", ", row.stream().map(MadeTable::literal).toList()))
                        .toList());
    }

    private static String named(Object name) {
        return '"' + name.toString().replace("\"", "\"\"") + '"';
    }

    private static String literal(Object cell) {
        if (cell instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return cell.toString().isEmpty() ? "NULL" : "'" + cell.toString().replace("'", "''") + "'";
    }

    /** Writes it with rows and columns in any order, packed anyhow. */
    void write(Statement statement, RandomGenerator random, Path file) throws SQLException {
        List<String> anyRows = new ArrayList<>(rows);
        Collections.shuffle(anyRows, random);
        List<String> anyColumns = new ArrayList<>(columns);
        Collections.shuffle(anyColumns, random);
        statement.execute("COPY (SELECT " + String.join(", ", anyColumns) + " FROM (VALUES ("
                + String.join("), (", anyRows) + "))) TO '" + file + "' (FORMAT parquet, CODEC '"
                + CODECS.get(random.nextInt(CODECS.size())) + "', PARQUET_VERSION "
                + (random.nextBoolean() ? "V1" : "V2") + ", ROW_GROUP_SIZE " + (random.nextBoolean() ? 2048 : 100_000)
                + ")");
    }
}
