// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How rows of a type become a table: columns, each with the way to its value. A list of fields can be varied, so that a
 * sheet for readers with other habits is the same sheet with some columns exchanged.
 *
 * @param <R> type of the rows
 */
public final class Fields<R> {
    private record Field<R>(ColumnSpec spec, Function<R, @Nullable Object> value) {}

    private final List<Field<R>> fields = new ArrayList<>();

    /** No columns yet. */
    public Fields() {}

    /**
     * Adds a column.
     *
     * @param spec what the column is
     * @param value takes the cell from a row: a number, a truth value or a text, as {@link TableBuilder#row} wants it;
     *     null for a missing one
     * @return these fields
     */
    public Fields<R> add(ColumnSpec spec, Function<R, @Nullable Object> value) {
        fields.add(new Field<>(spec, value));
        return this;
    }

    /**
     * Adds a column if wanted.
     *
     * @param wanted whether the column is added
     * @param spec what the column is
     * @param value takes the cell from a row, as in {@link #add}
     * @return these fields
     */
    public Fields<R> addIf(boolean wanted, ColumnSpec spec, Function<R, @Nullable Object> value) {
        return wanted ? add(spec, value) : this;
    }

    /**
     * Adds the columns of a part of each row.
     *
     * @param <P> type of the part
     * @param others columns of the part
     * @param part takes the part from a row
     * @return these fields
     */
    public <P> Fields<R> addAll(Fields<P> others, Function<R, P> part) {
        others.fields.forEach(field -> add(field.spec, row -> field.value.apply(part.apply(row))));
        return this;
    }

    /**
     * {@return the table of these rows}
     *
     * @param name the sheet's name
     * @param title what a person reads above it
     * @param rows in the order of the table
     */
    public Table table(String name, String title, List<R> rows) {
        Schema schema = new Schema(fields.stream().map(Field::spec).toList());
        TableBuilder builder = new TableBuilder(name, title, schema);
        @Nullable Object[] cells = new Object[fields.size()];
        for (R row : rows) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] = fields.get(i).value.apply(row);
            }
            builder.row(cells);
        }
        return builder.build();
    }
}
