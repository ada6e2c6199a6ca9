// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.util.List;

/**
 * Comma-separated text, line by line: a cell is quoted only when it must be, and U+FFFD stands for what no text may hold, as in
 * {@link CsvWriter}. Confined to one thread.
 */
public final class CsvLines {
    private final StringBuilder text = new StringBuilder();
    private final String lineEnd;

    /** @param lineEnd stands behind each line */
    public CsvLines(String lineEnd) {
        this.lineEnd = lineEnd;
    }

    /** Adds a line. */
    public void line(List<String> cells) {
        for (int i = 0; i < cells.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            cell(cells.get(i), cells.size() == 1);
        }
        text.append(lineEnd);
    }

    /** All lines so far. */
    public String text() {
        return text.toString();
    }

    private void cell(String given, boolean alone) {
        String cell = Unicode.wellFormed(given).replace('\0', Unicode.REPLACEMENT);
        boolean quoted = alone && cell.isEmpty()
                || cell.indexOf(',') >= 0
                || cell.indexOf('"') >= 0
                || cell.indexOf('\n') >= 0
                || cell.indexOf('\r') >= 0;
        text.append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
}
