// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import dev.lockstep.table.ColumnSpec;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How sheets about the work of operators spell what tools spell differently.
 *
 * @param unnamed stands for the name of a process or thread without one; null to leave the cell empty
 * @param example the column by which the first operator of a row can be found
 * @param exampleOf its value, from the operator's start in ns and its number
 * @param dictionary spells named parameters in one cell; null for JSON
 * @param value spells one parameter
 * @param emptyColumns whether columns stay of which no row has a value
 * @param exactTimes whether sums of times are exact, rather than what rates see
 */
public record SheetHabits(
        @Nullable String unnamed,
        ColumnSpec example,
        LongBinaryOperator exampleOf,
        @Nullable Function<List<Parameter>, String> dictionary,
        Function<Value, @Nullable String> value,
        boolean emptyColumns,
        boolean exactTimes) {
    /** The program's own. */
    static SheetHabits standard(long firstLaunch) {
        return new SheetHabits(
                null,
                micros(
                        "first_start_us",
                        "Start of the first of these operators, counted from the first operator of the sheet."),
                (start, number) -> start - firstLaunch,
                null,
                value -> switch (value) {
                    case Value.None none -> null;
                    case Value.Text text -> text.value();
                    default -> value.json();
                },
                true,
                true);
    }

    @Nullable
    String named(@Nullable String name) {
        return name == null ? unnamed : name;
    }
}
