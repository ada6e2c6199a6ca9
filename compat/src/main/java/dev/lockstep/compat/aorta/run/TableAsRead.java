// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A table as whoever reads the written file gets it: in the units that are shown, with types that the cells suggest:
 * AORTA's scripts know nothing but the files.
 */
record TableAsRead(Table table, CellStyle style) implements Sheets {
    /** The table as it would be read. */
    static Table of(Table table, CellStyle style, SheetTable cells) {
        try {
            return cells.read(new TableAsRead(table, style), table.name(), table.name(), head -> true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> names() {
        return List.of(table.name());
    }

    @Override
    public void rows(String sheet, RowSink sink) throws IOException {
        List<CellText> texts = new ArrayList<>();
        for (int column = 0; column < table.schema().size(); column++) {
            texts.add(new CellText(table, column, style));
        }
        sink.row(table.schema().columns().stream().map(ColumnSpec::header).toList());
        for (int row = 0; row < table.rows(); row++) {
            int at = row;
            sink.row(texts.stream().map(text -> text.at(at)).toList());
        }
    }

    @Override
    public void close() {}
}
