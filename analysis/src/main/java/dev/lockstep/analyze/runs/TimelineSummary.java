// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.runs;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of all ranks of a run: means over ranks, how far ranks are apart, and every rank's own numbers. A rank of
 * which a part is missing is shown, but enters no mean. A geometric mean is taken over ranks that are not zero, and it is said
 * how many were; if all are, it is zero.
 *
 * @param summary a row for each part of the timeline
 * @param allRanks a row for each part and rank
 * @param times parts against ranks, in ms
 * @param percents parts against ranks
 */
public record TimelineSummary(Table summary, Table allRanks, Table times, Table percents) {
    private static final String TYPE = "Part of the timeline, as in gpu_timeline.";

    private record Cell(int rank, double ms, double percent, boolean whole) {}

    /**
     * The summary.
     *
     * @param timelines the sheet {@code gpu_timeline} of each rank, with the columns {@code type}, {@code time ms} and
     *     {@code percent}
     * @param whole ranks of which nothing is missing
     * @param geometric whether means are geometric
     */
    public static TimelineSummary of(
            SortedMap<Integer, Table> timelines, Collection<Integer> whole, boolean geometric) {
        Map<String, List<Cell>> byType = new LinkedHashMap<>();
        timelines.forEach((rank, table) -> collect(rank, table, whole.contains(rank), byType));
        return new TimelineSummary(
                summary(byType, geometric),
                allRanks(byType),
                pivot("Per_Rank_Time_ms", "Time of each rank", byType, timelines.keySet(), Unit.MILLISECONDS, Cell::ms),
                pivot(
                        "Per_Rank_Percent",
                        "Share of each rank's total time",
                        byType,
                        timelines.keySet(),
                        Unit.PERCENT,
                        Cell::percent));
    }

    /** The tables, in order. */
    public List<Table> tables() {
        return List.of(summary, allRanks, times, percents);
    }

    private static void collect(int rank, Table table, boolean whole, Map<String, List<Cell>> byType) {
        int type = table.schema().indexOf("type");
        int time = table.schema().indexOf("time ms");
        int percent = table.schema().indexOf("percent");
        if (type < 0 || time < 0) {
            return;
        }
        for (int row = 0; row < table.rows(); row++) {
            String name = table.strings(type).get(row);
            if (name != null) {
                byType.computeIfAbsent(name, n -> new ArrayList<>())
                        .add(new Cell(
                                rank,
                                table.shown(time, row),
                                percent < 0 ? Double.NaN : table.shown(percent, row),
                                whole));
            }
        }
    }

    private static Table summary(Map<String, List<Cell>> byType, boolean geometric) {
        TableBuilder table = new TableBuilder(
                "Summary",
                "Timeline over ranks",
                Schema.of(
                        ColumnSpec.text("type", TYPE),
                        ms("time ms", "Mean over ranks of which nothing is missing; missing if there are none."),
                        ColumnSpec.percent("percent", "Mean over the same ranks of the share of the total time."),
                        ColumnSpec.count("num_ranks", "Ranks that the mean is taken over."),
                        ColumnSpec.count(
                                "zero_ranks",
                                "Those of them that spend no time on it; a geometric mean leaves them out."),
                        ms("median ms", "Median over the same ranks; missing if there are none."),
                        ms("std ms", "Standard deviation over the same ranks; missing for fewer than two."),
                        ms("min ms", "Least of the same ranks; missing if there are none."),
                        ms("max ms", "Most of the same ranks; missing if there are none."),
                        ColumnSpec.id("max rank", "The first rank with the most; missing if there are none.")));
        byType.forEach((type, cells) -> {
            List<Cell> whole = cells.stream().filter(Cell::whole).toList();
            double[] times = whole.stream().mapToDouble(Cell::ms).sorted().toArray();
            int n = times.length;
            table.row(
                    type,
                    mean(whole, Cell::ms, geometric),
                    mean(whole, Cell::percent, geometric),
                    n,
                    whole.stream().filter(c -> c.ms == 0).count(),
                    n == 0 ? null : (times[(n - 1) / 2] + times[n / 2]) / 2,
                    deviation(times),
                    n == 0 ? null : times[0],
                    n == 0 ? null : times[n - 1],
                    slowest(whole));
        });
        return table.build();
    }

    private static @Nullable Integer slowest(List<Cell> cells) {
        Cell most = null;
        for (Cell cell : cells) {
            most = most == null || cell.ms > most.ms ? cell : most;
        }
        return most == null ? null : most.rank;
    }

    private static double mean(List<Cell> cells, ToDoubleFunction<Cell> value, boolean geometric) {
        double[] values =
                cells.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).toArray();
        if (!geometric || values.length == 0) {
            return Arrays.stream(values).average().orElse(Double.NaN);
        }
        double[] positive = Arrays.stream(values).filter(v -> v > 0).toArray();
        return positive.length == 0
                ? 0
                : Math.exp(Arrays.stream(positive).map(Math::log).average().orElseThrow());
    }

    private static double deviation(double[] values) {
        if (values.length < 2) {
            return Double.NaN;
        }
        double mean = Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
    }

    private static Table allRanks(Map<String, List<Cell>> byType) {
        TableBuilder table = new TableBuilder(
                "All_Ranks_Combined",
                "Timelines of all ranks",
                Schema.of(
                        ColumnSpec.text("type", TYPE),
                        ms("time ms", "Time that the rank spends on it."),
                        ColumnSpec.percent("percent", "Share of the rank's total time."),
                        ColumnSpec.id("rank", "Number of the rank."),
                        ColumnSpec.bool("whole", "Whether nothing of the rank's trace is missing.")));
        SortedMap<Integer, List<Object[]>> byRank = new TreeMap<>();
        byType.forEach((type, cells) -> cells.forEach(c -> byRank.computeIfAbsent(c.rank, r -> new ArrayList<>())
                .add(new Object[] {type, c.ms, c.percent, c.rank, c.whole})));
        byRank.values().forEach(rows -> rows.forEach(table::row));
        return table.build();
    }

    private static Table pivot(
            String name,
            String title,
            Map<String, List<Cell>> byType,
            Collection<Integer> ranks,
            Unit unit,
            ToDoubleFunction<Cell> value) {
        List<ColumnSpec> specs = new ArrayList<>();
        specs.add(ColumnSpec.text("type", TYPE));
        List<Integer> order = ranks.stream().sorted().toList();
        order.forEach(rank -> specs.add(
                ColumnSpec.real(rank.toString(), unit, unit, "Rank " + rank + "; missing if it has no such part.")));
        TableBuilder table = new TableBuilder(name, title, new Schema(specs));
        byType.forEach((type, cells) -> {
            @Nullable Object[] row = new Object[specs.size()];
            row[0] = type;
            for (Cell cell : cells) {
                int place = 1 + order.indexOf(cell.rank);
                row[place] = row[place] == null ? (Object) value.applyAsDouble(cell) : row[place];
            }
            table.row(row);
        });
        return table.build();
    }

    private static ColumnSpec ms(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }
}
