// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.CollectiveSum;
import dev.lockstep.compare.CollectiveSum.Figures;
import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunCollectives.Family;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the sheets of ranks' reports and of reports on collectives, ours or another tool's. */
public final class SummarySheets {
    /** The sheet of a rank's timeline. */
    public static final String TIMELINE = TableNames.GPU_TIMELINE;

    /** The sheet that has a row for each step of a rank. */
    public static final String STEPS = TableNames.GPU_TIMELINE_BY_STEP;

    /** The sheet of all kernels of collectives, summed up. */
    public static final String KERNELS = TableNames.NCCL_SUMMARY_LONG;

    /** Columns of {@link #STEPS}, and which part of the timeline each is. */
    private static final Map<String, String> STEP_PARTS = Map.of(
            ColumnNames.COMPUTATION_MS,
            TimelinePartNames.COMPUTATION_TIME,
            ColumnNames.EXPOSED_COMM_MS,
            RankBreakdown.EXPOSED,
            ColumnNames.EXPOSED_MEMCPY_MS,
            TimelinePartNames.EXPOSED_MEMCPY_TIME,
            "total comm ms",
            RankBreakdown.COMMUNICATION);

    /** The sheet of who waits for whom. */
    public static final String STRAGGLERS = TableNames.STRAGGLER_SUMMARY;

    private static final double US_PER_MS = 1000;
    private static final long NS_PER_MS = 1_000_000;
    private static final String NAME = ColumnNames.COLLECTIVE_NAME;
    private static final String GROUP_RANKS = ColumnNames.PROCESS_GROUP_RANKS;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");
    private static final List<String> INSTANCES =
            List.of(TableNames.NCCL_IMPLICIT_SYNC, "nccl_one_way", TableNames.NCCL_ALL2ALLV);
    private static final List<String> SUMS =
            List.of(TableNames.NCCL_SUMMARY_IMPLICIT_SYNC, "nccl_summary_one_way", "nccl_summary_all2allv");
    private static final double BYTES_PER_MIB = Unit.MEBIBYTES.scale();

    private SummarySheets() {}

    /** Whether a sheet of a report on collectives is one that {@link #collectives} reads. */
    public static boolean isOfCollectives(String name) {
        return name.equals(STRAGGLERS) || SUMS.contains(name) || INSTANCES.contains(name) || name.equals(KERNELS);
    }

    /** Whether a sheet {@link #TIMELINE} has the columns that a timeline needs. */
    public static boolean isTimeline(Table sheet) {
        SheetCells cells = new SheetCells(sheet);
        return cells.has("type") && cells.has(ColumnNames.TIME_MS) && cells.has("percent");
    }

    /** The times of ranks, from the sheets of each. */
    public static RunBreakdown times(Map<Integer, List<Table>> byRank) {
        SortedMap<Integer, RankBreakdown> times = new TreeMap<>();
        SortedMap<Integer, List<RankBreakdown>> steps = new TreeMap<>();
        byRank.forEach((rank, sheets) -> {
            Table timeline = named(sheets, TIMELINE);
            Table bySteps = named(sheets, STEPS);
            if (timeline != null) {
                times.put(rank, breakdown(timeline));
            }
            if (bySteps != null && bySteps.rows() > 0) {
                steps.put(rank, steps(bySteps));
            }
        });
        return new RunBreakdown(times, steps);
    }

    /**
     * A sheet {@link #STEPS}: a step lasts as {@link StepTimeline#lasting} says; the idle time until the next is that of the
     * step before.
     */
    private static List<RankBreakdown> steps(Table sheet) {
        SheetCells cells = new SheetCells(sheet);
        List<RankBreakdown> steps = new ArrayList<>();
        double[] lasting = StepTimeline.lasting(
                cells.numbers("start ms", sheet.rows()), cells.numbers(ColumnNames.TOTAL_TIME_MS, sheet.rows()));
        for (int row = 0; row < sheet.rows(); row++) {
            double total = lasting[row];
            double busy = cells.time(ColumnNames.BUSY_MS, row, NS_PER_MS);
            Map<String, RankBreakdown.Time> parts = new LinkedHashMap<>();
            put(parts, RankBreakdown.TOTAL, total, total);
            put(parts, TimelinePartNames.BUSY_TIME, busy, total);
            put(parts, TimelinePartNames.IDLE_TIME, total - busy, total);
            double other = busy;
            for (Map.Entry<String, String> part : STEP_PARTS.entrySet()) {
                double ms = cells.time(part.getKey(), row, NS_PER_MS);
                put(parts, part.getValue(), ms, total);
                other -= part.getValue().equals(RankBreakdown.COMMUNICATION) ? 0 : ms;
            }
            put(parts, TimelinePartNames.EXPOSED_OTHER_TIME, Math.max(0, other), total);
            steps.add(new RankBreakdown(parts));
        }
        return steps;
    }

    private static void put(Map<String, RankBreakdown.Time> parts, String part, double ms, double total) {
        if (Double.isFinite(ms)) {
            parts.put(part, new RankBreakdown.Time(ms, total > 0 ? 100 * ms / total : Double.NaN));
        }
    }

    /**
     * A sheet {@link #TIMELINE}; unknown where it tells recomputation apart: its rows are no parts of one span. So is one that
     * {@link #lacks} something.
     */
    public static RankBreakdown breakdown(Table sheet) {
        SheetCells cells = new SheetCells(sheet);
        Map<String, RankBreakdown.Time> listed = new LinkedHashMap<>();
        if (!cells.has(ColumnNames.IS_RECOMPUTE) && lacks(sheet).isEmpty()) {
            for (int row = 0; row < sheet.rows(); row++) {
                String part = cells.text("type", row);
                double ms = cells.time(ColumnNames.TIME_MS, row, NS_PER_MS);
                if (!part.isEmpty()) {
                    listed.put(part, new RankBreakdown.Time(ms, cells.number("percent", row)));
                }
            }
        }
        return new RankBreakdown(listed);
    }

    /**
     * What a sheet {@link #TIMELINE} lacks to be one: a total, or a time of a part that can be read and stands there once; empty
     * for nothing. What is left then does not add up.
     */
    public static String lacks(Table sheet) {
        SheetCells cells = new SheetCells(sheet);
        if (cells.has(ColumnNames.IS_RECOMPUTE)) {
            return "";
        }
        Set<String> parts = new HashSet<>();
        for (int row = 0; row < sheet.rows(); row++) {
            String part = cells.text("type", row);
            if (part.isEmpty()) {
                continue;
            }
            if (Double.isNaN(cells.time(ColumnNames.TIME_MS, row, NS_PER_MS))) {
                return "the time of " + part + " in its sheet " + TIMELINE + " cannot be read";
            }
            if (!parts.add(part)) {
                return "its sheet " + TIMELINE + " has " + part + " twice";
            }
        }
        return parts.contains(RankBreakdown.TOTAL) ? "" : "its sheet " + TIMELINE + " has no " + RankBreakdown.TOTAL;
    }

    /** The collectives of a run, from the sheets of its report on them. */
    public static RunCollectives collectives(List<Table> sheets) {
        List<Family> families = new ArrayList<>();
        for (int i = 0; i < INSTANCES.size(); i++) {
            families.add(new Family(instances(named(sheets, INSTANCES.get(i))), sums(named(sheets, SUMS.get(i)))));
        }
        SortedSet<String> kernels = new TreeSet<>();
        Table listed = named(sheets, KERNELS);
        for (int row = 0; listed != null && row < listed.rows(); row++) {
            kernels.add(new SheetCells(listed).text(NAME, row));
        }
        kernels.remove("");
        return new RunCollectives(families, kernels, lateness(sheets));
    }

    /** The ranks that the sheets of a report on collectives name. */
    public static SortedSet<Integer> ranksOf(List<Table> sheets) {
        SortedSet<Integer> ranks = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        for (Table sheet : sheets) {
            SheetCells cells = new SheetCells(sheet);
            for (int row = 0; cells.isText(GROUP_RANKS) && row < sheet.rows(); row++) {
                String text = cells.text(GROUP_RANKS, row);
                if (seen.add(text)) {
                    NUMBER.matcher(text).results().forEach(number -> ranks.add(Integer.parseInt(number.group())));
                }
            }
        }
        return ranks;
    }

    /** A part of each step in ms, from the sheets of a rank's report; none where steps are not told. */
    public static double[] stepParts(List<Table> sheets, Part part) {
        Table sheet = named(sheets, TableNames.STEP_PARTS);
        if (sheet == null) {
            return new double[0];
        }
        SheetCells cells = new SheetCells(sheet);
        String column = part.word() + " ms";
        return IntStream.range(0, cells.has(column) ? sheet.rows() : 0)
                .filter(row -> !"all".equals(cells.text("step", row)))
                .mapToDouble(row -> cells.number(column, row))
                .toArray();
    }

    /** Who keeps other ranks waiting, from the sheets of a report on collectives. */
    public static Lateness lateness(List<Table> sheets) {
        Table sheet = named(sheets, STRAGGLERS);
        if (sheet == null) {
            return Lateness.UNKNOWN;
        }
        SheetCells cells = new SheetCells(sheet);
        SortedMap<Integer, Double> exposed = new TreeMap<>();
        SortedMap<Integer, Double> waits = new TreeMap<>();
        SortedMap<Integer, Double> transfers = new TreeMap<>();
        SortedMap<Double, List<Integer>> late = new TreeMap<>(Comparator.reverseOrder());
        double saves = 0;
        for (int row = 0; cells.has("exposed_wait_us") && row < sheet.rows(); row++) {
            int rank = (int) cells.whole("rank", row);
            exposed.put(rank, cells.number("exposed_comm_us", row) / US_PER_MS);
            waits.put(rank, cells.number("exposed_wait_us", row) / US_PER_MS);
            double transfer = cells.number("total_nccl_dur_us", row) - cells.number("total_wait_time_us", row);
            if (cells.number("num_collectives", row) > 0 && cells.number("unknown_waits", row) == 0) {
                transfers.put(rank, transfer / US_PER_MS);
            }
            double together = cells.number("saves_together_us", row);
            if (together > 0) {
                saves = together / US_PER_MS;
                late.computeIfAbsent(cells.number("costs_alone_us", row), cost -> new ArrayList<>())
                        .add(rank);
            }
        }
        return new Lateness(
                exposed,
                waits,
                transfers,
                late.values().stream().flatMap(List::stream).toList(),
                saves);
    }

    private static List<CollectiveInstance> instances(@Nullable Table sheet) {
        List<CollectiveInstance> instances = new ArrayList<>();
        if (sheet == null) {
            return instances;
        }
        SheetCells cells = new SheetCells(sheet);
        for (int row = 0; cells.has(NAME) && row < sheet.rows(); row++) {
            double latency = cells.number(ColumnNames.COMM_LATENCY, row);
            double algorithm = cells.number(ColumnNames.ALGO_BW, row);
            if (!Double.isNaN(latency)) {
                instances.add(new CollectiveInstance(
                        key(cells, row),
                        latency,
                        cells.number(ColumnNames.SKEW_IN_START_TIME, row),
                        bytes(cells, row),
                        algorithm > 0 ? cells.number(ColumnNames.BUS_BW, row) / algorithm : Double.NaN));
            }
        }
        return instances;
    }

    private static List<CollectiveSum> sums(@Nullable Table sheet) {
        List<CollectiveSum> sums = new ArrayList<>();
        if (sheet == null) {
            return sums;
        }
        SheetCells cells = new SheetCells(sheet);
        for (int row = 0; cells.has(NAME) && cells.has("comm_latency_mean") && row < sheet.rows(); row++) {
            sums.add(new CollectiveSum(
                    key(cells, row),
                    bytes(cells, row),
                    cells.number("count", row),
                    cells.number(ColumnNames.TOTAL_COMM_LATENCY_MS, row),
                    figures(cells, ColumnNames.COMM_LATENCY, row),
                    figures(cells, ColumnNames.SKEW_IN_START_TIME, row),
                    figures(cells, ColumnNames.SKEW_IN_END_TIME, row),
                    figures(cells, ColumnNames.ALGO_BW, row),
                    figures(cells, ColumnNames.BUS_BW, row)));
        }
        return sums;
    }

    private static Figures figures(SheetCells cells, String head, int row) {
        return new Figures(
                cells.number(head + "_mean", row),
                cells.number(head + "_median", row),
                cells.number(head + "_min", row),
                cells.number(head + "_max", row));
    }

    private static CallKey key(SheetCells cells, int row) {
        return new CallKey(
                cells.text(NAME, row),
                cells.text("dtype", row),
                cells.whole("In msg nelems", row),
                cells.whole("Out msg nelems", row),
                cells.text("Process Group Name", row),
                cells.text(GROUP_RANKS, row),
                cells.whole("Group size", row));
    }

    private static double bytes(SheetCells cells, int row) {
        return cells.number(ColumnNames.FULL_MSG_SIZE_MB, row) * BYTES_PER_MIB;
    }

    private static @Nullable Table named(List<Table> sheets, String name) {
        for (Table table : sheets) {
            if (table.name().equals(name) && table.rows() > 0) {
                return table;
            }
        }
        return null;
    }
}
