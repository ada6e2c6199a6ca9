// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of all ranks of a configuration on one workbook, {@code gpu_timeline_summary_mean.xlsx} or
 * {@code gpu_timeline_summary_geomean.xlsx}: means over ranks, all rows, times and percentages by rank.
 *
 * @param summary a row for each type, in order of their names
 * @param allRanks the rows of all ranks, by rank and type
 * @param timePerRank types against ranks, in ms
 * @param percentPerRank types against ranks
 */
public record GpuTimelineSummary(Table summary, Table allRanks, Table timePerRank, Table percentPerRank) {
    private static final String TYPE = "type";
    private static final String TIME = "time ms";
    private static final String PERCENT = "percent";
    private static final String RANK = "rank";

    /** How ranks become one number. */
    public enum Mean {
        /** The sum by the number of ranks that have one. */
        ARITHMETIC,
        /** The root of the product, for which a zero counts as 1e-10. */
        GEOMETRIC;

        private double of(List<@Nullable Double> values) {
            double sum = 0;
            int n = 0;
            for (Double value : values) {
                if (this == GEOMETRIC) {
                    sum += value == null ? Double.NaN : Math.log(value == 0 ? 1e-10 : value);
                    n++;
                } else if (value != null) {
                    sum += value;
                    n++;
                }
            }
            return n == 0 ? Double.NaN : this == GEOMETRIC ? Math.exp(sum / n) : sum / n;
        }
    }

    /**
     * The sheet {@code gpu_timeline} of one rank.
     *
     * @param rank its number
     * @param timeline with the columns {@code type}, {@code time ms} and {@code percent}; others pass to the rows of all
     *     ranks
     */
    public record RankTimeline(int rank, Table timeline) {}

    /**
     * The summary.
     *
     * @param ranks those that could be read
     * @param files how many reports there are, with those that could not be read
     */
    public static GpuTimelineSummary of(List<RankTimeline> ranks, int files, Mean mean) {
        Frame all = rows(ranks);
        Map<String, List<Integer>> byType = byType(all);
        Frame summary = new Frame(List.of(TYPE, TIME, PERCENT, "num_ranks"));
        byType.forEach((type, rows) ->
                summary.add(type, mean.of(values(all, rows, TIME)), mean.of(values(all, rows, PERCENT)), (long) files));
        return new GpuTimelineSummary(
                summary.table("Summary"),
                sorted(all).table("All_Ranks_Combined"),
                pivot(all, byType, TIME).table("Per_Rank_Time_ms"),
                pivot(all, byType, PERCENT).table("Per_Rank_Percent"));
    }

    /** The sheets, in order. */
    public List<Table> tables() {
        return List.of(summary, allRanks, timePerRank, percentPerRank);
    }

    /** The workbook. */
    public StyledWorkbook workbook() {
        return new StyledWorkbook(List.of(
                StyledSheet.of(summary, Look.FRAME),
                StyledSheet.of(allRanks, Look.FRAME),
                StyledSheet.of(timePerRank, Look.INDEXED_FRAME),
                StyledSheet.of(percentPerRank, Look.INDEXED_FRAME)));
    }

    /** The files are read in the order of their names, and this decides the order of columns. */
    private static Frame rows(List<RankTimeline> ranks) {
        return Frame.concat(ranks.stream()
                .sorted(Comparator.comparing(r -> r.rank() + ".xlsx"))
                .map(r -> Frame.of(r.timeline()).with(RANK, (long) r.rank()))
                .toList());
    }

    private static Map<String, List<Integer>> byType(Frame all) {
        Map<String, List<Integer>> byType = new TreeMap<>();
        for (int row = 0; row < all.size(); row++) {
            if (all.cell(row, TYPE) != null) {
                byType.computeIfAbsent(all.text(row, TYPE), t -> new ArrayList<>())
                        .add(row);
            }
        }
        return byType;
    }

    private static List<@Nullable Double> values(Frame all, List<Integer> rows, String head) {
        List<@Nullable Double> values = new ArrayList<>();
        for (int row : rows) {
            values.add(all.cell(row, head) instanceof Number n ? n.doubleValue() : null);
        }
        return values;
    }

    private static Frame sorted(Frame all) {
        List<Integer> order = new ArrayList<>();
        for (int row = 0; row < all.size(); row++) {
            order.add(row);
        }
        order.sort(Comparator.<Integer>comparingDouble(row -> all.number(row, RANK))
                .thenComparing(row -> all.cell(row, TYPE) == null)
                .thenComparing(row -> all.text(row, TYPE)));
        Frame sorted = new Frame(all.heads());
        order.forEach(row -> sorted.add(all.row(row)));
        return sorted;
    }

    /** Types against ranks; of several values the first, and no row or column without any. */
    private static Frame pivot(Frame all, Map<String, List<Integer>> byType, String head) {
        TreeMap<Long, Integer> places = new TreeMap<>();
        for (int row = 0; row < all.size(); row++) {
            if (all.cell(row, head) != null && all.cell(row, TYPE) != null) {
                places.put((long) all.number(row, RANK), 0);
            }
        }
        List<String> heads = new ArrayList<>(List.of(TYPE));
        for (Map.Entry<Long, Integer> place : places.entrySet()) {
            place.setValue(heads.size());
            heads.add(place.getKey().toString());
        }
        Frame pivot = new Frame(heads);
        byType.forEach((type, rows) -> {
            @Nullable Object[] cells = new Object[heads.size()];
            boolean any = false;
            for (int row : rows) {
                Integer place = places.get((long) all.number(row, RANK));
                if (place != null && cells[place] == null) {
                    cells[place] = all.cell(row, head);
                    any |= cells[place] != null;
                }
            }
            if (any) {
                cells[0] = type;
                pivot.add(cells);
            }
        });
        return pivot;
    }
}
