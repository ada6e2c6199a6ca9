// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.table.ColumnSpec;
import java.nio.file.Path;
import java.util.Locale;

/** The statement that writes rows into a Parquet file, packed by zstd, with what they mean among the file's metadata. */
final class ParquetCopy {
    private ParquetCopy() {}

    /**
     * The statement.
     *
     * @param rows where the rows come from, as SQL has it
     * @param rowGroup rows of a group
     */
    static String of(String rows, Path file, DatasetTable table, int rowGroup) {
        return String.format(
                Locale.ROOT,
                "COPY (SELECT * FROM %s) TO %s (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd,"
                        + " COMPRESSION_LEVEL 3, ROW_GROUP_SIZE %d, KV_METADATA %s)",
                rows,
                DuckDatabase.text(file.toString()),
                rowGroup,
                metadata(table));
    }

    private static String metadata(DatasetTable table) {
        StringBuilder metadata = new StringBuilder("{");
        entry(metadata, "lockstep.version", String.valueOf(DatasetTables.VERSION));
        entry(metadata, "lockstep.table", table.name());
        entry(metadata, "lockstep.doc", table.doc());
        if (!table.sortedBy().isEmpty()) {
            entry(metadata, "lockstep.sorted_by", String.join(",", table.sortedBy()));
        }
        for (ColumnSpec column : table.schema().columns()) {
            entry(metadata, "lockstep.column." + column.header(), column.doc());
            if (!column.unit().symbol().isEmpty()) {
                entry(
                        metadata,
                        "lockstep.unit." + column.header(),
                        column.unit().symbol());
            }
        }
        return metadata.append('}').toString();
    }

    private static void entry(StringBuilder metadata, String key, String value) {
        metadata.append(metadata.length() == 1 ? "" : ", ")
                .append(DuckDatabase.quoted(key))
                .append(": ")
                .append(DuckDatabase.text(value));
    }
}
