// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringPool;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of a sheet. A column whose cells are all integers holds integers, one whose cells are all numbers doubles,
 * one of truth values alone truth values; any other holds text. Nobody knows units here: a column is what its head says.
 *
 * <p>Until the table is made, a cell costs four bytes beside the texts that differ.
 *
 * @param missing spellings of a missing cell beside the empty one
 */
public record SheetTable(Set<String> missing) {
    /** Only empty cells are missing. Of columns of one head the later ones are numbered, and {@code 007} is a text. */
    public static final SheetTable PLAIN = new SheetTable(Set.of());

    /** Missing are also the cells that pandas takes for missing. Of columns of one head there is the first; {@code 007} is 7. */
    public static final SheetTable PANDAS = new SheetTable(Set.of(
            "#N/A",
            "#N/A N/A",
            "#NA",
            "-1.#IND",
            "-1.#QNAN",
            "-NaN",
            "-nan",
            "1.#IND",
            "1.#QNAN",
            "<NA>",
            "N/A",
            "NA",
            "NULL",
            "NaN",
            "None",
            "n/a",
            "nan",
            "null"));

    public SheetTable {
        missing = Set.copyOf(missing);
    }

    /** Whether a cell says that there is no value. */
    public boolean isMissing(String cell) {
        return cell.isEmpty() || missing.contains(cell);
    }

    /** {@return the number that a cell holds; NaN for none} */
    public static double number(String cell) {
        CellKind kind = cell.isEmpty() ? CellKind.TEXT : CellKind.of(cell);
        return kind.value(cell) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /**
     * The table of a sheet.
     *
     * @param source stands in messages
     * @param wanted which columns to keep, by head
     */
    public Table read(Sheets sheets, String sheet, String source, Predicate<String> wanted) throws IOException {
        Collector collector = new Collector(source + ": sheet " + sheet, wanted);
        sheets.rows(sheet, collector);
        return collector.table(sheet);
    }

    private final class Collector implements RowSink {
        private final String source;
        private final Predicate<String> wanted;
        private final StringPool pool = new StringPool();
        private final List<Cells> columns = new ArrayList<>();
        private int width = -1;
        private int rows;

        private Collector(String source, Predicate<String> wanted) {
            this.source = source;
            this.wanted = wanted;
        }

        @Override
        public void row(List<String> cells) throws TraceFormatException {
            if (width < 0) {
                head(cells);
                return;
            }
            rows++;
            if (cells.size() > width) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        source,
                        -1,
                        "row " + rows + " has " + cells.size() + " cells, its head " + width,
                        "Expected a sheet of a report: a head, and rows of as many cells.");
            }
            for (Cells column : columns) {
                String cell = column.place < cells.size() ? cells.get(column.place) : "";
                column.ids.add(isMissing(cell) ? -1 : pool.intern(cell));
            }
        }

        private void head(List<String> cells) {
            width = cells.size();
            UniqueNames heads = new UniqueNames();
            for (int i = 0; i < width; i++) {
                String given = cells.get(i).isEmpty() ? "column " + (i + 1) : cells.get(i);
                String head = heads.add(given);
                if (wanted.test(head) && (head.equals(given) || missing.isEmpty())) {
                    columns.add(new Cells(head, i, new IntList(64)));
                }
            }
        }

        private Table table(String sheet) {
            CellKind[] kinds = columns.stream().map(this::kind).toArray(CellKind[]::new);
            List<ColumnSpec> specs = new ArrayList<>();
            for (int i = 0; i < kinds.length; i++) {
                specs.add(kinds[i].column(columns.get(i).head));
            }
            TableBuilder builder = new TableBuilder(sheet, sheet, new Schema(specs));
            @Nullable Object[] row = new Object[kinds.length];
            for (int r = 0; r < rows; r++) {
                for (int i = 0; i < row.length; i++) {
                    int id = columns.get(i).ids.get(r);
                    row[i] = id < 0 ? null : kinds[i].value(pool.get(id));
                }
                builder.row(row);
            }
            return builder.build();
        }

        private CellKind kind(Cells column) {
            CellKind kind = null;
            boolean gaps = false;
            for (int r = 0; r < rows && kind != CellKind.TEXT; r++) {
                int id = column.ids.get(r);
                if (id < 0) {
                    gaps = true;
                } else {
                    CellKind own = kindOf(pool.get(id));
                    kind = kind == null ? own : kind.joined(own);
                }
            }
            // A truth value cannot be missing.
            return kind == null || (kind == CellKind.TRUTH && gaps) ? CellKind.TEXT : kind;
        }
    }

    /** Names of digits stay what they are, but where pandas makes numbers of them. */
    private CellKind kindOf(String cell) {
        return missing.isEmpty() && CellKind.isPadded(cell) ? CellKind.TEXT : CellKind.of(cell);
    }

    private record Cells(String head, int place, IntList ids) {}
}
