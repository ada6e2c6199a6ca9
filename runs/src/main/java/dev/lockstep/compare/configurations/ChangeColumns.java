// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.Change;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Unit;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Columns that several sheets share, with one convention of signs. */
final class ChangeColumns {
    /** In the head of each column of differences. */
    static final String SIGN = " (test - baseline)";

    private ChangeColumns() {}

    static ColumnSpec configuration() {
        return ColumnSpec.text("configuration", "The configuration that is compared with the baseline.");
    }

    static ColumnSpec number(String header, Unit unit, String doc) {
        return ColumnSpec.real(header, unit, unit, doc);
    }

    /** Values, difference and percentage. */
    static <R> Fields<R> addValues(Fields<R> fields, String what, Unit unit, Function<R, Change> change, String doc) {
        String symbol = unit.symbol();
        return fields.add(
                        number("baseline " + what + " " + symbol, unit, doc + " Missing where the baseline has none."),
                        r -> finite(change.apply(r).baseline()))
                .add(
                        number("test " + what + " " + symbol, unit, doc + " Missing where the configuration has none."),
                        r -> finite(change.apply(r).own()))
                .add(
                        number(
                                what + " difference " + symbol + SIGN,
                                unit,
                                "Test minus baseline: above 0 is more, whether that is good or bad."),
                        r -> finite(change.apply(r).difference()))
                .add(percent(what), r -> finite(change.apply(r).percent()));
    }

    static ColumnSpec percent(String what) {
        return ColumnSpec.percent(
                what + " change %" + SIGN,
                "The difference in percent of the baseline: above 0 is more. Missing where the baseline is 0 or missing.");
    }

    /** The interval and what it all means. */
    static <R> Fields<R> addVerdict(Fields<R> fields, Function<R, Change> change, double threshold, String over) {
        return fields.add(
                        ColumnSpec.percent(
                                "change low %",
                                "Lower end of the 95 % interval of the change" + over
                                        + ". Missing with fewer than two of them."),
                        r -> finite(change.apply(r).lowPercent()))
                .add(
                        ColumnSpec.percent("change high %", "Upper end of the same interval."),
                        r -> finite(change.apply(r).highPercent()))
                .add(verdict(threshold), r -> change.apply(r).verdict(threshold).toString());
    }

    static ColumnSpec verdict(double threshold) {
        return ColumnSpec.text(
                "verdict",
                String.format(
                        Locale.ROOT,
                        "better or worse: changed by more than %s %%; same: by no more; unclear: by more, but the 95 %%"
                                + " interval holds 0 or is not known; new: the baseline has none; gone: only the baseline has it; n/a.",
                        plain(threshold)));
    }

    static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
