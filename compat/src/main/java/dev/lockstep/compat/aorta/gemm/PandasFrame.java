// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CsvLines;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of an earlier step as pandas reads it and writes it again, with columns behind its own: a column whose cells are
 * all numbers becomes one of integers, or of floats where one has a fraction or is missing.
 */
public final class PandasFrame {
    /** As pandas ends lines. */
    private static final String LINE_END = "\n";

    private static final String WHOLE = "[+-]?\\d{1,18}";
    private static final String HINT = "Expected a file that lockstep gemm variance or timestamps wrote.";

    private final String source;
    private final List<List<String>> rows = new ArrayList<>();
    private List<String> head = List.of();

    /** @param source stands in messages */
    public PandasFrame(String source) {
        this.source = source;
    }

    /** Takes the next row; the first is the head. */
    public void row(List<String> cells) {
        if (head.isEmpty()) {
            head = List.copyOf(cells);
        } else {
            rows.add(List.copyOf(cells));
        }
    }

    /** Number of rows without the head. */
    public int rows() {
        return rows.size();
    }

    boolean has(String column) {
        return head.contains(column);
    }

    /** The whole number in a cell that every row must have. */
    long whole(String column, int row) {
        double value = number(column, row);
        if (Double.isNaN(value)) {
            throw new UserException(
                    ErrorCode.FORMAT_CORRUPT,
                    source + ": row " + (row + 1) + " has no number in column '" + column + "'",
                    HINT);
        }
        return (long) value;
    }

    /** The number in a cell, NaN when there is none. */
    double number(String column, int row) {
        String cell = text(column, row);
        return PandasNumber.matches(cell) ? PandasNumber.parse(cell) : Double.NaN;
    }

    /** The text in a cell, empty when it is missing. */
    String text(String column, int row) {
        int place = head.indexOf(column);
        if (place < 0) {
            throw new UserException(ErrorCode.DATA_MISSING, source + " has no column '" + column + "'", HINT);
        }
        return cell(place, row);
    }

    /** The file again with further columns, whose cells come by row. */
    String csv(List<String> heads, List<List<String>> cells) {
        CsvLines csv = new CsvLines(LINE_END);
        List<String> line = new ArrayList<>(head);
        line.addAll(heads);
        csv.line(line);
        boolean[] floats = new boolean[head.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = isFloat(i);
        }
        for (int row = 0; row < rows.size(); row++) {
            line.clear();
            for (int i = 0; i < floats.length; i++) {
                String cell = cell(i, row);
                line.add(floats[i] && !cell.isEmpty() ? Numbers.python(PandasNumber.parse(cell)) : cell);
            }
            line.addAll(cells.get(row));
            csv.line(line);
        }
        return csv.text();
    }

    private String cell(int place, int row) {
        List<String> cells = rows.get(row);
        String cell = place < cells.size() ? cells.get(place) : "";
        return SheetTable.PANDAS.isMissing(cell) ? "" : cell;
    }

    /** Whether all cells are numbers, and one of them none that an integer can be. */
    private boolean isFloat(int place) {
        boolean whole = true;
        boolean any = false;
        for (int row = 0; row < rows.size(); row++) {
            String cell = cell(place, row);
            if (!cell.isEmpty() && !PandasNumber.matches(cell)) {
                return false;
            }
            any |= !cell.isEmpty();
            whole &= cell.matches(WHOLE);
        }
        return any && !whole;
    }
}
