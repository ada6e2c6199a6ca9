// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RecordingTool;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import dev.lockstep.words.ShownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Adds to a report across ranks what held the run up. */
public final class RunPaths {
    private RunPaths() {}

    /**
     * Adds the sheets of the critical path across ranks, and what is said about them, to a report.
     *
     * @param run the ranks that the report is of, with what each of them did
     * @param asked the windows whose paths are wanted, and scenarios to try
     */
    public static Report add(Report report, MatchedRanks run, ReportOptions.Paths asked) {
        List<Section> all = new ArrayList<>(report.sections());
        all.addAll(behindHeadline(all), sections(run, asked));
        return ShownNames.of(new Report(report.title(), report.subtitle(), all)).believing(report.trust());
    }

    private static List<Section> sections(MatchedRanks run, ReportOptions.Paths asked) {
        List<Section> sections = new ArrayList<>();
        RunDependencies graph = Objects.requireNonNull(run.dependencies(), "what each rank did was kept");
        if (!graph.knowsWaits()) {
            RecordingTool recorder = RecordingTool.of(run.ranks().present().stream()
                    .map(member -> Objects.requireNonNull(member.info()))
                    .toList());
            sections.add(new FindingsSection("Dependencies", List.of(DependencyFindings.unknownWaits(recorder))));
        }
        for (Table table : graph.tables(asked, run.threads())) {
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
