// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the sheets of reports mean, whatever they are called: by which columns their rows are told apart, and which columns
 * hold times and counts. Several names in a list are alternatives, the first that a sheet has counts.
 *
 * @param id what the comparison of these sheets is called
 * @param level what a row is
 * @param sheets their names; workbooks may cut them at 31 characters
 * @param keys alternatives of column lists
 * @param optionalKeys further keys where all reports have them
 * @param times alternatives of columns with the time of a row in all
 * @param counts alternatives of columns with the number of what a row counts
 * @param rates columns of speeds, averaged over time
 */
public record SheetMeaning(
        String id,
        Level level,
        List<String> sheets,
        List<List<String>> keys,
        List<String> optionalKeys,
        List<Time> times,
        List<String> counts,
        List<String> rates) {

    /** What the rows of a sheet are. */
    public enum Level {
        /** Parts of the timeline; they overlap and do not add up. */
        PART,
        /** Categories of operators. */
        CATEGORY,
        /** Operators by name. */
        OPERATOR,
        /** Kernels by name. */
        KERNEL,
        /** What filled idle time. */
        IDLE_CAUSE,
        /** Operators by arguments or parameters, collectives. */
        DETAIL;

        /** Whether rows are work of devices. */
        public boolean isWork() {
            return this != PART && this != IDLE_CAUSE;
        }
    }

    /** A column of times, and how many ns its unit has. */
    public record Time(String header, long ns) {}

    private static final String PLACE = "place";
    private static final String BETWEEN = "between";
    private static final int LONGEST_IN_WORKBOOK = 31;
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final Time DIRECT_MS = new Time(ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS, MS);
    private static final Time DIRECT_US = new Time("total_direct_kernel_time_sum", US);
    private static final Time KERNEL_TIME = new Time("Kernel Time (µs)_sum", US);
    private static final Time ROCPROF_TIME = new Time("Total Kernel Time (ms)", MS);
    private static final List<String> ARGUMENTS = List.of(
            "name", ColumnNames.INPUT_TYPE, ColumnNames.INPUT_DIMS, "Input Strides", ColumnNames.CONCRETE_INPUTS);
    private static final List<String> SPEEDS = List.of("TFLOPS/s_mean", "TB/s_mean");
    private static final List<String> RECOMPUTE = List.of(ColumnNames.IS_RECOMPUTE);

    /** Columns whose cells are names, in which brackets and words such as {@code True} have no meaning. */
    private static final Set<String> NAMES =
            Set.of("type", "op category", "Category", "name", "Kernel name", "Collective name", "cause");

    private static final List<SheetMeaning> KNOWN = List.of(
            new SheetMeaning(
                    TableNames.GPU_TIMELINE,
                    Level.PART,
                    List.of(TableNames.GPU_TIMELINE),
                    List.of(List.of("type")),
                    RECOMPUTE,
                    List.of(new Time(ColumnNames.TIME_MS, MS)),
                    List.of(),
                    List.of()),
            new SheetMeaning(
                    "ops_summary_by_category",
                    Level.CATEGORY,
                    List.of("ops_summary_by_category", "kernel_summary_by_category"),
                    List.of(List.of(ColumnNames.OP_CATEGORY), List.of("Category")),
                    RECOMPUTE,
                    List.of(DIRECT_MS, ROCPROF_TIME),
                    List.of("Count"),
                    List.of()),
            new SheetMeaning(
                    TableNames.OPS_SUMMARY,
                    Level.OPERATOR,
                    List.of(TableNames.OPS_SUMMARY),
                    List.of(List.of("name")),
                    RECOMPUTE,
                    List.of(DIRECT_MS, DIRECT_US),
                    List.of("Count"),
                    List.of()),
            new SheetMeaning(
                    TableNames.KERNEL_SUMMARY,
                    Level.KERNEL,
                    List.of(TableNames.KERNEL_SUMMARY),
                    List.of(List.of(ColumnNames.KERNEL_NAME), List.of("name")),
                    List.of(),
                    List.of(new Time(ColumnNames.KERNEL_DURATION_US_SUM, US), ROCPROF_TIME),
                    List.of("Kernel duration (µs)_count", "Count"),
                    List.of()),
            new SheetMeaning(
                    TableNames.IDLE_CAUSES,
                    Level.IDLE_CAUSE,
                    List.of(TableNames.IDLE_CAUSES),
                    List.of(List.of("cause")),
                    List.of(),
                    List.of(new Time(ColumnNames.TIME_MS, MS)),
                    List.of("gaps"),
                    List.of()),
            detail(
                    TableNames.OPS_UNIQUE_ARGS,
                    List.of(TableNames.OPS_UNIQUE_ARGS, "ops_all"),
                    ARGUMENTS,
                    DIRECT_US,
                    ColumnNames.OPERATION_COUNT),
            detail(
                    TableNames.UNIFIED_PERF_SUMMARY,
                    List.of(TableNames.UNIFIED_PERF_SUMMARY),
                    ARGUMENTS,
                    KERNEL_TIME,
                    ColumnNames.OPERATION_COUNT),
            detail(
                    "coll_analysis",
                    List.of("coll_analysis", TableNames.NCCL_SUMMARY_LONG),
                    List.of(ColumnNames.COLLECTIVE_NAME, "dtype", ColumnNames.IN_MSG_NELEMS, ColumnNames.GROUP_SIZE),
                    new Time("dur_sum", US),
                    ColumnNames.OPERATION_COUNT),
            detail(
                    TableNames.NCCL_SUMMARY_IMPLICIT_SYNC,
                    List.of(TableNames.NCCL_SUMMARY_IMPLICIT_SYNC),
                    List.of(ColumnNames.COLLECTIVE_NAME, "dtype", ColumnNames.IN_MSG_NELEMS, ColumnNames.GROUP_SIZE),
                    new Time(ColumnNames.TOTAL_COMM_LATENCY_MS, MS),
                    "count"));

    private static SheetMeaning detail(String id, List<String> sheets, List<String> keys, Time time, String count) {
        return new SheetMeaning(
                id, Level.DETAIL, sheets, List.of(keys), RECOMPUTE, List.of(time), List.of(count), SPEEDS);
    }

    /** The meaning of a sheet, or null when nothing is known about it. A sheet with parameters is an operator family. */
    public static @Nullable SheetMeaning of(Table table) {
        for (SheetMeaning meaning : KNOWN) {
            if (meaning.names(table.name())) {
                return meaning;
            }
        }
        SheetCells cells = new SheetCells(table);
        boolean family = cells.has("name") && cells.has(KERNEL_TIME.header) && cells.has(ColumnNames.NAME_COUNT);
        return family ? family(table.name()) : null;
    }

    /** Whether a row of this sheet counts: of what filled idle time, that between device activities, which the total time holds. */
    boolean counts(SheetCells cells, int row) {
        return level != Level.IDLE_CAUSE || !cells.has(PLACE) || BETWEEN.equals(cells.text(PLACE, row));
    }

    /** Whether the cells of a column are names. */
    static boolean isName(String head) {
        return NAMES.contains(head);
    }

    /** Whether a sheet is known by its name, not only by its columns. */
    public static boolean isKnown(String id) {
        return KNOWN.stream().anyMatch(meaning -> meaning.id.equals(id));
    }

    /** An operator family: rows differ by name and parameters. */
    private static SheetMeaning family(String sheet) {
        return new SheetMeaning(
                sheet,
                Level.DETAIL,
                List.of(sheet),
                List.of(List.of("name")),
                RECOMPUTE,
                List.of(KERNEL_TIME),
                List.of(ColumnNames.NAME_COUNT),
                SPEEDS);
    }

    /** The sheet among these that means this, or null. */
    public @Nullable Table in(List<Table> tables) {
        for (String name : sheets) {
            for (Table table : tables) {
                if (same(table.name(), name) && table.schema().size() > 0) {
                    return table;
                }
            }
        }
        return null;
    }

    private boolean names(String sheet) {
        return sheets.stream().anyMatch(name -> same(sheet, name));
    }

    private static boolean same(String found, String known) {
        String a = found.toLowerCase(Locale.ROOT);
        String b = known.toLowerCase(Locale.ROOT);
        return a.equals(b) || (a.length() == LONGEST_IN_WORKBOOK && b.startsWith(a));
    }
}
