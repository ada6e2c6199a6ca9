// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A full outer join of tables by key columns, as pandas makes it: every row with a key meets every row of the other tables
 * with that key; missing keys meet one another; rows are ordered by key, missing ones last, and within a key as the tables
 * are.
 *
 * @param keys the columns that all tables share
 * @param tables what was joined
 * @param rows {@code rows.get(r)[t]} is the row of table t in row r of the result, -1 where it has none
 */
record OuterJoin(List<String> keys, List<Table> tables, List<int[]> rows) {
    /** A cell of a key; null is missing and comes last, numbers come before text. */
    private static final Comparator<@Nullable Object> CELLS = (a, b) -> {
        if (a == null || b == null) {
            return Boolean.compare(a == null, b == null);
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x.compareTo(y);
        }
        return a instanceof String x && b instanceof String y ? x.compareTo(y) : a instanceof Double ? -1 : 1;
    };

    private static final Comparator<List<@Nullable Object>> KEYS = (a, b) -> {
        for (int i = 0; i < a.size(); i++) {
            int order = CELLS.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    };

    static OuterJoin of(List<Table> tables, List<String> keys) {
        Map<List<@Nullable Object>, List<List<Integer>>> groups = new TreeMap<>(KEYS);
        for (int t = 0; t < tables.size(); t++) {
            Table table = tables.get(t);
            for (int row = 0; row < table.rows(); row++) {
                groups.computeIfAbsent(key(table, keys, row), k -> lists(tables.size()))
                        .get(t)
                        .add(row);
            }
        }
        List<int[]> rows = new ArrayList<>();
        for (List<List<Integer>> group : groups.values()) {
            combine(group, 0, new int[tables.size()], rows);
        }
        return new OuterJoin(keys, tables, rows);
    }

    /** The cell of a table's column; null when the row has none. Integers come as Long, other numbers as Double. */
    @Nullable
    Object cell(int table, int column, int row) {
        int place = rows.get(row)[table];
        return place < 0 ? null : tables.get(table).columns().get(column).value(place);
    }

    /** The cell of a key, from the first table that has the row. */
    @Nullable
    Object key(String key, int row) {
        for (int t = 0; t < tables.size(); t++) {
            if (rows.get(row)[t] >= 0) {
                return cell(t, tables.get(t).schema().indexOf(key), row);
            }
        }
        throw new IllegalStateException("a row of no table");
    }

    private static List<List<Integer>> lists(int n) {
        List<List<Integer>> lists = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private static void combine(List<List<Integer>> group, int table, int[] row, List<int[]> rows) {
        if (table == row.length) {
            rows.add(row.clone());
            return;
        }
        List<Integer> own = group.get(table);
        for (int i = 0; i < Math.max(1, own.size()); i++) {
            row[table] = own.isEmpty() ? -1 : own.get(i);
            combine(group, table + 1, row, rows);
        }
    }

    private static List<@Nullable Object> key(Table table, List<String> keys, int row) {
        List<@Nullable Object> key = new ArrayList<>(keys.size());
        for (String name : keys) {
            Object cell = table.columns().get(table.schema().indexOf(name)).value(row);
            key.add(
                    cell instanceof Long n
                            ? (Object) n.doubleValue()
                            : cell instanceof Boolean b ? (b ? "True" : "False") : cell);
        }
        return key;
    }
}
