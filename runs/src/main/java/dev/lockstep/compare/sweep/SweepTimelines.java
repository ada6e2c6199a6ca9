// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of all configurations of a sweep, ranks averaged, with how sure the average is. Configurations stand in the
 * order of their numbers; one without reports has its place, empty.
 */
public final class SweepTimelines {
    private static final List<String> KEY_PARTS = List.of(
            TimelinePartNames.COMPUTATION_TIME,
            TimelinePartNames.EXPOSED_COMM_TIME,
            TimelinePartNames.EXPOSED_MEMCPY_TIME,
            TimelinePartNames.BUSY_TIME,
            TimelinePartNames.IDLE_TIME,
            TimelinePartNames.TOTAL_TIME,
            TimelinePartNames.TOTAL_COMM_TIME);

    private static final List<String> ORDER = List.of(
            TimelinePartNames.COMPUTATION_TIME,
            RankBreakdown.EXPOSED,
            TimelinePartNames.EXPOSED_MEMCPY_TIME,
            TimelinePartNames.EXPOSED_OTHER_TIME,
            TimelinePartNames.BUSY_TIME,
            TimelinePartNames.IDLE_TIME,
            TimelinePartNames.MICRO_IDLE_TIME,
            TimelinePartNames.MACRO_IDLE_TIME,
            RankBreakdown.TOTAL,
            RankBreakdown.COMMUNICATION,
            TimelinePartNames.TOTAL_MEMCPY_TIME);

    /**
     * A part of the timeline of a configuration.
     *
     * @param point the configuration
     * @param type the part, {@code total_time} for all of it
     * @param ranks ranks that were averaged over
     * @param time average in ms
     * @param percent share of the total, of averages
     * @param zeros ranks without the part
     * @param least shortest time of a rank, ms
     * @param most longest time of a rank, ms
     * @param std standard deviation over ranks, ms; NaN for fewer than two
     * @param mean of ranks, with how sure it is by the scatter over steps
     */
    public record Row(
            RunSummary point,
            String type,
            int ranks,
            double time,
            double percent,
            int zeros,
            double least,
            double most,
            double std,
            Confidence mean) {}

    private final Averaging averaging;
    private final List<RunSummary> points;
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Map<String, Row>> byConfiguration = new LinkedHashMap<>();

    private SweepTimelines(List<RunSummary> points, Averaging averaging) {
        this.averaging = averaging;
        this.points = points.stream().sorted(RunSummary.BY_SETTINGS).toList();
        List<String> types =
                RunBreakdown.parts(points.stream().map(RunSummary::times).toList(), ORDER);
        this.points.forEach(point -> add(point, types));
    }

    /** The timelines of these configurations. */
    public static SweepTimelines of(List<RunSummary> points, Averaging averaging) {
        return new SweepTimelines(points, averaging);
    }

    /** Configurations in order of their numbers, also those without timelines. */
    public List<RunSummary> points() {
        return points;
    }

    /** Whether no configuration has a timeline. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** A part of a configuration, null when it has no timeline. */
    public @Nullable Row row(RunSummary point, String type) {
        return byConfiguration.getOrDefault(point.label(), Map.of()).get(type);
    }

    /** Which configuration takes how long. */
    public Ranking ranking() {
        return Ranking.of(points);
    }

    /** {@code All_Data}, {@code Pivot_Time_ms}, {@code Pivot_Percent}, {@code Summary_By_Config}. */
    public List<Table> tables() {
        return List.of(
                data(),
                pivot("Pivot_Time_ms", "Time by part and configuration", Unit.MILLISECONDS, Row::time),
                pivot("Pivot_Percent", "Share of the total by part and configuration", Unit.PERCENT, Row::percent),
                summary());
    }

    private void add(RunSummary point, List<String> types) {
        RunBreakdown times = point.times();
        double total = averaging.of(times.of(RankBreakdown.TOTAL));
        Map<String, Row> own = new LinkedHashMap<>();
        for (String type : times.isEmpty() ? List.<String>of() : types) {
            double[] values = times.of(type);
            double time = averaging.of(values);
            Row row = new Row(
                    point,
                    type,
                    values.length,
                    time,
                    total > 0 ? 100 * time / total : Double.NaN,
                    (int) Arrays.stream(values).filter(v -> v == 0).count(),
                    Arrays.stream(values).min().orElse(Double.NaN),
                    Arrays.stream(values).max().orElse(Double.NaN),
                    RealDistribution.of(values).std(),
                    mean(times, type));
            own.put(type, row);
            rows.add(row);
        }
        byConfiguration.put(point.label(), own);
    }

    /** {@code All_Data}: a row for each part of each configuration. */
    public Table data() {
        return new Fields<Row>()
                .add(configuration(), r -> r.point.label())
                .add(ColumnSpec.id("threads_num", "Threads per block."), r -> known(r.point.threads()))
                .add(ColumnSpec.id("channels_num", "Channels."), r -> known(r.point.channels()))
                .add(ColumnSpec.count("num_ranks", "Ranks that were averaged over."), Row::ranks)
                .add(
                        ColumnSpec.count("expected_ranks", "Ranks that the configuration has, as far as known."),
                        r -> r.point.expectedRanks())
                .add(ColumnSpec.text("type", "Part of the span between first and last device activity."), Row::type)
                .add(time(ColumnNames.TIME_MS, "Average over ranks: " + average() + "."), Row::time)
                .add(
                        ColumnSpec.percent(
                                "percent", "Share of the total, of averages; parts add up to 100 with means."),
                        r -> orNull(r.percent))
                .add(
                        ColumnSpec.count(
                                "zero_ranks",
                                "Of the ranks, those without the part; a geometric mean leaves them out."),
                        Row::zeros)
                .add(time("std ms", "Standard deviation over ranks; missing for one."), r -> orNull(r.std))
                .add(time("min ms", "Shortest of a rank."), r -> orNull(r.least))
                .add(time("max ms", "Longest of a rank."), r -> orNull(r.most))
                .add(
                        time(
                                "mean ci95 low ms",
                                "Lower end of the 95 % interval of the arithmetic mean, by the scatter over steps; missing with fewer than two."),
                        r -> orNull(r.mean.low()))
                .add(time("mean ci95 high ms", "Its upper end."), r -> orNull(r.mean.high()))
                .table("All_Data", "Timelines of all configurations", rows);
    }

    private static Confidence mean(RunBreakdown times, String type) {
        double[] steps = times.bySteps(type, times.ranks());
        return LongRunMeans.of(List.of(steps)).mean(0).about(Averaging.MEAN.of(times.of(type)), steps.length);
    }

    private String average() {
        return averaging == Averaging.MEAN ? "arithmetic mean" : "geometric mean of what is above zero";
    }

    private Table pivot(String name, String title, Unit unit, ToDoubleFunction<Row> value) {
        List<String> types = rows.stream().map(Row::type).distinct().toList();
        Fields<String> fields =
                new Fields<String>().add(ColumnSpec.text("type", "Part of the timeline."), type -> type);
        for (RunSummary point : points()) {
            fields.add(
                    ColumnSpec.real(
                            point.label(), unit, unit, "This configuration; missing where nothing was reported."),
                    type -> {
                        Row row = row(point, type);
                        return row == null ? null : orNull(value.applyAsDouble(row));
                    });
        }
        return fields.table(name, title, types);
    }

    /** {@code Summary_By_Config}: a row for each configuration. */
    public Table summary() {
        Fields<RunSummary> fields = new Fields<RunSummary>()
                .add(configuration(), RunSummary::label)
                .add(ColumnSpec.id("threads_num", "Threads per block."), p -> known(p.threads()))
                .add(ColumnSpec.id("channels_num", "Channels."), p -> known(p.channels()))
                .add(
                        ColumnSpec.count(
                                "num_ranks", "Ranks that were averaged over; 0 for a configuration without any."),
                        p -> p.times().ranks().size())
                .add(
                        ColumnSpec.count("expected_ranks", "Ranks that it has, as far as known."),
                        RunSummary::expectedRanks);
        for (String part : KEY_PARTS) {
            fields.add(
                    time(part + "_ms", "Average over ranks; missing for a configuration without reports."),
                    p -> time(p, part));
        }
        return fields.table("Summary_By_Config", "Configurations", points());
    }

    private @Nullable Double time(RunSummary point, String part) {
        Row row = row(point, part);
        if (row != null) {
            return row.time;
        }
        return byConfiguration.getOrDefault(point.label(), Map.of()).isEmpty() ? null : (Double) 0.0;
    }

    static ColumnSpec configuration() {
        return ColumnSpec.text("full_config", "Configuration: threads per block and channels.");
    }

    private static ColumnSpec time(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }

    static @Nullable Long known(long number) {
        return number < 0 ? null : (Long) number;
    }

    static @Nullable Double orNull(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }
}
