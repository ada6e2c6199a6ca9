// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSet;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Adds to a report across ranks what held the run up. */
public final class RunPaths {
    private RunPaths() {}

    /**
     * Adds the sheets of the critical path across ranks, and what is said about them.
     *
     * @param matched the ranks that the report is of
     * @param parts what each of them did
     * @param edits scenarios to try, as users write them
     */
    public static Report add(Report report, MatchedRanks matched, RankSet<RankPart> parts, List<String> edits) {
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
        for (Table table : RunDependencies.of(present, matched.collectives(), edits)) {
            sections.add(new TableSection(table));
        }
        List<Section> all = new ArrayList<>(report.sections());
        all.addAll(behindHeadline(all), sections);
        return ShownNames.of(new Report(report.title(), report.subtitle(), all));
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
