// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.compare.sheets.Amount;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Comparisons as tables: a row for each key, differences before values. */
final class ComparisonSheets {
    private ComparisonSheets() {}

    /** @param names of all reports, the baseline first */
    static Table of(SheetComparison sheet, List<String> names) {
        List<String> own = sheet.reports().stream().map(names::get).toList();
        Fields<SheetComparison.Row> fields = new Fields<>();
        for (int k = 0; k < sheet.keys().size(); k++) {
            int place = k;
            fields.add(
                    ColumnSpec.text(sheet.keys().get(k), "What rows are matched by."),
                    row -> row.key().get(place).isEmpty() ? null : row.key().get(place));
        }
        fields.add(ColumnSpec.text("in", "Which reports have it: all, or their names."), row -> presence(row, own));
        boolean counted = !sheet.meaning().counts().isEmpty();
        for (int c = 1; c < own.size(); c++) {
            int candidate = c;
            String suffix = "__" + own.get(c);
            fields.add(
                    millis(
                            ColumnNames.TIME_MS + suffix + "_diff",
                            "Time of the candidate minus that of the baseline; who lacks it has 0."),
                    row -> row.ns(candidate) - row.ns(0));
            fields.add(
                    ColumnSpec.percent(
                            ColumnNames.TIME_MS + suffix + "_pct",
                            "The difference in percent of the baseline; missing where the baseline has none."),
                    row -> row.ns(0) == 0 ? null : 100.0 * (row.ns(candidate) - row.ns(0)) / row.ns(0));
        }
        for (int r = 0; r < own.size(); r++) {
            int report = r;
            String name = own.get(r) + "::";
            fields.add(
                    millis(name + ColumnNames.TIME_MS, "Time in the report."), row -> value(row, report, Amount::ns));
            if (counted) {
                fields.add(
                        ColumnSpec.count(name + "count", "How many in the report."),
                        row -> value(row, report, a -> a.count() < 0 ? null : a.count()));
                fields.add(
                        ColumnSpec.real(
                                name + ColumnNames.MEAN_US, Unit.NANOSECONDS, Unit.MICROSECONDS, "Time of one."),
                        row -> value(row, report, Amount::meanNs));
            }
            rates(fields, sheet, report, name);
        }
        return fields.table(sheet.meaning().id(), sheet.meaning().id() + ", side by side", sheet.rows());
    }

    /** Where the time of every report goes. */
    static Table overview(List<String> names, List<@Nullable TimeParts> parts) {
        TimeParts base = parts.getFirst();
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (parts.get(i) != null) {
                rows.add(i);
            }
        }
        Fields<Integer> fields = new Fields<Integer>()
                .add(ColumnSpec.text("report", "Name of the report; the first is the baseline."), names::get)
                .add(
                        millis(ColumnNames.TOTAL_TIME_MS, "From the first start to the last end of device activity."),
                        i -> parts(parts, i).totalNs())
                .add(
                        millis("difference ms", "Total time minus that of the baseline."),
                        i -> base == null ? null : parts(parts, i).totalNs() - base.totalNs())
                .add(
                        ColumnSpec.percent("difference %", "The same in percent of the baseline."),
                        i -> base == null || base.totalNs() == 0
                                ? null
                                : 100.0 * (parts(parts, i).totalNs() - base.totalNs()) / base.totalNs());
        for (int p = 0; p < TimeParts.NAMES.size(); p++) {
            int part = p;
            fields.add(
                    millis(TimeParts.NAMES.get(p) + " ms", "This part of the total; the parts add up to it."),
                    i -> parts(parts, i).ns()[part]);
        }
        fields.add(
                millis(ColumnNames.BUSY_MS, "Total without idle."),
                i -> parts(parts, i).busyNs());
        fields.add(ColumnSpec.percent(ColumnNames.IDLE_PERCENT, "Share of the total that is idle."), i -> {
            TimeParts own = parts(parts, i);
            return own.totalNs() == 0 ? null : 100.0 * own.idleNs() / own.totalNs();
        });
        return fields.table("overview", "Time of each report", rows);
    }

    private static TimeParts parts(List<@Nullable TimeParts> parts, int i) {
        TimeParts own = parts.get(i);
        if (own == null) {
            throw new IllegalStateException("a row without parts");
        }
        return own;
    }

    private static void rates(Fields<SheetComparison.Row> fields, SheetComparison sheet, int report, String name) {
        List<String> rates = sheet.meaning().rates();
        for (int i = 0; i < rates.size(); i++) {
            int rate = i;
            boolean known = sheet.rows().stream()
                    .anyMatch(row -> row.amounts()[report] != null
                            && !Double.isNaN(Objects.requireNonNull(row.amounts()[report])
                                    .speeds()[rate]));
            Unit unit = rates.get(i).startsWith("TF") ? Unit.TERAFLOPS_PER_SECOND : Unit.TERABYTES_PER_SECOND;
            fields.addIf(
                    known,
                    ColumnSpec.real(name + rates.get(i), unit, unit, "Speed, averaged over the time."),
                    row -> value(row, report, a -> a.speeds()[rate]));
        }
    }

    private static String presence(SheetComparison.Row row, List<String> names) {
        List<String> having = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (row.amounts()[i] != null) {
                having.add(names.get(i));
            }
        }
        return having.size() == names.size() ? "all" : String.join(", ", having);
    }

    private static @Nullable Object value(
            SheetComparison.Row row, int report, Function<Amount, @Nullable Object> value) {
        Amount amount = row.amounts()[report];
        return amount == null ? null : value.apply(amount);
    }
}
