// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Sheets as CSV files: a folder with a {@code <sheet>.csv} for each, a folder that holds such a folder as {@code csv/}, or
 * one such file alone.
 */
public final class CsvFolder implements SheetFormat {
    private static final SheetFiles FILES = new SheetFiles("csv");

    @Override
    public String name() {
        return "CSV files";
    }

    @Override
    public boolean recognises(Path path) throws IOException {
        return !FILES.of(path).isEmpty();
    }

    @Override
    public Sheets open(Path path) throws IOException {
        return new CsvSheets(FILES.of(path));
    }

    private record CsvSheets(List<Path> files) implements Sheets {
        @Override
        public List<String> names() {
            return files.stream().map(FILES::sheet).toList();
        }

        @Override
        public void rows(String sheet, RowSink sink) throws IOException {
            Path file = files.stream()
                    .filter(f -> FILES.sheet(f).equals(sheet))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no sheet " + sheet));
            try (InputStream in = NamedFiles.in(file);
                    Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
                new CsvParser(file.toString(), text).parse(sink);
            }
        }

        @Override
        public void close() {}
    }
}
