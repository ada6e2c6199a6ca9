// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.write.CsvLines;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as CSV: a head, then a line for each row. What has no value is empty; NaN and infinite numbers are spelt out. */
final class CsvRows implements RowsWriter {
    @Override
    public void write(QueryAnswer rows, Writer out) throws IOException {
        line(rows.heads().stream().map(QueryAnswer.Head::name).toList(), out);
        for (List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
            List<String> cells = new ArrayList<>();
            for (Object cell : row) {
                cells.add(cell == null ? "" : RowCells.text(cell));
            }
            line(cells, out);
        }
        out.flush();
    }

    private static void line(List<String> cells, Writer out) throws IOException {
        CsvLines line = new CsvLines("\n");
        line.line(cells);
        out.write(line.text());
    }
}
