// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.runs;

import dev.lockstep.table.Column;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One sheet of several reports, joined by what its rows mean. Rows of a report with equal keys are added up before, so that a
 * key has one row and nothing counts twice.
 *
 * @param meaning what the sheet is
 * @param keys heads of the key columns
 * @param reports which reports have the sheet, as places in the list of all; the first is the baseline
 * @param rows largest time of the baseline first, then those that only others have, each by content where equal
 */
record SheetComparison(SheetMeaning meaning, List<String> keys, List<Integer> reports, List<Row> rows) {

    /**
     * @param key its cells
     * @param amounts by report, in the order of {@link #reports}; null where a report lacks it. Passes to the record.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Row(List<String> key, @Nullable Amount[] amounts) {
        long ns(int report) {
            Amount amount = amounts[report];
            return amount == null ? 0 : amount.ns();
        }
    }

    /**
     * Joins.
     *
     * @param tables by report, null where it lacks the sheet; the first has it
     * @param divisors by how much the times of each report are to be divided
     * @return null when rows cannot be matched, or a column of times is missing
     */
    static @Nullable SheetComparison of(SheetMeaning meaning, List<@Nullable Table> tables, long[] divisors) {
        List<Integer> reports = new ArrayList<>();
        List<Table> present = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
            Table table = tables.get(i);
            if (table != null) {
                reports.add(i);
                present.add(table);
            }
        }
        List<String> keys = meaning.sharedKeys(present);
        if (keys.isEmpty() || present.stream().anyMatch(t -> time(meaning, t) == null)) {
            return null;
        }
        Map<List<String>, @Nullable Amount[]> amounts = new HashMap<>();
        for (int i = 0; i < present.size(); i++) {
            int place = i;
            measure(meaning, present.get(i), keys, divisors[reports.get(i)])
                    .forEach((key, amount) ->
                            amounts.computeIfAbsent(key, k -> new Amount[present.size()])[place] = amount);
        }
        List<Row> rows = new ArrayList<>();
        amounts.forEach((key, values) -> rows.add(new Row(key, values)));
        rows.sort(Comparator.comparingLong((Row row) -> -row.ns(0))
                .thenComparingLong(SheetComparison::negatedMost)
                .thenComparing(row -> String.join("\u0000", row.key)));
        return new SheetComparison(meaning, keys, List.copyOf(reports), List.copyOf(rows));
    }

    /** Time of all rows of a report. */
    long total(int report) {
        return rows.stream().mapToLong(row -> row.ns(report)).sum();
    }

    /** Sum of the times in a sheet as they stand there, in ns; 0 when it has none. */
    static long sum(SheetMeaning meaning, Table table) {
        SheetMeaning.Time time = time(meaning, table);
        long sum = 0;
        for (int row = 0; time != null && row < table.rows(); row++) {
            sum += ns(table.columns().get(table.schema().indexOf(time.header())), row, time.ns());
        }
        return sum;
    }

    private static Map<List<String>, Amount> measure(
            SheetMeaning meaning, Table table, List<String> keys, long divisor) {
        int[] places = keys.stream().mapToInt(table.schema()::indexOf).toArray();
        int[] rates = meaning.rates().stream().mapToInt(table.schema()::indexOf).toArray();
        int count = first(meaning.counts(), table);
        SheetMeaning.Time time = time(meaning, table);
        Map<List<String>, Amount> amounts = new LinkedHashMap<>();
        for (int row = 0; time != null && row < table.rows(); row++) {
            List<String> key = new ArrayList<>(places.length);
            for (int place : places) {
                key.add(KeyText.of(table.columns().get(place), row));
            }
            double[] speeds = new double[rates.length];
            for (int i = 0; i < rates.length; i++) {
                speeds[i] = rates[i] < 0 ? Double.NaN : number(table.columns().get(rates[i]), row);
            }
            double n = count < 0 ? Double.NaN : number(table.columns().get(count), row);
            Column times = table.columns().get(table.schema().indexOf(time.header()));
            Amount amount =
                    new Amount(ns(times, row, time.ns()) / divisor, Double.isNaN(n) ? -1 : Math.round(n), speeds);
            amounts.merge(key, amount, Amount::plus);
        }
        return amounts;
    }

    private static long negatedMost(Row row) {
        long most = 0;
        for (int i = 0; i < row.amounts.length; i++) {
            most = Math.max(most, row.ns(i));
        }
        return -most;
    }

    private static SheetMeaning.@Nullable Time time(SheetMeaning meaning, Table table) {
        for (SheetMeaning.Time time : meaning.times()) {
            if (table.schema().indexOf(time.header()) >= 0) {
                return time;
            }
        }
        return null;
    }

    private static int first(List<String> headers, Table table) {
        for (String header : headers) {
            int place = table.schema().indexOf(header);
            if (place >= 0) {
                return place;
            }
        }
        return -1;
    }

    private static long ns(Column column, int row, long unit) {
        double value = number(column, row);
        return Double.isNaN(value) ? 0 : Math.round(value * unit);
    }

    private static double number(Column column, int row) {
        if (column.isMissing(row)) {
            return Double.NaN;
        }
        return switch (column) {
            case LongColumn c -> c.get(row);
            case DoubleColumn c -> c.get(row);
            default -> Double.NaN;
        };
    }
}
