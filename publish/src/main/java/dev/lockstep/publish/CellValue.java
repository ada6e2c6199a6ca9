// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values as cells of a workbook hold them: numbers in the unit that is shown, truth values, text. */
final class CellValue {
    private static final Pattern WHOLE = Pattern.compile("0|-?[1-9]\\d{0,14}");

    private CellValue() {}

    /** A number, truth value or text; null for an empty cell. */
    static @Nullable Object of(Table table, int column, int row) {
        Column cells = table.columns().get(column);
        if (cells.isMissing(row)) {
            return null;
        }
        return switch (cells) {
            case LongColumn c when table.schema().get(column).divisor() == 1 -> c.get(row);
            case BoolColumn c -> c.get(row);
            case StringColumn c -> SheetText.cell(Objects.requireNonNull(c.get(row)));
            default -> real(table.shown(column, row));
        };
    }

    /** A column's head as frames have it: an integer is a number. */
    static Object head(Table table, int column) {
        String head = table.schema().get(column).header();
        return WHOLE.matcher(head).matches() ? Long.valueOf(head) : SheetText.cell(head);
    }

    private static Object real(double value) {
        return Double.isInfinite(value) ? value > 0 ? "inf" : "-inf" : value;
    }
}
