// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.words.ShownNames;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/** What sets two recordings apart: in words, as a waterfall, and in sheets. */
public final class DifferenceReport {
    private DifferenceReport() {}

    /** Compares two traces by the definitions of the program. */
    public static TraceDifference.Result compare(DerivedCache baseline, DerivedCache candidate) {
        return new TraceDifference(AnalysisRules.standard()).run(baseline, candidate);
    }

    /**
     * By how much the candidate's time from the first to the last device activity is above the baseline's in ns, with its
     * interval by the scatter over steps; without one where the two have no steps, or different numbers of them.
     */
    public static Confidence change(DerivedCache baseline, DerivedCache candidate, TraceDifference.Result result) {
        double difference =
                (double) result.candidate().span() - result.baseline().span();
        StepTimeline steps = new StepTimeline(AnalysisRules.standard(), null);
        double[] from = steps.run(baseline).lasting();
        double[] to = steps.run(candidate).lasting();
        return from.length == to.length
                ? LongRunMeans.of(List.of(from, to)).difference(1, 0, 1).about(difference, to.length)
                : Confidence.UNKNOWN;
    }

    /**
     * The report of a difference.
     *
     * @param ranks what is known of the other ranks of both, besides
     */
    public static Report of(
            DerivedCache baseline, DerivedCache candidate, TraceDifference.Result result, List<Finding> ranks) {
        List<Section> sections = new ArrayList<>();
        sections.add(side("Baseline", baseline.trace(), result.baseline()));
        sections.add(side("Candidate", candidate.trace(), result.candidate()));
        List<Finding> findings = new ArrayList<>(DifferenceFindings.of(baseline, candidate, result));
        int total = 1;
        while (total < findings.size() && !findings.get(total - 1).code().equals("total_time")) {
            total++;
        }
        findings.addAll(Math.min(total, findings.size()), ranks);
        sections.add(new FindingsSection("Findings", findings));
        String reason = result.notApplicable();
        if (reason == null) {
            if (!result.isEmpty()) {
                sections.add(new ChartSection(DifferenceChart.of(result)));
            }
            result.tables().forEach(table -> sections.add(new TableSection(table, () -> result.places(table.name()))));
            ChartSection timeline = ComparedTimeline.of(baseline, candidate, AnalysisRules.standard());
            if (timeline != null) {
                sections.add(timeline);
            }
        } else {
            sections.add(new NotApplicable(TableNames.DIFF_CAUSES, reason));
        }
        return ShownNames.of(new Report(
                        "Candidate against baseline",
                        candidate.trace().info().source() + ", compared with "
                                + baseline.trace().info().source(),
                        sections))
                .believing(TraceTrust.of(candidate).and(TraceTrust.of(baseline)));
    }

    private static String fileName(String source) {
        return source.substring(Math.max(source.lastIndexOf('/'), source.lastIndexOf('\\')) + 1);
    }

    private static FactsSection side(String title, Trace trace, TraceDifference.Totals totals) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                title,
                fileName(trace.info().source()),
                "The file " + trace.info().source() + "."));
        facts.add(new Fact(
                "Devices",
                ReportFacts.devices(trace.info()),
                "The accelerators that the recording process could see."));
        facts.add(new Fact("Device activities", Words.count(trace.counts().device()), "Kernels, copies and fills."));
        facts.add(new Fact(
                "Device span", Words.time(totals.span()), "From the first start to the last end of device activity."));
        facts.add(new Fact("Busy", Words.time(totals.busy()), "Time with any device activity."));
        return new FactsSection(title, facts);
    }
}
