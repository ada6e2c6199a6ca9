// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of all configurations, and the pages about them.
 *
 * @param points the configurations
 * @param pages where the pages of ranks lie, seen from that of the sweep, with slashes: by configuration and rank
 */
public record SweepRanks(List<RunSummary> points, Map<String, SortedMap<Integer, String>> pages) {
    private record Row(RunSummary point, int rank, RankBreakdown times) {
        double of(String part) {
            return times.of(part).ms();
        }
    }

    /** Copies the configurations. */
    public SweepRanks {
        points = List.copyOf(points);
        pages = Map.copyOf(pages);
    }

    /** {@return the page of the rank that takes longest in a configuration; null where there is none} */
    public @Nullable Evidence slowest(RunSummary point) {
        return point.times().byRank().entrySet().stream()
                .max(Comparator.comparingDouble((Map.Entry<Integer, RankBreakdown> rank) ->
                                rank.getValue().of(RankBreakdown.TOTAL).ms())
                        .thenComparingInt(rank -> -rank.getKey()))
                .map(rank -> page(point, rank.getKey()))
                .orElse(null);
    }

    /** {@return the same; what leads nowhere where there is none} */
    public Evidence orNowhere(RunSummary point) {
        return orNowhere(slowest(point));
    }

    private @Nullable Evidence page(RunSummary point, int rank) {
        SortedMap<Integer, String> ranks = pages.get(point.label());
        String target = ranks == null ? null : ranks.get(rank);
        return target == null ? null : new Evidence.Page(target, "rank " + rank + " of " + point.label());
    }

    /** {@return {@code sweep_ranks}, whose rows lead to the pages of the ranks} */
    public TableSection section() {
        List<Row> rows = new ArrayList<>();
        for (RunSummary point : points) {
            point.times().byRank().forEach((rank, times) -> rows.add(new Row(point, rank, times)));
        }
        return new TableSection(
                new Fields<Row>()
                        .add(SweepTimelines.configuration(), row -> row.point.label())
                        .add(ColumnSpec.id("rank", "Number of the rank."), row -> (long) row.rank)
                        .add(
                                time(ColumnNames.TOTAL_TIME_MS, "From the first to the last device activity."),
                                row -> row.of(RankBreakdown.TOTAL))
                        .add(
                                time(ColumnNames.COMPUTATION_MS, "Time in which anything is computed."),
                                row -> row.of(TimelinePartNames.COMPUTATION_TIME))
                        .add(
                                time("exposed communication ms", "Communication while nothing is computed."),
                                row -> row.of(RankBreakdown.EXPOSED))
                        .add(
                                time(ColumnNames.COMMUNICATION_MS, "Time with any communication."),
                                row -> row.of(RankBreakdown.COMMUNICATION))
                        .table("sweep_ranks", "Ranks of all configurations", rows),
                () -> rows.stream()
                        .map(row -> orNowhere(page(row.point, row.rank)))
                        .toList());
    }

    private static Evidence orNowhere(@Nullable Evidence page) {
        return page == null ? Evidence.nowhere() : page;
    }

    private static ColumnSpec time(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }
}
