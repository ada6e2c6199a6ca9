// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * One {@code <table>.csv} per table: UTF-8, a header row, lines ending in LF, quotes only around cells that hold a comma, a
 * quote or a line end (RFC 4180).
 *
 * <p>A text that a spreadsheet would take for a formula ({@code =cmd|...}) is written as it is. These files are read by
 * programs, and names of kernels must come back unchanged; a sign put before them would change the data for everyone and
 * protect only those who open a CSV by double click. For them there is the workbook, whose cells are typed as text. The only
 * characters that are replaced, by U+FFFD, are those that break readers: NUL and halves of surrogate pairs.
 *
 * <p>A table without rows is its header; in Python style it is a single line end, as pandas writes a frame without columns.
 */
public final class CsvWriter implements ReportWriter {
    private static final int CHUNK = 1 << 16;
    private static final int LONGEST_NAME = 200;

    @Override
    public String id() {
        return "csv";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        Set<String> taken = new HashSet<>();
        for (Table table : report.tables()) {
            try (OutputStream out = Files.newOutputStream(target.resolve(fileName(table.name(), taken)))) {
                write(table, style, out);
            }
        }
    }

    private static void write(Table table, CellStyle style, OutputStream out) throws IOException {
        if (table.rows() == 0 && style == CellStyle.PYTHON) {
            out.write('\n');
            return;
        }
        int width = table.schema().size();
        CellText[] cells = new CellText[width];
        StringBuilder chunk = new StringBuilder(CHUNK + 4096);
        for (int i = 0; i < width; i++) {
            cells[i] = new CellText(table, i, style);
            append(table.schema().get(i).header(), true, i, width, chunk);
        }
        chunk.append('\n');
        for (int row = 0; row < table.rows(); row++) {
            for (int i = 0; i < width; i++) {
                append(cells[i].at(row), cells[i].isFreeText(), i, width, chunk);
            }
            chunk.append('\n');
            if (chunk.length() >= CHUNK) {
                flush(chunk, out);
            }
        }
        flush(chunk, out);
    }

    private static void append(String cell, boolean freeText, int column, int width, StringBuilder out) {
        if (column > 0) {
            out.append(',');
        }
        if (freeText) {
            text(cell, width, out);
        } else if (width == 1 && cell.isEmpty()) {
            out.append("\"\"");
        } else {
            out.append(cell);
        }
    }

    private static void text(String cell, int width, StringBuilder out) {
        boolean quote = width == 1 && cell.isEmpty();
        boolean odd = false;
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            quote |= c == ',' || c == '"' || c == '\n' || c == '\r';
            odd |= c == 0 || Character.isSurrogate(c);
        }
        String sound = odd ? Unicode.wellFormed(cell.replace('\0', Unicode.REPLACEMENT)) : cell;
        if (quote) {
            out.append('"')
                    .append(sound.indexOf('"') < 0 ? sound : sound.replace("\"", "\"\""))
                    .append('"');
        } else {
            out.append(sound);
        }
    }

    private static void flush(StringBuilder chunk, OutputStream out) throws IOException {
        out.write(chunk.toString().getBytes(StandardCharsets.UTF_8));
        chunk.setLength(0);
    }

    /** The table's name, as every file system takes it; a number tells tables apart that would share a file. */
    private static String fileName(String table, Set<String> taken) {
        StringBuilder safe = new StringBuilder(Unicode.head(Unicode.wellFormed(table), LONGEST_NAME));
        for (int i = 0; i < safe.length(); i++) {
            char c = safe.charAt(i);
            if (c < ' ' || c == 0x7f || "/\\:*?\"<>|".indexOf(c) >= 0 || (c == '.' && i == 0)) {
                safe.setCharAt(i, '_');
            }
        }
        String stem = safe.isEmpty() ? "table" : safe.toString();
        String name = stem;
        for (int n = 2; !taken.add(name.toLowerCase(Locale.ROOT)); n++) {
            name = stem + "_" + n;
        }
        return name + ".csv";
    }
}
