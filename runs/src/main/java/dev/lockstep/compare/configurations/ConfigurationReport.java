// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.RunSummary;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.runs.Coverage;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * Configurations side by side as a report: findings first, then pictures, then tables, and what was not there.
 *
 * @param comparison what was compared
 * @param coverage what was expected and found
 */
public record ConfigurationReport(ConfigurationComparison comparison, Coverage coverage) {

    /** The comparison of these configurations, the baseline first. */
    public static ConfigurationReport of(List<StoredConfiguration> stored, Options options) {
        List<RunSummary> runs =
                stored.stream().map(StoredConfiguration::summary).toList();
        Coverage coverage = stored.stream().map(StoredConfiguration::coverage).reduce(Coverage.none(), Coverage::and);
        return new ConfigurationReport(ConfigurationComparison.of(runs, options), coverage);
    }

    /** What it says in words. */
    public List<Finding> findings() {
        return ConfigurationFindings.of(comparison);
    }

    /** Everything. */
    public Report report() {
        List<Section> sections = new ArrayList<>();
        sections.add(facts());
        sections.add(new FindingsSection("Findings", findings()));
        comparison.charts().forEach(chart -> sections.add(new ChartSection(chart)));
        for (Table table : comparison.tables()) {
            sections.add(new TableSection(table));
        }
        sections.add(new TableSection(coverage.table()));
        List<String> labels = comparison.labels();
        return new Report(
                "Configurations against " + labels.getFirst(),
                String.join(", ", labels.subList(1, labels.size())) + " against " + labels.getFirst(),
                sections);
    }

    private FactsSection facts() {
        List<Fact> facts = new ArrayList<>();
        for (int run = 0; run < comparison.labels().size(); run++) {
            var place = comparison.place(run);
            facts.add(new Fact(
                    (run == 0 ? "Baseline " : "Test ") + comparison.labels().get(run),
                    place == null
                            ? "no timelines"
                            : Words.time(Math.round(place.totalMs() * 1e6)) + " over "
                                    + Words.count(place.ranks(), "rank", "ranks"),
                    "Total time of the device, averaged over ranks."));
        }
        facts.add(new Fact(
                "Signs",
                "test minus baseline",
                "Every difference and every percentage: above 0 is more than in the baseline, whether that is good or bad; the"
                        + " verdict says which."));
        return new FactsSection("Configurations", facts);
    }
}
