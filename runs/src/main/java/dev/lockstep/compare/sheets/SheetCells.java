// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.table.Column;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Cells of a sheet by the heads of its columns; what is not there, or of another kind, is unknown. */
final class SheetCells {
    /** A hundred days; sums of many such times can still be counted. */
    private static final double LONGEST_NS = 1L << 53;

    private final Table table;
    private final Map<String, Integer> places = new HashMap<>();

    SheetCells(Table table) {
        this.table = table;
        for (int column = 0; column < table.schema().size(); column++) {
            places.putIfAbsent(table.schema().get(column).header(), column);
        }
    }

    boolean has(String head) {
        return places.containsKey(head);
    }

    boolean isText(String head) {
        Integer column = places.get(head);
        return column != null && table.columns().get(column) instanceof StringColumn;
    }

    /** A number in the unit that is shown; NaN when unknown. */
    double number(String head, int row) {
        Integer column = places.get(head);
        if (column == null) {
            return Double.NaN;
        }
        return switch (table.columns().get(column)) {
            case LongColumn c -> table.shown(column, row);
            case DoubleColumn c -> table.shown(column, row);
            default -> Double.NaN;
        };
    }

    /**
     * A time in the unit of its column, read on its own where other cells of the column are no numbers; NaN when unknown, below
     * 0, or longer than any recording.
     *
     * @param unit of the column, ns
     */
    double time(String head, int row, long unit) {
        Integer column = places.get(head);
        boolean text = column != null && table.columns().get(column) instanceof StringColumn;
        double value = text ? SheetTable.number(text(head, row)) : number(head, row);
        return value >= 0 && value * unit <= LONGEST_NS ? value : Double.NaN;
    }

    /** The numbers of the first rows of a column. */
    double[] numbers(String head, int rows) {
        return IntStream.range(0, rows).mapToDouble(row -> number(head, row)).toArray();
    }

    /** A whole number; -1 when unknown. */
    long whole(String head, int row) {
        double value = number(head, row);
        return Double.isNaN(value) ? -1 : Math.round(value);
    }

    /** A text, or a whole number as one; empty when unknown. */
    String text(String head, int row) {
        Integer column = places.get(head);
        if (column == null || table.columns().get(column).isMissing(row)) {
            return "";
        }
        Column cells = table.columns().get(column);
        return cells instanceof StringColumn texts
                ? Objects.requireNonNullElse(texts.get(row), "")
                : Long.toString(whole(head, row));
    }

    /** A cell as a key: a name as it is, all else equal where two mean the same, whoever spelt them. */
    String key(String head, int row) {
        Integer column = places.get(head);
        if (column == null) {
            return "";
        }
        Column cells = table.columns().get(column);
        return SheetMeaning.isName(head) && cells instanceof StringColumn ? text(head, row) : KeyText.of(cells, row);
    }
}
