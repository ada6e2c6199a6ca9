// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.RowBatch;
import dev.lockstep.report.Report;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.UniqueNames;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.SheetFileNames;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One {@code <table>.parquet} per table. Columns have the heads and units of sheets: whole numbers that are shown as they are
 * stored are 64-bit integers, all others doubles, since a time in ms has a fraction. A missing number is a null; structured
 * cells are JSON text. What columns mean stands in the metadata. Of heads that differ in capitals alone, which would be one
 * column to readers, the later ones are numbered. A table without columns, which the format does not have, is
 * left out.
 */
public final class ParquetWriter implements ReportWriter {
    private static final int ROW_GROUP = 131_072;
    private static final int MOST_TEXT_BYTES = 1 << 24;

    @Override
    public String id() {
        return "parquet";
    }

    @Override
    public String help() {
        return "Write one Parquet file for each sheet into DIR.";
    }

    @Override
    public String ending() {
        return "";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        Set<String> taken = new HashSet<>();
        try (DuckDatabase database = DuckDatabase.writing(target)) {
            int number = 0;
            for (Table table : report.tables()) {
                if (table.schema().size() > 0) {
                    Path file = target.resolve(SheetFileNames.of(table.name(), ".parquet", taken));
                    write(database, "sheet_" + number++, table, file);
                }
            }
        }
    }

    private static void write(DuckDatabase database, String function, Table table, Path file) throws IOException {
        DatasetTable shown = shown(table);
        try (BatchLoad load = new BatchLoad(
                database.connection(), shown, function, rows -> ParquetCopy.of(rows, file, shown, ROW_GROUP))) {
            RowBatch batch = load.batch();
            long bytes = 0;
            for (int row = 0; row < table.rows(); row++) {
                if (batch.isFull() || bytes > MOST_TEXT_BYTES) {
                    load.add(batch);
                    batch = load.batch();
                    bytes = 0;
                }
                batch.row();
                for (int column = 0; column < table.columns().size(); column++) {
                    bytes += put(
                            batch,
                            column,
                            table.columns().get(column),
                            row,
                            table.schema().get(column));
                }
            }
            load.add(batch);
        } catch (SQLException e) {
            throw new IOException(table.name() + ": " + e.getMessage(), e);
        }
    }

    /** The table with the types and units that sheets show, and heads that are one to SQL numbered. */
    private static DatasetTable shown(Table table) {
        UniqueNames heads = DuckDatabase.uniqueNames();
        List<ColumnSpec> columns = new ArrayList<>();
        for (ColumnSpec column : table.schema().columns()) {
            boolean fractions = column.type() == ColumnType.LONG && column.divisor() != 1;
            columns.add(new ColumnSpec(
                    column.id(),
                    heads.add(column.header()),
                    fractions ? ColumnType.DOUBLE : column.type(),
                    column.shown(),
                    column.shown(),
                    column.doc()));
        }
        return new DatasetTable(table.name(), table.title(), new Schema(columns), List.of(), Level.SKETCH);
    }

    /** Sets a cell; returns about how many bytes of text it is. */
    private static int put(RowBatch batch, int column, Column cells, int row, ColumnSpec spec) {
        if (cells.isMissing(row)) {
            return 0;
        }
        switch (cells) {
            case LongColumn c when spec.divisor() == 1 -> batch.set(column, c.get(row));
            case LongColumn c -> batch.set(column, c.get(row) / spec.divisor());
            case DoubleColumn c -> batch.set(column, c.get(row) / spec.divisor());
            case BoolColumn c -> batch.set(column, c.get(row));
            case StringColumn c -> {
                String text = Unicode.wellFormed(String.valueOf(c.get(row)));
                batch.set(column, text);
                return text.length();
            }
        }
        return 0;
    }
}
