// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.configurations.TimelineComparison.RankRow;
import dev.lockstep.compare.configurations.TimelineComparison.Row;
import dev.lockstep.compare.configurations.TimelineComparison.Stat;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;

/** Timelines side by side as tables. */
final class TimelineSheets {
    private static final Unit MS = Unit.MILLISECONDS;

    private TimelineSheets() {}

    static Table places(List<Place> places, TimelineComparison timelines, List<Lateness.Side> sides, Options options) {
        Fields<Place> fields = new Fields<Place>()
                .add(ColumnSpec.count("place", "1 is the fastest."), p -> places.indexOf(p) + 1)
                .add(ColumnSpec.text("configuration", "Name of the configuration."), Place::label)
                .add(ColumnSpec.text("role", "baseline or test."), p -> p.run() == 0 ? "baseline" : "test")
                .add(ColumnSpec.count("ranks", "Ranks with a timeline."), Place::ranks)
                .add(
                        ChangeColumns.number(
                                ColumnNames.TOTAL_TIME_MS,
                                MS,
                                "From the first start to the last end of device activity, averaged over ranks"
                                        + (timelines.perStep() ? ", by the number of steps." : ".")),
                        Place::totalMs)
                .add(
                        ChangeColumns.number(
                                "difference ms" + ChangeColumns.SIGN, MS, "Over the ranks that the baseline has too."),
                        p -> ChangeColumns.finite(p.change().difference()))
                .add(
                        ChangeColumns.percent("total time"),
                        p -> ChangeColumns.finite(p.change().percent()));
        ChangeColumns.addVerdict(fields, Place::change, options.threshold(), ", by the scatter over steps");
        for (String type : RankBreakdown.SHARES) {
            fields.addIf(
                    timelines.types().contains(type),
                    ChangeColumns.number(type + " ms", MS, "This part of the total; the parts add up to it."),
                    p -> ChangeColumns.finite(timelines.average(p.run(), type)));
        }
        Lateness.addColumns(
                fields,
                place -> sides.get(place.run()),
                sides.stream().anyMatch(side -> side.lateness().isKnown()));
        return fields.table("configurations", "Configurations, the fastest first", places);
    }

    static Table change(List<String> labels, TimelineComparison timelines, Options options) {
        Fields<Row> fields = new Fields<Row>()
                .add(ChangeColumns.configuration(), r -> labels.get(r.run()))
                .add(ColumnSpec.text("type", "Part of the timeline."), Row::type)
                .add(
                        ColumnSpec.count(
                                "shared ranks",
                                "Ranks that both have; averages are over these. 0: averages are over those of each."),
                        Row::ranks);
        ChangeColumns.addValues(
                fields, "time", MS, Row::change, "The " + options.averaging().word() + " over the shared ranks.");
        ChangeColumns.addVerdict(fields, Row::change, options.threshold(), ", by the scatter over steps");
        return fields.table("timeline_change", "Timelines beside the baseline", timelines.rows());
    }

    static Table byRank(List<String> labels, TimelineComparison timelines, Options options) {
        Fields<RankRow> fields = new Fields<RankRow>()
                .add(ChangeColumns.configuration(), r -> labels.get(r.run()))
                .add(ColumnSpec.id("rank", "Number of the rank."), RankRow::rank)
                .add(ColumnSpec.text("type", "Part of the timeline."), RankRow::type);
        ChangeColumns.addValues(fields, "time", MS, RankRow::change, "Time on this rank.");
        fields.add(
                ChangeColumns.verdict(options.threshold()),
                r -> r.change().verdict(options.threshold()).toString());
        return fields.table(
                "timeline_change_by_rank", "Timelines beside the baseline, rank by rank", timelines.rankRows());
    }

    static Table spread(List<String> labels, TimelineComparison timelines, Options options) {
        Fields<Stat> fields = new Fields<Stat>()
                .add(ColumnSpec.text("configuration", "Name of the configuration."), s -> labels.get(s.run()))
                .add(ColumnSpec.text("type", "Part of the timeline."), Stat::type)
                .add(ColumnSpec.count("ranks", "Ranks that have it."), Stat::ranks)
                .add(
                        ChangeColumns.number(options.averaging().word() + " ms", MS, "Average over these ranks."),
                        Stat::average)
                .add(
                        ColumnSpec.percent("% of total", "Share of the total, of averages."),
                        s -> ChangeColumns.finite(s.percent()))
                .add(
                        ms("median ms", "Of two in the middle the mean."),
                        s -> s.spread().median())
                .add(
                        ms("std ms", "Sample standard deviation; missing for one rank."),
                        s -> ChangeColumns.finite(s.spread().std()))
                .add(ms("min ms", "Shortest."), s -> s.spread().min())
                .add(ms("max ms", "Longest."), s -> s.spread().max())
                .add(
                        ms(
                                "mean low ms",
                                "Lower end of the 95 % interval of the arithmetic mean, by the scatter over steps;"
                                        + " missing with fewer than two."),
                        s -> ChangeColumns.finite(s.interval().low()))
                .add(
                        ms("mean high ms", "Upper end of it."),
                        s -> ChangeColumns.finite(s.interval().high()));
        return fields.table("timeline_spread", "Timelines over the ranks of each configuration", timelines.stats());
    }

    private static ColumnSpec ms(String header, String doc) {
        return ChangeColumns.number(header, MS, doc);
    }
}
