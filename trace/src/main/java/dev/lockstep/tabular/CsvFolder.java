// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sheets as CSV files: a folder with a {@code <sheet>.csv} for each, a folder that holds such a folder as {@code csv/}, or
 * one such file alone.
 */
public final class CsvFolder implements SheetFormat {
    private static final String ENDING = ".csv";

    @Override
    public String name() {
        return "CSV files";
    }

    @Override
    public boolean recognises(Path path) throws IOException {
        return !files(path).isEmpty();
    }

    @Override
    public Sheets open(Path path) throws IOException {
        return new CsvSheets(files(path));
    }

    private static List<Path> files(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            return isCsv(path) ? List.of(path) : List.of();
        }
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        List<Path> direct = listed(path);
        Path inner = path.resolve("csv");
        return direct.isEmpty() && Files.isDirectory(inner) ? listed(inner) : direct;
    }

    private static List<Path> listed(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> isCsv(f) && Files.isRegularFile(f))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isCsv(Path file) {
        return fileName(file).toLowerCase(Locale.ROOT).endsWith(ENDING);
    }

    private static String fileName(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static String sheet(Path file) {
        String name = fileName(file);
        return name.substring(0, name.length() - ENDING.length());
    }

    private record CsvSheets(List<Path> files) implements Sheets {
        @Override
        public List<String> names() {
            return files.stream().map(CsvFolder::sheet).toList();
        }

        @Override
        public void rows(String sheet, RowSink sink) throws IOException {
            Path file = files.stream()
                    .filter(f -> sheet(f).equals(sheet))
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
