// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.WorkerThreads;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.words.ShownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Adds to a report across ranks what held the run up. */
public final class RunPaths {
    private RunPaths() {}

    /**
     * Adds the sheets of the critical path across ranks, and what is said about them, to a report that is made meanwhile.
     *
     * @param report makes the report, on one of the session's threads
     * @param matched the ranks that the report is of
     * @param parts what each of them did
     * @param asked the windows whose paths are wanted, and scenarios to try
     * @param session its threads find out what could be gained
     */
    public static Report add(
            Supplier<Report> report,
            MatchedRanks matched,
            RankSet<RankPart> parts,
            ReportOptions.Paths asked,
            Session session) {
        matched.collectives(); // both use them
        CompletableFuture<Report> others = CompletableFuture.supplyAsync(report, session.pool());
        List<Section> sections = sections(matched, parts, asked, session);
        Report made = join(others);
        List<Section> all = new ArrayList<>(made.sections());
        all.addAll(behindHeadline(all), sections);
        return ShownNames.of(new Report(made.title(), made.subtitle(), all));
    }

    private static Report join(CompletableFuture<Report> made) {
        try {
            return made.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }

    private static List<Section> sections(
            MatchedRanks matched, RankSet<RankPart> parts, ReportOptions.Paths asked, Session session) {
        List<RankPart> present = parts.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()))
                .toList();
        List<Section> sections = new ArrayList<>();
        if (!present.stream().allMatch(RankPart::knowsWaits)) {
            List<String> formats = parts.present().stream()
                    .map(member -> Objects.requireNonNull(member.info()).format())
                    .distinct()
                    .toList();
            String format = formats.size() == 1 ? formats.getFirst() : "";
            sections.add(new FindingsSection("Dependencies", List.of(DependencyFindings.unknownWaits(format))));
        }
        WorkerThreads threads = new WorkerThreads(session.pool(), session.jobs());
        for (Table table : RunDependencies.of(present, matched.collectives(), asked, threads)) {
            sections.add(new TableSection(table));
        }
        return sections;
    }

    /** The place before the first chart or table. */
    private static int behindHeadline(List<Section> sections) {
        int place = 0;
        while (place < sections.size()
                && !(sections.get(place) instanceof TableSection)
                && !(sections.get(place) instanceof ChartSection)) {
            place++;
        }
        return place;
    }
}
