// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
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

    /** @param edits scenarios to try, as users write them */
    public static Report add(
            Report report,
            RankSet<RankCollectives> ranks,
            RankSet<RankPart> parts,
            CollectiveOptions options,
            List<String> edits) {
        List<RankPart> present = parts.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()))
                .toList();
        Collectives collectives = Collectives.of(CollectiveReport.present(ranks), options);
        List<Section> sections = new ArrayList<>(report.sections());
        List<Finding> findings = findings(present);
        if (!findings.isEmpty()) {
            sections.add(new FindingsSection("Dependencies", findings));
        }
        for (Table table : RunDependencies.of(present, collectives, edits)) {
            sections.add(new TableSection(table));
        }
        return new Report(report.title(), report.subtitle(), sections);
    }

    private static List<Finding> findings(List<RankPart> present) {
        if (present.stream().allMatch(RankPart::knowsWaits)) {
            return List.of();
        }
        return List.of(new Finding(
                Severity.INFO,
                "waits_not_recorded",
                DependencyFindings.UNRECORDED_WAITS + DependencyFindings.HOW_TO_RECORD,
                "dependency_quality"));
    }
}
