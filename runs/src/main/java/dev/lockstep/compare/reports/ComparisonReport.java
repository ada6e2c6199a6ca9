// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.compare.sheets.RankGaps;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.SheetSet;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/** The comparison of finished reports, as a report: findings first, then pictures, then tables. */
public final class ComparisonReport {
    private ComparisonReport() {}

    /**
     * The report of a comparison.
     *
     * @param reports what was compared, the baseline first
     */
    public static Report of(List<SheetSet> reports, RunComparison.Result result) {
        List<Section> sections = new ArrayList<>();
        sections.add(facts(reports, result));
        List<Finding> findings = new ArrayList<>();
        reports.forEach(report -> RankGaps.in(report).ifPresent(findings::add));
        findings.addAll(ComparisonFindings.of(result));
        sections.add(new FindingsSection("Findings", findings));
        result.charts().forEach(chart -> sections.add(new ChartSection(chart)));
        result.tables().forEach(table -> sections.add(new TableSection(table)));
        result.missing().forEach(m -> sections.add(new NotApplicable(m.sheet(), m.reason())));
        String candidates =
                String.join(", ", result.names().subList(1, result.names().size()));
        return new Report(
                "Comparison with " + result.names().getFirst(),
                candidates + " against " + result.names().getFirst(),
                sections);
    }

    private static FactsSection facts(List<SheetSet> reports, RunComparison.Result result) {
        List<Fact> facts = new ArrayList<>();
        for (int i = 0; i < reports.size(); i++) {
            long total = result.totals().get(i);
            String value = total < 0 ? "total time unknown" : Words.time(total);
            facts.add(new Fact(
                    (i == 0 ? "Baseline " : "Candidate ") + reports.get(i).name(),
                    value,
                    "Read from " + reports.get(i).source() + "."));
        }
        return new FactsSection("Reports", facts);
    }
}
