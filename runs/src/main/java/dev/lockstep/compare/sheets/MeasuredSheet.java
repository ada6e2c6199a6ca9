// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a sheet of a report measures, row by row.
 *
 * @param heads columns that may tell rows apart
 * @param timed whether it has a column of times; without one, times are 0
 * @param lines its rows
 * @param unread the cells of rows that are left out: their time is none, or a part of a timeline stands there twice
 */
public record MeasuredSheet(List<String> heads, boolean timed, List<Line> lines, List<List<String>> unread) {
    private static final String PARAMETER = "param:";

    /**
     * A row.
     *
     * @param cells of the columns {@link #heads}, spelt so that they are equal where they mean the same; empty for none
     * @param amount what it measures
     */
    public record Line(List<String> cells, Amount amount) {}

    /** What a sheet measures if it means this. */
    public static MeasuredSheet of(SheetMeaning meaning, Table table) {
        SheetCells cells = new SheetCells(table);
        Set<String> heads = new LinkedHashSet<>();
        meaning.keys().forEach(heads::addAll);
        heads.addAll(meaning.optionalKeys());
        heads.removeIf(head -> !cells.has(head));
        table.schema().columns().stream()
                .map(ColumnSpec::header)
                .filter(head -> head.startsWith(PARAMETER))
                .sorted()
                .forEach(heads::add);
        SheetMeaning.Time time = meaning.times().stream()
                .filter(t -> cells.has(t.header()))
                .findFirst()
                .orElse(null);
        String count = meaning.counts().stream().filter(cells::has).findFirst().orElse("");
        List<Line> lines = new ArrayList<>();
        List<List<String>> unread = new ArrayList<>();
        Set<List<String>> parts = new HashSet<>();
        for (int row = 0; time != null && row < table.rows(); row++) {
            int at = row;
            if (!meaning.counts(cells, row)) {
                continue;
            }
            double ns = cells.time(time.header(), row, time.ns()) * time.ns();
            List<String> own = heads.stream().map(head -> cells.key(head, at)).toList();
            if (Double.isNaN(ns) || (meaning.level() == SheetMeaning.Level.PART && !parts.add(own))) {
                unread.add(own);
                continue;
            }
            double[] speeds = meaning.rates().stream()
                    .mapToDouble(rate -> cells.number(rate, at))
                    .toArray();
            lines.add(new Line(own, new Amount(Math.round(ns), cells.whole(count, row), speeds)));
        }
        return new MeasuredSheet(List.copyOf(heads), time != null, List.copyOf(lines), List.copyOf(unread));
    }

    /** The columns by which the rows of all these sheets are matched; empty when they share none of the alternatives. */
    public static List<String> sharedKeys(SheetMeaning meaning, List<MeasuredSheet> sheets) {
        for (List<String> alternative : meaning.keys()) {
            if (alternative.stream().allMatch(head -> haveAll(sheets, head))) {
                List<String> shared = new ArrayList<>(alternative);
                meaning.optionalKeys().stream()
                        .filter(head -> haveAll(sheets, head))
                        .forEach(shared::add);
                sheets.getFirst().heads.stream()
                        .filter(head -> head.startsWith(PARAMETER) && haveAll(sheets, head))
                        .forEach(shared::add);
                return shared;
            }
        }
        return List.of();
    }

    /** Sum of all times in ns. */
    public long sum() {
        return lines.stream().mapToLong(line -> line.amount.ns()).sum();
    }

    /**
     * The rows added up by these columns.
     *
     * @param divisor by how much times are to be divided
     */
    public Map<List<String>, Amount> by(List<String> keys, long divisor) {
        Map<List<String>, Amount> amounts = new LinkedHashMap<>();
        for (Line line : lines) {
            List<String> key = key(line.cells, keys);
            Amount amount = line.amount;
            amounts.merge(key, new Amount(amount.ns() / divisor, amount.count(), amount.speeds()), Amount::plus);
        }
        return amounts;
    }

    /** The keys of the rows that are left out. */
    public Set<List<String>> unread(List<String> keys) {
        Set<List<String>> left = new HashSet<>();
        unread.forEach(cells -> left.add(key(cells, keys)));
        return left;
    }

    private List<String> key(List<String> cells, List<String> keys) {
        return keys.stream().map(head -> cells.get(heads.indexOf(head))).toList();
    }

    private static boolean haveAll(List<MeasuredSheet> sheets, String head) {
        return sheets.stream().allMatch(sheet -> sheet.heads.contains(head));
    }
}
