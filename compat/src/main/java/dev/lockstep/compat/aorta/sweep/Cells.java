// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cells of a sheet as a data frame holds them: a column whose texts are all numbers is one of numbers. */
final class Cells {
    /** What a column holds, from the narrowest on. */
    enum Kind {
        WHOLE,
        REAL,
        TEXT;

        Kind joined(Kind other) {
            return compareTo(other) > 0 ? this : other;
        }
    }

    private final Table table;

    Cells(Table table) {
        this.table = table;
    }

    /** What the columns with this head hold together, null when no sheet has one. */
    static @Nullable Kind kind(List<Cells> sheets, String header) {
        Kind kind = null;
        for (Cells sheet : sheets) {
            int column = sheet.table.schema().indexOf(header);
            if (column >= 0) {
                Kind own = sheet.kind(column);
                kind = kind == null ? own : kind.joined(own);
            }
        }
        return kind;
    }

    /** The number in a cell, NaN for none. */
    double number(String header, int row) {
        int column = table.schema().indexOf(header);
        return column < 0 || table.columns().get(column) instanceof StringColumn
                ? Double.NaN
                : table.shown(column, row);
    }

    /** A cell as a value of this kind, null when missing. */
    @Nullable
    Object cell(String header, int row, Kind kind) {
        int column = table.schema().indexOf(header);
        if (column < 0 || table.columns().get(column).isMissing(row)) {
            return null;
        }
        Column cells = table.columns().get(column);
        if (kind == Kind.TEXT) {
            return new CellText(table, column, CellStyle.PYTHON).at(row);
        }
        if (cells instanceof StringColumn text) {
            String spelt = String.valueOf(text.get(row));
            return kind == Kind.WHOLE ? (Object) Long.parseLong(spelt) : (Object) Double.parseDouble(spelt);
        }
        return kind == Kind.WHOLE ? (Object) ((LongColumn) cells).get(row) : (Object) table.shown(column, row);
    }

    private Kind kind(int column) {
        return switch (table.columns().get(column)) {
            case LongColumn whole -> table.schema().get(column).divisor() == 1 ? Kind.WHOLE : Kind.REAL;
            case DoubleColumn real -> Kind.REAL;
            case BoolColumn truth -> Kind.TEXT;
            case StringColumn text -> kind(text);
        };
    }

    private static Kind kind(StringColumn texts) {
        Kind kind = Kind.WHOLE;
        boolean any = false;
        for (int row = 0; row < texts.size() && kind != Kind.TEXT; row++) {
            if (!texts.isMissing(row)) {
                any = true;
                kind = kind.joined(kind(String.valueOf(texts.get(row))));
            }
        }
        return any ? kind : Kind.TEXT;
    }

    private static Kind kind(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Kind.WHOLE;
        }
        return text.matches("[+-]?(\\d{1,40}\\.?\\d{0,400}|\\.\\d{1,400})([eE][+-]?\\d{1,4})?") ? Kind.REAL : Kind.TEXT;
    }
}
