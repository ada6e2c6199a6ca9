// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.compare.sheets.Amount;
import dev.lockstep.compare.sheets.MeasuredSheet;
import dev.lockstep.compare.sheets.SheetMeaning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One sheet of several reports, joined by what its rows mean. Rows of a report with equal keys are added up before, so that a
 * key has one row and nothing counts twice. Where a row of a report has no time, no report has one with its key.
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
     * @param sheets by report, null where it lacks the sheet; the first has it
     * @param divisors by how much the times of each report are to be divided
     * @return null when rows cannot be matched, or a column of times is missing
     */
    static @Nullable SheetComparison of(SheetMeaning meaning, List<@Nullable MeasuredSheet> sheets, long[] divisors) {
        List<Integer> reports = new ArrayList<>();
        List<MeasuredSheet> present = new ArrayList<>();
        for (int i = 0; i < sheets.size(); i++) {
            MeasuredSheet sheet = sheets.get(i);
            if (sheet != null) {
                reports.add(i);
                present.add(sheet);
            }
        }
        List<String> keys = MeasuredSheet.sharedKeys(meaning, present);
        if (keys.isEmpty() || !present.stream().allMatch(MeasuredSheet::timed)) {
            return null;
        }
        Map<List<String>, @Nullable Amount[]> amounts = new HashMap<>();
        for (int i = 0; i < present.size(); i++) {
            int place = i;
            present.get(i)
                    .by(keys, divisors[reports.get(i)])
                    .forEach((key, amount) ->
                            amounts.computeIfAbsent(key, k -> new Amount[present.size()])[place] = amount);
        }
        present.forEach(sheet -> amounts.keySet().removeAll(sheet.unread(keys)));
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

    private static long negatedMost(Row row) {
        long most = 0;
        for (int i = 0; i < row.amounts.length; i++) {
            most = Math.max(most, row.ns(i));
        }
        return -most;
    }
}
