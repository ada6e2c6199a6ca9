// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import java.util.List;

/** Lines of comma-separated text as Python's {@code csv} module writes them: a cell is quoted only when it must be. */
final class PythonCsv {
    /** How lines of the module itself end. */
    static final String MODULE = "\r\n";

    /** How lines of pandas end. */
    static final String PANDAS = "\n";

    private final StringBuilder text = new StringBuilder();
    private final String lineEnd;

    PythonCsv(String lineEnd) {
        this.lineEnd = lineEnd;
    }

    void line(List<String> cells) {
        for (int i = 0; i < cells.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            cell(cells.get(i), cells.size() == 1);
        }
        text.append(lineEnd);
    }

    String text() {
        return text.toString();
    }

    private void cell(String cell, boolean alone) {
        boolean quoted = alone && cell.isEmpty()
                || cell.indexOf(',') >= 0
                || cell.indexOf('"') >= 0
                || cell.indexOf('\n') >= 0
                || cell.indexOf('\r') >= 0;
        text.append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
}
