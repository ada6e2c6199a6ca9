// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetFiles;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sheets as Parquet files: a folder with a {@code <sheet>.parquet} for each, a folder that holds such a folder as
 * {@code parquet/}, or one such file alone.
 */
public final class ParquetSheets implements SheetFormat {
    private static final SheetFiles FILES = new SheetFiles("parquet");

    /** The files of a report's sheets by the names of these; none where the path is no such report. */
    static Map<String, Path> files(Path path) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        for (Path file : FILES.of(path)) {
            files.put(FILES.sheet(file), file);
        }
        return files;
    }

    @Override
    public String name() {
        return "Parquet files";
    }

    @Override
    public boolean recognises(Path path) throws IOException {
        return !FILES.of(path).isEmpty();
    }

    @Override
    public Sheets open(Path path) throws IOException {
        return new Folder(FILES.of(path));
    }

    private record Folder(List<Path> files) implements Sheets {
        @Override
        public List<String> names() {
            return files.stream().map(FILES::sheet).toList();
        }

        @Override
        public void rows(String sheet, RowSink sink) throws IOException {
            for (Path file : files) {
                if (FILES.sheet(file).equals(sheet)) {
                    try (ParquetFile parquet = ParquetFile.open(file)) {
                        rows(parquet.table(List.copyOf(parquet.columns().keySet())), sink);
                    }
                }
            }
        }

        private static void rows(Table table, RowSink sink) throws IOException {
            sink.row(table.schema().columns().stream().map(ColumnSpec::header).toList());
            List<String> cells = new ArrayList<>();
            for (int row = 0; row < table.rows(); row++) {
                cells.clear();
                for (Column column : table.columns()) {
                    cells.add(spelt(column.value(row)));
                }
                sink.row(cells);
            }
        }

        private static String spelt(@Nullable Object value) {
            return switch (value) {
                case null -> "";
                case Double real -> Numbers.plain(real);
                default -> value.toString();
            };
        }

        @Override
        public void close() {}
    }
}
