// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of all ranks of a run: means over ranks, how far ranks are apart, and every rank's own numbers. A rank of
 * which something is missing is shown, but enters no mean. A geometric mean is taken over ranks that are not zero, and it is
 * said how many were; if all are, it is zero.
 */
public final class TimelineSummary {
    private static final String TYPE = "Part of the timeline, as in gpu_timeline.";

    private record Cell(int rank, String part, RankBreakdown.Time time) {}

    private final RunBreakdown times;
    private final List<Integer> whole;
    private final Averaging averaging;
    private final List<String> parts;

    private TimelineSummary(RunBreakdown times, Collection<Integer> whole, Averaging averaging) {
        this.times = times;
        this.whole = times.ranks().stream().filter(whole::contains).toList();
        this.averaging = averaging;
        this.parts = List.copyOf(times.parts());
    }

    /**
     * The summary.
     *
     * @param times of all ranks
     * @param whole ranks of which nothing is missing
     * @param averaging how means are taken
     */
    public static TimelineSummary of(RunBreakdown times, Collection<Integer> whole, Averaging averaging) {
        return new TimelineSummary(times, whole, averaging);
    }

    /** The tables: summary, all ranks, parts against ranks in ms and in percent. */
    public List<Table> tables() {
        return List.of(summary(), allRanks(), byRankMs(), byRankPercent());
    }

    /** A row for each part of the timeline. */
    Table summary() {
        double total = averaging.of(times.of(RankBreakdown.TOTAL, whole));
        return new Fields<String>()
                .add(ColumnSpec.text("type", TYPE), part -> part)
                .add(
                        ms(
                                ColumnNames.TIME_MS,
                                "Mean over ranks of which nothing is missing; missing if there are none."),
                        part -> known(average(part)))
                .add(
                        ColumnSpec.percent("percent", "Share of the total, of means over the same ranks."),
                        part -> total > 0 ? known(100 * average(part) / total) : null)
                .add(ColumnSpec.count("num_ranks", "Ranks that the mean is taken over."), part -> whole.size())
                .add(
                        ColumnSpec.count(
                                "zero_ranks",
                                "Those of them that spend no time on it; a geometric mean leaves them out."),
                        part -> Arrays.stream(of(part)).filter(v -> v == 0).count())
                .add(
                        ms("median ms", "Median over the same ranks; missing if there are none."),
                        part -> known(spread(part).median()))
                .add(
                        ms("std ms", "Standard deviation over the same ranks; missing for fewer than two."),
                        part -> known(spread(part).std()))
                .add(
                        ms("min ms", "Least of the same ranks; missing if there are none."),
                        part -> known(spread(part).min()))
                .add(
                        ms("max ms", "Most of the same ranks; missing if there are none."),
                        part -> known(spread(part).max()))
                .add(
                        ColumnSpec.id("max rank", "The first rank with the most; missing if there are none."),
                        this::slowest)
                .table("Summary", "Timeline over ranks", parts);
    }

    private double[] of(String part) {
        return times.of(part, whole);
    }

    private double average(String part) {
        return averaging.of(of(part));
    }

    private RealDistribution spread(String part) {
        return RealDistribution.of(of(part));
    }

    private @Nullable Integer slowest(String part) {
        Integer most = null;
        for (int rank : whole) {
            most = most == null || times.of(part, rank) > times.of(part, most) ? (Integer) rank : most;
        }
        return most;
    }

    /** A row for each part and rank. */
    Table allRanks() {
        List<Cell> cells = new ArrayList<>();
        times.byRank().forEach((rank, own) -> parts.forEach(part -> cells.add(new Cell(rank, part, own.of(part)))));
        return new Fields<Cell>()
                .add(ColumnSpec.text("type", TYPE), Cell::part)
                .add(
                        ms(ColumnNames.TIME_MS, "Time that the rank spends on it."),
                        c -> c.time().ms())
                .add(
                        ColumnSpec.percent("percent", "Share of the rank's total time."),
                        c -> known(c.time().percent()))
                .add(ColumnSpec.id("rank", "Number of the rank."), Cell::rank)
                .add(
                        ColumnSpec.bool("whole", "Whether nothing of the rank's trace is missing."),
                        c -> whole.contains(c.rank()))
                .table("All_Ranks_Combined", "Timelines of all ranks", cells);
    }

    /** Parts against ranks, in ms. */
    Table byRankMs() {
        return pivot("Per_Rank_Time_ms", "Time of each rank", Unit.MILLISECONDS, RankBreakdown.Time::ms);
    }

    private Table byRankPercent() {
        return pivot("Per_Rank_Percent", "Share of each rank's total time", Unit.PERCENT, RankBreakdown.Time::percent);
    }

    private Table pivot(String name, String title, Unit unit, ToDoubleFunction<RankBreakdown.Time> value) {
        Fields<String> fields = new Fields<String>().add(ColumnSpec.text("type", TYPE), part -> part);
        times.byRank()
                .forEach((rank, own) -> fields.add(
                        ColumnSpec.real(rank.toString(), unit, unit, "Rank " + rank + "."),
                        part -> known(value.applyAsDouble(own.of(part)))));
        return fields.table(name, title, parts);
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }

    private static ColumnSpec ms(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }
}
