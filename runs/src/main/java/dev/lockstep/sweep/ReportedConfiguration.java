// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.table.Table;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A configuration whose reports were written, and what later steps need of them.
 *
 * @param configuration which one
 * @param coverage what of it was there
 * @param sizeStated whether a trace says how many ranks there are
 * @param performance sheets of the ranks' reports, by rank: those of {@link ReportStage#KEPT} that they have
 * @param whole the ranks of which nothing is missing
 * @param collectives sheets of the report on collectives, all summaries; null when there is none
 * @param written the files
 * @param remarks what could not be done, and why
 */
public record ReportedConfiguration(
        Configuration configuration,
        Coverage coverage,
        boolean sizeStated,
        SortedMap<Integer, List<Table>> performance,
        Set<Integer> whole,
        @Nullable List<Table> collectives,
        List<Path> written,
        List<String> remarks) {
    public ReportedConfiguration {
        performance = Collections.unmodifiableSortedMap(new TreeMap<>(performance));
        whole = Set.copyOf(whole);
        collectives = collectives == null ? null : List.copyOf(collectives);
        written = List.copyOf(written);
        remarks = List.copyOf(remarks);
    }

    /** What was there of all these; those that do not say how many ranks they have should have those of the others. */
    public static Coverage coverage(List<ReportedConfiguration> configurations) {
        List<Part> parts = configurations.stream()
                .flatMap(one -> one.coverage.parts().stream())
                .toList();
        return new Coverage(parts)
                .withRanksOfOthers(configurations.stream()
                        .filter(one -> !one.sizeStated)
                        .map(one -> one.configuration.label())
                        .toList());
    }

    /** What comparisons know of it, with the times of all ranks, whole or not. */
    public RunSummary summary() {
        long ranks = coverage.parts().stream()
                .filter(part -> part.rank() >= 0)
                .mapToInt(Part::rank)
                .distinct()
                .count();
        return new RunSummary(
                configuration.label(),
                configuration.settings(),
                (int) ranks,
                SummarySheets.times(performance),
                collectives == null ? RunCollectives.NONE : SummarySheets.collectives(collectives));
    }

    /** Whether any rank has a timeline. */
    public boolean hasTimelines() {
        return !timelines().isEmpty();
    }

    /** The sheets of the ranks' timelines, by rank. */
    public SortedMap<Integer, Table> timelines() {
        SortedMap<Integer, Table> timelines = new TreeMap<>();
        performance.forEach((rank, tables) -> tables.stream()
                .filter(table -> table.name().equals(SummarySheets.TIMELINE))
                .forEach(table -> timelines.put(rank, table)));
        return timelines;
    }
}
