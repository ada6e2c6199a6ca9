// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Unit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The order in which people read a table: what a row is about, which one, its time, or where it has none its bytes, its
 * share, how far that is from what is possible, how many; then the rest in the order of the sheet. Pages and workbooks show
 * it; CSV files keep the sheet's.
 */
public final class LeadingColumns {
    private static final Pattern LENGTHY = Pattern.compile("kernel_details|call.?stack|trunc");
    private static final Pattern WHICH = Pattern.compile("dims|shape|name|args|kind|type|size|subject|^step$");
    private static final Pattern MOMENT_OR_SPREAD =
            Pattern.compile("start|begin|end\\b|from|below|position|at\\b|longest|shortest|min|max|std|median|mean");
    private static final Pattern MOMENT = Pattern.compile("\\b(start|begin|end|at)\\b");
    private static final Pattern PEAK = Pattern.compile("\\bpeak\\b");
    private static final Pattern CHANGE = Pattern.compile("difference|contribution|caused");
    private static final Pattern SUM = Pattern.compile("direct|kernel time|busy|time|gain|sum|total|dur");
    private static final Pattern ROOF = Pattern.compile("roofline");
    private static final Pattern NO_SHARE = Pattern.compile("roofline|cumul");
    private static final Set<Unit> TIMES = Set.of(Unit.NANOSECONDS, Unit.MICROSECONDS, Unit.MILLISECONDS, Unit.SECONDS);

    private static final Set<String> WHAT = Set.of("cause", "owner");

    /** Where a table begins with one of these, its rows are about them. */
    private static final Set<String> NUMBERED = Set.of("rank", "step");

    private final List<ColumnSpec> columns;

    private LeadingColumns(List<ColumnSpec> columns) {
        this.columns = columns;
    }

    /**
     * {@return the places of all columns of a table, the one to show first first}
     *
     * @param schema of the table
     */
    public static int[] of(Schema schema) {
        return new LeadingColumns(schema.columns()).order();
    }

    private int[] order() {
        Set<Integer> order = new LinkedHashSet<>();
        int what = what();
        add(order, what);
        add(
                order,
                first(i -> i != what
                        && isText(i)
                        && (has(i, WHICH)
                                || column(i).type() == ColumnType.JSON
                                || column(i).type() == ColumnType.ARGUMENTS)));
        int time = time();
        add(order, time >= 0 ? time : bytes());
        add(order, time >= 0 ? -1 : first(this::isTime));
        add(order, first(i -> isNumber(i) && column(i).shown() == Unit.PERCENT && !has(i, NO_SHARE)));
        add(order, first(i -> isNumber(i) && column(i).shown() == Unit.PERCENT && has(i, ROOF)));
        add(order, first(i -> isNumber(i) && column(i).shown() == Unit.COUNT));
        IntStream.range(0, columns.size()).forEach(order::add);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The cause or the owner where there is one, else the rank or step in front, the first text or the first column. */
    private int what() {
        int cause = first(i -> isText(i) && WHAT.contains(column(i).header()));
        int text = first(this::isText);
        boolean numbered = !columns.isEmpty() && NUMBERED.contains(column(0).header());
        return cause >= 0 ? cause : text >= 0 && !numbered ? text : columns.isEmpty() ? -1 : 0;
    }

    private int time() {
        Predicate<Integer> plain = i -> isTime(i) && !has(i, MOMENT_OR_SPREAD);
        for (Predicate<Integer> wanted : List.<Predicate<Integer>>of(
                i -> plain.test(i) && has(i, CHANGE),
                i -> plain.test(i) && has(i, SUM),
                plain,
                i -> isTime(i) && !has(i, MOMENT))) {
            int found = first(wanted);
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }

    private int bytes() {
        Predicate<Integer> all = i -> isNumber(i) && column(i).shown() == Unit.BYTES;
        int peak = first(i -> all.test(i) && has(i, PEAK));
        return peak >= 0 ? peak : first(all);
    }

    private static void add(Set<Integer> order, int column) {
        if (column >= 0) {
            order.add(column);
        }
    }

    private int first(Predicate<Integer> wanted) {
        for (int i = 0; i < columns.size(); i++) {
            if (wanted.test(i)) {
                return i;
            }
        }
        return -1;
    }

    private ColumnSpec column(int i) {
        return columns.get(i);
    }

    private boolean has(int i, Pattern pattern) {
        return pattern.matcher(column(i).header().toLowerCase(Locale.ROOT)).find();
    }

    private boolean isNumber(int i) {
        return column(i).type() == ColumnType.LONG || column(i).type() == ColumnType.DOUBLE;
    }

    private boolean isText(int i) {
        return !isNumber(i) && column(i).type() != ColumnType.BOOL && !has(i, LENGTHY);
    }

    private boolean isTime(int i) {
        return isNumber(i) && TIMES.contains(column(i).shown());
    }
}
