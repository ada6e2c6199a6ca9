// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows under heads, in units that are shown: what scripts on frames compute with. Cells are Long, Double, Boolean or String;
 * a missing one is null, never NaN.
 */
final class Frame {
    private static final String DOC = "As AORTA writes it.";

    private final List<String> heads;
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    Frame(List<String> heads) {
        this.heads = List.copyOf(heads);
    }

    static Frame of(Table table) {
        Frame frame = new Frame(
                table.schema().columns().stream().map(ColumnSpec::header).toList());
        for (int row = 0; row < table.rows(); row++) {
            @Nullable Object[] cells = new Object[frame.heads.size()];
            for (int column = 0; column < cells.length; column++) {
                cells[column] = cell(table, column, row);
            }
            frame.add(cells);
        }
        return frame;
    }

    private static @Nullable Object cell(Table table, int column, int row) {
        Column cells = table.columns().get(column);
        if (cells.isMissing(row)) {
            return null;
        }
        return switch (cells) {
            case LongColumn c when table.schema().get(column).divisor() == 1 -> c.get(row);
            case StringColumn c -> c.get(row);
            case BoolColumn c -> c.get(row);
            default -> table.shown(column, row);
        };
    }

    List<String> heads() {
        return heads;
    }

    int size() {
        return rows.size();
    }

    boolean has(String head) {
        return heads.contains(head);
    }

    /** The place of a column, -1 when there is none. */
    int column(String head) {
        return heads.indexOf(head);
    }

    @Nullable
    Object cell(int row, int column) {
        return column < 0 ? null : rows.get(row)[column];
    }

    @Nullable
    Object cell(int row, String head) {
        return cell(row, column(head));
    }

    /** The cells of a row; not to be changed. */
    @Nullable
    Object[] row(int row) {
        return rows.get(row);
    }

    /** The number in a cell, NaN when there is none. */
    double number(int row, String head) {
        return cell(row, head) instanceof Number n ? n.doubleValue() : Double.NaN;
    }

    /** The text of a cell, empty when there is none. */
    String text(int row, String head) {
        return Objects.toString(cell(row, head), "");
    }

    /** Appends a row of as many cells as there are heads; NaN becomes a missing cell. */
    Frame add(@Nullable Object... cells) {
        @Nullable Object[] kept = Arrays.copyOf(cells, heads.size());
        for (int i = 0; i < kept.length; i++) {
            if (kept[i] instanceof Double d && d.isNaN()) {
                kept[i] = null;
            }
        }
        rows.add(kept);
        return this;
    }

    /** The rows for which the predicate holds, given their places. */
    Frame where(Predicate<Integer> wanted) {
        Frame kept = new Frame(heads);
        for (int row = 0; row < rows.size(); row++) {
            if (wanted.test(row)) {
                kept.rows.add(rows.get(row));
            }
        }
        return kept;
    }

    /** The same with a column that holds one value; it is the last one, unless there is such a column already. */
    Frame with(String head, Object value) {
        List<String> wider = new ArrayList<>(heads);
        if (!has(head)) {
            wider.add(head);
        }
        int place = wider.indexOf(head);
        Frame frame = new Frame(wider);
        for (@Nullable Object[] row : rows) {
            @Nullable Object[] cells = Arrays.copyOf(row, wider.size());
            cells[place] = value;
            frame.rows.add(cells);
        }
        return frame;
    }

    /** The same under other heads. */
    Frame renamed(List<String> other) {
        Frame frame = new Frame(other);
        frame.rows.addAll(rows);
        return frame;
    }

    /** All rows, one frame after another; columns in order of first appearance. */
    static Frame concat(List<Frame> frames) {
        List<String> heads = new ArrayList<>();
        for (Frame frame : frames) {
            frame.heads.stream().filter(h -> !heads.contains(h)).forEach(heads::add);
        }
        Frame all = new Frame(heads);
        for (Frame frame : frames) {
            int[] places = frame.heads.stream().mapToInt(heads::indexOf).toArray();
            for (@Nullable Object[] row : frame.rows) {
                @Nullable Object[] cells = new Object[heads.size()];
                for (int i = 0; i < places.length; i++) {
                    cells[places[i]] = row[i];
                }
                all.rows.add(cells);
            }
        }
        return all;
    }

    /** As a table: a column of numbers alone holds numbers, any other text. */
    Table table(String name) {
        List<ColumnSpec> specs = new ArrayList<>();
        for (int column = 0; column < heads.size(); column++) {
            specs.add(spec(heads.get(column), column));
        }
        TableBuilder builder = new TableBuilder(name, name, new Schema(specs));
        for (@Nullable Object[] row : rows) {
            @Nullable Object[] cells = row.clone();
            for (int column = 0; column < cells.length; column++) {
                boolean text = specs.get(column).type() == ColumnType.STRING;
                cells[column] = text && cells[column] != null ? cells[column].toString() : cells[column];
            }
            builder.row(cells);
        }
        return builder.build();
    }

    private ColumnSpec spec(String head, int column) {
        boolean whole = true;
        boolean number = true;
        boolean truth = !rows.isEmpty();
        for (@Nullable Object[] row : rows) {
            Object cell = row[column];
            whole &= cell == null || cell instanceof Long;
            number &= cell == null || cell instanceof Number;
            truth &= cell instanceof Boolean;
        }
        return whole
                ? ColumnSpec.whole(head, Unit.NONE, Unit.NONE, DOC)
                : number
                        ? ColumnSpec.real(head, Unit.NONE, Unit.NONE, DOC)
                        : truth ? ColumnSpec.bool(head, DOC) : ColumnSpec.text(head, DOC);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d rows of %s", rows.size(), heads);
    }
}
