// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Quotient;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Spells the cells of one column as text. A missing cell is the empty text.
 *
 * <p>Plain style is exact: integers of a finer unit become exact decimals ({@code 12345} ns is {@code 12.345} µs), doubles
 * their shortest spelling, structured cells stay JSON. Python style prints what pandas and {@code repr} would: a column of
 * integers turns into floats when it is scaled or when one of its cells is missing, structured cells are literals.
 */
public final class CellText {
    private final Column cells;
    private final ColumnType type;
    private final boolean python;
    private final boolean floats;
    private final long multiplier;
    private final long divisor;
    private final int digits;

    /** Prepares the spelling of a table's column. */
    public CellText(Table table, int column, CellStyle style) {
        ColumnSpec spec = table.schema().get(column);
        cells = table.columns().get(column);
        type = spec.type();
        python = style == CellStyle.PYTHON;
        long stored = spec.unit().scale();
        long shown = spec.shown().scale();
        divisor = Math.max(1, shown / stored);
        digits = Numbers.powerOfTen(divisor);
        multiplier = Math.max(1, stored / shown);
        floats = python && (divisor != 1 || multiplier != 1 || hasMissing(cells));
    }

    /** Whether cells may hold any character; otherwise they are numbers or truth values in ASCII. */
    public boolean isFreeText() {
        return cells instanceof StringColumn;
    }

    /** The text of a cell, empty when it is missing. */
    public String at(int row) {
        return switch (cells) {
            case LongColumn c -> number(c.get(row));
            case DoubleColumn c -> number(c.get(row) * multiplier / divisor);
            case BoolColumn c -> python ? (c.get(row) ? "True" : "False") : c.get(row) ? "true" : "false";
            case StringColumn c -> text(c.get(row));
        };
    }

    /** Puts down a cell that is no free text, as {@link #at}, but without a string where that can be avoided. */
    void put(int row, ByteText out) {
        if (type == ColumnType.LONG && !floats && multiplier == 1 && digits >= 0) {
            long value = ((LongColumn) cells).get(row);
            if (value != LongColumn.ABSENT) {
                out.decimal(value, digits);
            }
        } else {
            out.ascii(at(row));
        }
    }

    private String number(long value) {
        if (value == LongColumn.ABSENT) {
            return "";
        }
        if (!floats) {
            return multiplier == 1
                    ? Numbers.plain(value, divisor)
                    : BigInteger.valueOf(value)
                            .multiply(BigInteger.valueOf(multiplier))
                            .toString();
        }
        return Numbers.python(multiplier == 1 ? Quotient.of(value, divisor) : (double) value * multiplier);
    }

    private String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        return python ? Numbers.python(value) : Numbers.plain(value);
    }

    private String text(@Nullable String cell) {
        if (cell == null) {
            return "";
        }
        if (!python || type == ColumnType.STRING) {
            return cell;
        }
        return PythonLiteral.of(cell, type == ColumnType.ARGUMENTS);
    }

    private static boolean hasMissing(Column cells) {
        if (!(cells instanceof LongColumn longs)) {
            return false;
        }
        for (int row = 0; row < longs.size(); row++) {
            if (longs.isMissing(row)) {
                return true;
            }
        }
        return false;
    }
}
