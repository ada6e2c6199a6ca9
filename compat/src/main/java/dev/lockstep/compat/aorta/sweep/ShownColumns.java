// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A table that is put together column by column, of cells that were shown before and so have no unit here. */
final class ShownColumns<R> {
    private static final String DOC = "As in the reports that were joined.";

    private final List<R> rows;
    private final Fields<R> fields = new Fields<>();

    ShownColumns(List<R> rows) {
        this.rows = rows;
    }

    void text(String header, Function<R, @Nullable Object> value) {
        add(header, Cells.Kind.TEXT, value);
    }

    void whole(String header, Function<R, @Nullable Object> value) {
        add(header, Cells.Kind.WHOLE, value);
    }

    void add(String header, Cells.Kind kind, Function<R, @Nullable Object> value) {
        fields.add(
                switch (kind) {
                    case WHOLE -> ColumnSpec.id(header, DOC);
                    case REAL -> ColumnSpec.real(header, Unit.NONE, Unit.NONE, DOC);
                    case TEXT -> ColumnSpec.text(header, DOC);
                },
                value);
    }

    Table table(String name) {
        return fields.table(name, name, rows);
    }
}
