// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.table.Column;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A file of an earlier step as pandas reads it and writes it again, with columns behind its own. */
final class VarianceTable {
    private final Table table;
    private final String source;

    /** @param source stands in messages */
    VarianceTable(Table table, String source) {
        this.table = table;
        this.source = source;
    }

    int rows() {
        return table.rows();
    }

    boolean has(String column) {
        return table.schema().indexOf(column) >= 0;
    }

    /** The whole number in a cell that every row must have. */
    long whole(String column, int row) {
        double value = number(column, row);
        if (Double.isNaN(value)) {
            throw new UserException(
                    ErrorCode.FORMAT_CORRUPT,
                    source + ": row " + (row + 1) + " has no number in column '" + column + "'",
                    "Expected a file that lockstep gemm variance wrote.");
        }
        return (long) value;
    }

    /** The number in a cell, NaN when there is none. */
    double number(String column, int row) {
        Column cells = column(column);
        return switch (cells) {
            case LongColumn c -> c.isMissing(row) ? Double.NaN : c.get(row);
            case DoubleColumn c -> c.get(row);
            default -> Double.NaN;
        };
    }

    String text(String column, int row) {
        return column(column) instanceof StringColumn c ? Objects.requireNonNullElse(c.get(row), "") : "";
    }

    /** The file again with further columns, whose cells come by row. */
    String csv(List<String> heads, List<List<String>> cells) {
        PythonCsv csv = new PythonCsv(PythonCsv.PANDAS);
        List<String> line = new ArrayList<>();
        List<CellText> own = new ArrayList<>();
        for (int i = 0; i < table.schema().size(); i++) {
            line.add(table.schema().get(i).header());
            own.add(new CellText(table, i, CellStyle.PYTHON));
        }
        line.addAll(heads);
        csv.line(line);
        for (int row = 0; row < table.rows(); row++) {
            line.clear();
            for (CellText text : own) {
                line.add(text.at(row));
            }
            line.addAll(cells.get(row));
            csv.line(line);
        }
        return csv.text();
    }

    private Column column(String name) {
        int place = table.schema().indexOf(name);
        if (place < 0) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    source + " has no column '" + name + "'",
                    "Expected a file that lockstep gemm variance wrote.");
        }
        return table.columns().get(place);
    }
}
