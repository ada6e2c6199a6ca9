// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import dev.lockstep.write.Unicode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The operations of a job: one row each, as the study of stragglers published its recordings. Times are in the unit that
 * {@link StragglerRules} chooses. Immutable.
 */
public final class OperationTable {
    /** Columns that say which rank did what, and when. */
    private static final List<String> OBSERVED = List.of("rank", "step", "optype", "start_ts", "duration");
    /** Columns that say what part a rank has in the job; {@link RecoveredRoles} finds them out. */
    private static final List<String> ROLES = List.of("stage", "dp_rank", "seq_id", "mc", "gmc");

    final String source;
    final int rows;
    final int[] rank;
    final long[] step;
    final OperationType[] type;
    /** Places of types in the order in which the table first names them. */
    final int[] typeOrder;

    final double[] start;
    final double[] duration;
    final double[] end;
    final int[] stage;
    final int[] dpRank;
    final int[] sequence;
    final int[] chunk;
    final int[] modelChunk;

    private OperationTable(String source, Observed of, Roles roles) {
        this.source = source;
        rows = of.rank.length;
        rank = of.rank;
        step = of.step;
        type = of.type;
        typeOrder = of.typeOrder;
        start = of.start;
        duration = of.duration;
        end = of.end;
        stage = roles.stage;
        dpRank = roles.dpRank;
        sequence = roles.sequence;
        chunk = roles.chunk;
        modelChunk = roles.modelChunk;
    }

    /** What a table says about times. The arrays pass to it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Observed(
            int[] rank,
            long[] step,
            OperationType[] type,
            int[] typeOrder,
            double[] start,
            double[] duration,
            double[] end) {}

    /** What part each row has in the job. The arrays pass to it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Roles(int[] stage, int[] dpRank, int[] sequence, int[] chunk, int[] modelChunk) {}

    /** The columns that such a table must have. */
    public static List<String> columns(boolean withRoles) {
        List<String> columns = new ArrayList<>(OBSERVED);
        if (withRoles) {
            columns.addAll(ROLES);
        }
        return columns;
    }

    /**
     * Takes a table.
     *
     * @param source for messages
     * @param table its columns, those of {@link #columns} among them
     * @throws TraceFormatException when a column is missing or holds something else, naming it and the row
     */
    public static OperationTable of(String source, Table table, StragglerRules rules) throws TraceFormatException {
        Cells cells = new Cells(source, table);
        Roles roles = new Roles(
                cells.small("stage", 0, Byte.MAX_VALUE),
                cells.small("dp_rank", 0, Short.MAX_VALUE),
                cells.small("seq_id", 0, Integer.MAX_VALUE),
                cells.small("mc", -1, Byte.MAX_VALUE),
                cells.small("gmc", -1, Short.MAX_VALUE));
        return new OperationTable(source, observed(cells, rules), roles);
    }

    /** Takes a table that does not say who is who, and finds it out. */
    public static RecoveredRoles recover(String source, Table table, StragglerRules rules) throws TraceFormatException {
        Observed observed = observed(new Cells(source, table), rules);
        return RecoveredRoles.of(source, observed, rules.second());
    }

    /** The table with roles that were found. */
    static OperationTable of(String source, Observed observed, Roles roles) {
        return new OperationTable(source, observed, roles);
    }

    private static Observed observed(Cells cells, StragglerRules rules) throws TraceFormatException {
        int[] rank = cells.small("rank", 0, Integer.MAX_VALUE);
        long[] step = cells.whole("step", 0, Long.MAX_VALUE);
        Map<String, Integer> order = new HashMap<>();
        String[] names = cells.texts("optype");
        OperationType[] type = new OperationType[names.length];
        int[] typeOrder = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            OperationType known = OperationType.of(names[i]);
            if (known == null) {
                throw cells.wrong(
                        "optype", i, "'" + Unicode.head(names[i], 80) + "' is no type of operation that is known here");
            }
            type[i] = known;
            Integer place = order.putIfAbsent(names[i], order.size());
            typeOrder[i] = place == null ? order.size() - 1 : place;
        }
        double[] start = cells.times("start_ts", rules);
        double[] duration = cells.times("duration", rules);
        double[] end = new double[start.length];
        for (int i = 0; i < end.length; i++) {
            if (duration[i] < 0) {
                throw cells.wrong("duration", i, "it is negative");
            }
            end[i] = rules.end(start[i], duration[i]);
        }
        return new Observed(rank, step, type, typeOrder, start, duration, end);
    }

    /** The steps, ascending, with their rows in the order of the table. */
    NavigableMap<Long, int[]> bySteps() {
        NavigableMap<Long, IntList> collected = new TreeMap<>();
        for (int row = 0; row < rows; row++) {
            collected.computeIfAbsent(step[row], k -> new IntList(64)).add(row);
        }
        NavigableMap<Long, int[]> found = new TreeMap<>();
        collected.forEach((one, list) -> found.put(one, list.toArray()));
        return found;
    }

    /** What an operation is called in messages. */
    String named(int row) {
        return type[row].spelling() + " " + sequence[row] + " of stage " + stage[row] + ", rank " + rank[row]
                + ", step " + step[row];
    }

    /** Columns of a table, checked. */
    private record Cells(String source, Table table) {
        private int column(String name) throws TraceFormatException {
            int column = table.schema().indexOf(name);
            if (column < 0) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        source,
                        -1,
                        "the Parquet file has no column " + name,
                        "A table of operations has the columns " + String.join(", ", columns(true)) + ".");
            }
            return column;
        }

        long[] whole(String name, long least, long most) throws TraceFormatException {
            int column = typed(name, ColumnType.LONG, "whole numbers");
            long[] values = new long[table.rows()];
            for (int i = 0; i < values.length; i++) {
                if (table.longs(column).isMissing(i)) {
                    throw wrong(name, i, "there is no value");
                }
                values[i] = table.longs(column).get(i);
                if (values[i] < least || values[i] > most) {
                    throw wrong(name, i, values[i] + " is not between " + least + " and " + most);
                }
            }
            return values;
        }

        int[] small(String name, int least, int most) throws TraceFormatException {
            return Arrays.stream(whole(name, least, most))
                    .mapToInt(value -> (int) value)
                    .toArray();
        }

        String[] texts(String name) throws TraceFormatException {
            int column = typed(name, ColumnType.STRING, "text");
            String[] values = new String[table.rows()];
            for (int i = 0; i < values.length; i++) {
                String value = table.strings(column).get(i);
                if (value == null) {
                    throw wrong(name, i, "there is no value");
                }
                values[i] = value;
            }
            return values;
        }

        double[] times(String name, StragglerRules rules) throws TraceFormatException {
            int column = typed(name, ColumnType.DOUBLE, "seconds as floating-point numbers");
            double[] values = new double[table.rows()];
            for (int i = 0; i < values.length; i++) {
                double seconds = table.doubles(column).get(i);
                if (!Double.isFinite(seconds) || Math.abs(seconds) > StragglerRules.LONGEST_SECONDS) {
                    throw wrong(name, i, "expected seconds, found " + (Double.isNaN(seconds) ? "none" : seconds));
                }
                values[i] = rules.time(seconds);
            }
            return values;
        }

        private int typed(String name, ColumnType wanted, String expected) throws TraceFormatException {
            int column = column(name);
            if (table.schema().get(column).type() != wanted) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        source,
                        -1,
                        "column " + name + " of the Parquet file must hold " + expected,
                        null);
            }
            return column;
        }

        TraceFormatException wrong(String name, int row, String problem) {
            return new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    source,
                    -1,
                    "row " + (row + 1) + ", column " + name + ": " + problem,
                    name.equals("optype") ? "known: " + String.join(", ", OperationType.spellings()) : null);
        }
    }
}
