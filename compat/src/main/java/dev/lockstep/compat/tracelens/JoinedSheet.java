// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same sheet of several reports side by side: keys, then differences to the first report, then what each report says, its
 * name before every column.
 */
final class JoinedSheet {
    private static final String KEY = "What is compared; as in the reports.";

    /** @param owners the reports whose numbers it needs; none for keys */
    private record Field(ColumnSpec spec, Set<Integer> owners, Cell cell) {}

    private interface Cell {
        @Nullable
        Object at(int row);
    }

    private final OuterJoin join;
    private final List<String> names;
    private final List<Field> fields = new ArrayList<>();

    /**
     * @param names of the reports, the baseline first
     * @param dropped columns that are left out, for each report
     */
    JoinedSheet(List<String> names, OuterJoin join, List<String> differences, List<Set<String>> dropped) {
        this.names = names;
        this.join = join;
        for (String key : join.keys()) {
            fields.add(new Field(keySpec(key), Set.of(), row -> join.key(key, row)));
        }
        for (String column : differences) {
            for (int t = 1; t < names.size(); t++) {
                differences(column, t);
            }
        }
        for (int t = 0; t < names.size(); t++) {
            values(t, dropped.get(t));
        }
    }

    int rows() {
        return join.rows().size();
    }

    /** Whether a report has a number in this row. */
    boolean has(int report, String column, int row) {
        return join.cell(report, place(report, column), row) != null;
    }

    /** All rows, sorted by a number of a report, the largest first. */
    Table sorted(String sheet, int report, String column) {
        return table(sheet, order(row -> true, report, column), fields);
    }

    Table unsorted(String sheet) {
        List<Integer> all = new ArrayList<>();
        for (int row = 0; row < rows(); row++) {
            all.add(row);
        }
        return table(sheet, all, fields);
    }

    /** Rows that satisfy a condition, with the columns that need these reports alone and are not empty throughout. */
    Table part(String sheet, IntPredicate wanted, Collection<Integer> reports, int report, String column) {
        List<Integer> rows = order(wanted, report, column);
        List<Field> kept = fields.stream()
                .filter(f -> reports.containsAll(f.owners) && rows.stream().anyMatch(row -> f.cell.at(row) != null))
                .toList();
        return table(sheet, rows, kept);
    }

    private void differences(String column, int report) {
        int base = place(0, column);
        int own = place(report, column);
        ColumnType type = type(0, base) == ColumnType.LONG && type(report, own) == ColumnType.LONG
                ? ColumnType.LONG
                : ColumnType.DOUBLE;
        String name = column + "__" + names.get(report);
        Set<Integer> owners = Set.of(report);
        fields.add(new Field(
                spec(
                        name + "_diff",
                        type,
                        "Value of the report minus that of the baseline; missing where one lacks it."),
                owners,
                row -> {
                    Object a = join.cell(0, base, row);
                    Object b = join.cell(report, own, row);
                    if (a instanceof Long x && b instanceof Long y) {
                        return type == ColumnType.LONG ? (Object) (y - x) : (Object) (double) (y - x);
                    }
                    return a instanceof Number x && b instanceof Number y ? y.doubleValue() - x.doubleValue() : null;
                }));
        fields.add(new Field(
                spec(
                        name + "_pct",
                        ColumnType.DOUBLE,
                        "The difference in percent of the baseline; missing where that is 0."),
                owners,
                row -> join.cell(0, base, row) instanceof Number x
                                && join.cell(report, own, row) instanceof Number y
                                && x.doubleValue() != 0
                        ? 100 * ((y.doubleValue() - x.doubleValue()) / x.doubleValue())
                        : null));
    }

    private void values(int report, Set<String> dropped) {
        Schema schema = join.tables().get(report).schema();
        for (int column = 0; column < schema.size(); column++) {
            ColumnSpec spec = schema.get(column);
            if (join.keys().contains(spec.header()) || dropped.contains(spec.header())) {
                continue;
            }
            int place = column;
            fields.add(new Field(
                    spec(names.get(report) + "::" + spec.header(), shown(spec.type()), "As in the report."),
                    Set.of(report),
                    row -> text(join.cell(report, place, row))));
        }
    }

    private List<Integer> order(IntPredicate wanted, int report, String column) {
        int place = place(report, column);
        IntToDoubleFunction value =
                row -> join.cell(report, place, row) instanceof Number n ? n.doubleValue() : Double.NEGATIVE_INFINITY;
        List<Integer> rows = new ArrayList<>();
        for (int row = 0; row < rows(); row++) {
            if (wanted.test(row)) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparingDouble((Integer row) -> -value.applyAsDouble(row)));
        return rows;
    }

    private static Table table(String sheet, List<Integer> rows, List<Field> fields) {
        Schema schema = new Schema(fields.stream().map(Field::spec).toList());
        TableBuilder builder = new TableBuilder(sheet, sheet, schema);
        @Nullable Object[] cells = new Object[fields.size()];
        for (int row : rows) {
            for (int i = 0; i < cells.length; i++) {
                Object cell = fields.get(i).cell.at(row);
                cells[i] = schema.get(i).type() == ColumnType.STRING ? spelt(cell) : cell;
            }
            builder.row(cells);
        }
        return builder.build();
    }

    private ColumnSpec keySpec(String key) {
        Set<ColumnType> types = new HashSet<>();
        for (int t = 0; t < join.tables().size(); t++) {
            types.add(shown(type(t, place(t, key))));
        }
        boolean numbers = !types.contains(ColumnType.STRING);
        return spec(
                key,
                types.size() == 1 ? types.iterator().next() : numbers ? ColumnType.DOUBLE : ColumnType.STRING,
                KEY);
    }

    private int place(int report, String column) {
        int place = join.tables().get(report).schema().indexOf(column);
        if (place < 0) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    names.get(report) + ": the sheet "
                            + join.tables().get(report).name() + " has no column '" + column + "'",
                    "Was it written by another version? Without --compat, sheets are matched by what they mean.");
        }
        return place;
    }

    private ColumnType type(int report, int column) {
        return join.tables().get(report).schema().get(column).type();
    }

    /** Truth values may be missing once tables are joined. */
    private static ColumnType shown(ColumnType type) {
        return type == ColumnType.BOOL ? ColumnType.STRING : type;
    }

    private static @Nullable Object text(@Nullable Object cell) {
        return cell instanceof Boolean ? spelt(cell) : cell;
    }

    private static @Nullable String spelt(@Nullable Object cell) {
        return cell == null ? null : cell instanceof Boolean b ? (b ? "True" : "False") : cell.toString();
    }

    private static ColumnSpec spec(String header, ColumnType type, String doc) {
        return new ColumnSpec(header, header, type, Unit.NONE, Unit.NONE, doc);
    }
}
