// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Columns that exist for each rank, as {@code rank_3_ts}, in the order in which rows first fill them: the ranks of the
 * first row, then those that a later row adds.
 */
final class RankColumns {
    /** One row's cells. */
    final class Cells {
        private @Nullable Object[] values = new Object[8];

        /** Sets the cell of a rank in the column of this kind; null keeps the column but leaves the cell empty. */
        void put(int rank, int kind, @Nullable Object value) {
            int column = column(rank, kind);
            if (column >= values.length) {
                values = Arrays.copyOf(values, Math.max(column + 1, values.length * 2));
            }
            values[column] = value;
        }

        @Nullable
        Object get(int column) {
            return column < values.length ? values[column] : null;
        }
    }

    private final List<ColumnSpec> kinds;
    private final LongIntMap columns = new LongIntMap(64);
    private final IntList ranks = new IntList(64);
    private final IntList kindOf = new IntList(64);

    /** @param kinds what exists for each rank; the header is what follows the rank's number */
    RankColumns(List<ColumnSpec> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    private int column(int rank, int kind) {
        long key = (long) rank * kinds.size() + kind;
        int column = columns.get(key);
        if (column < 0) {
            column = columns.size();
            columns.put(key, column);
            ranks.add(rank);
            kindOf.add(kind);
        }
        return column;
    }

    /** Number of columns. */
    int size() {
        return ranks.size();
    }

    int rank(int column) {
        return ranks.get(column);
    }

    int kind(int column) {
        return kindOf.get(column);
    }

    /** Adds all columns that any row has filled. */
    <R> void addTo(Fields<R> fields, Function<R, Cells> cells) {
        for (int column = 0; column < size(); column++) {
            int c = column;
            ColumnSpec spec = kinds.get(kind(c));
            String header = "rank_" + rank(c) + "_" + spec.header();
            fields.add(
                    new ColumnSpec(
                            "rank_" + rank(c) + "_" + spec.id(),
                            header,
                            spec.type(),
                            spec.unit(),
                            spec.shown(),
                            spec.doc()),
                    row -> cells.apply(row).get(c));
        }
    }
}
