// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashSet;
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
 * <p>A table without rows is its header, one without columns a single line end, as pandas writes them.
 */
public final class CsvWriter implements ReportWriter {
    @Override
    public String id() {
        return "csv";
    }

    @Override
    public String help() {
        return "Write one CSV file for each sheet into DIR.";
    }

    @Override
    public String ending() {
        return "";
    }

    @Override
    public boolean isStandard() {
        return true;
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        Set<String> taken = new HashSet<>();
        for (Table table : report.tables()) {
            try (OutputStream out = NamedFiles.out(target.resolve(SheetFileNames.of(table.name(), ".csv", taken)))) {
                write(table, style, out);
            }
        }
    }

    private static void write(Table table, CellStyle style, OutputStream out) throws IOException {
        if (table.schema().size() == 0) {
            out.write('\n');
            return;
        }
        ByteText text = new ByteText(out);
        int width = table.schema().size();
        CellText[] cells = new CellText[width];
        for (int i = 0; i < width; i++) {
            cells[i] = new CellText(table, i, style);
            if (i > 0) {
                text.put(',');
            }
            text.cell(table.schema().get(i).header(), false);
        }
        text.put('\n');
        for (int row = 0; row < table.rows(); row++) {
            for (int i = 0; i < width; i++) {
                if (i > 0) {
                    text.put(',');
                }
                put(cells[i], row, width == 1, text);
            }
            text.put('\n');
            text.flushWhenFull();
        }
        text.flush();
    }

    /** A cell that is alone in its row and empty gets quotes, lest the row be taken for an empty line. */
    private static void put(CellText cells, int row, boolean alone, ByteText text) {
        if (cells.isFreeText()) {
            String cell = cells.at(row);
            text.cell(cell, alone && cell.isEmpty());
        } else if (alone && cells.at(row).isEmpty()) {
            text.cell("", true);
        } else {
            cells.put(row, text);
        }
    }
}
