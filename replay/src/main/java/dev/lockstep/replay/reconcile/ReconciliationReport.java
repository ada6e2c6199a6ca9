// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What there is to say about parts and the whole: facts, findings, a waterfall and sheets. */
public final class ReconciliationReport {
    private static final double NS_PER_MS = 1e6;

    private final Reconciliation reconciled;
    private final List<Finding> claims;

    private ReconciliationReport(Reconciliation reconciled, List<Finding> claims) {
        this.reconciled = reconciled;
        this.claims = claims;
    }

    /**
     * The report about time, and about energy where there is some.
     *
     * @param claims what others said about the same numbers; they come first among the findings
     */
    public static Report of(Reconciliation reconciled, List<Finding> claims) {
        return new ReconciliationReport(reconciled, claims).timeAndEnergy();
    }

    /**
     * The report about energy alone.
     *
     * @param claims what others said about the same numbers; they come first among the findings
     */
    public static Report energy(Reconciliation reconciled, List<Finding> claims) {
        return new ReconciliationReport(reconciled, claims).energyAlone();
    }

    private Report timeAndEnergy() {
        List<Section> sections = new ArrayList<>();
        sections.add(facts());
        sections.add(findings(new ReconciliationFindings(reconciled).all()));
        if (!reconciled.contributions().isEmpty()) {
            sections.add(new ChartSection(waterfall()));
            sections.add(new TableSection(ReconciliationSheets.contributions(reconciled)));
        }
        sections.add(new TableSection(ReconciliationSheets.kinds(reconciled)));
        sections.add(new TableSection(ReconciliationSheets.parts(reconciled)));
        addEnergy(sections);
        return new Report("Parts against the whole", reconciled.isolated().source(), sections);
    }

    private Report energyAlone() {
        List<Section> sections = new ArrayList<>();
        sections.add(facts());
        sections.add(findings(new ReconciliationFindings(reconciled).ofEnergy()));
        addEnergy(sections);
        return new Report("Energy of parts", reconciled.isolated().source(), sections);
    }

    private FindingsSection findings(List<Finding> ours) {
        List<Finding> findings = new ArrayList<>(claims);
        findings.addAll(ours);
        return new FindingsSection("Findings", findings);
    }

    private void addEnergy(List<Section> sections) {
        PartsEnergy energy = reconciled.energy();
        if (energy != null && !energy.rows().isEmpty()) {
            sections.add(new TableSection(ReconciliationSheets.energy(energy, reconciled::perPass)));
        }
    }

    private FactsSection facts() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "parts",
                Integer.toString(reconciled.isolated().parts().size()),
                "kernels or operators that were to be measured alone"));
        facts.add(passes());
        facts.add(new Fact("parts, whole recording", ms(reconciled.predictedAll()), "time alone times calls"));
        facts.add(new Fact("parts, one pass", ms(reconciled.predicted()), "the same for one pass"));
        Whole whole = reconciled.whole();
        if (!Double.isNaN(whole.ns())) {
            facts.add(new Fact("whole, one pass", ms(whole.ns()), whole.source()));
        }
        if (!Double.isNaN(reconciled.predictedJoules())) {
            facts.add(new Fact(
                    "energy of parts, one pass",
                    joules(reconciled.predictedJoules()),
                    "± " + joules(reconciled.errorOfJoules()) + " from sampling"));
        }
        if (!Double.isNaN(whole.joules())) {
            facts.add(new Fact("energy of the whole, one pass", joules(whole.joules()), ""));
        }
        return new FactsSection("Facts", facts);
    }

    private Fact passes() {
        ForwardPasses forwards = reconciled.forwards();
        return forwards == null
                ? new Fact("passes in the recording", "unknown, taken as 1", "--forwards says how many")
                : new Fact(
                        "passes in the recording",
                        Integer.toString(forwards.count()),
                        "told from " + forwards.source().words());
    }

    private Chart waterfall() {
        List<Chart.Contribution> steps = new ArrayList<>();
        for (Reconciliation.Contribution c : reconciled.contributions()) {
            steps.add(new Chart.Contribution(
                    c.label(), c.ns() / NS_PER_MS, new Evidence.Rows("contributions", List.of(steps.size() + 1))));
        }
        return new Chart.Waterfall(
                "From the parts to the whole",
                "One pass or step. Each bar leads from the sum of the parts, measured alone, towards what the whole"
                        + " took.",
                "ms",
                "parts alone",
                reconciled.predicted() / NS_PER_MS,
                Double.isNaN(reconciled.whole().ns()) ? "recorded parts" : "whole",
                steps,
                Evidence.Rows.first("contributions", steps.size() + 1));
    }

    /** A time in ns, as it is shown. */
    static String ms(double ns) {
        return String.format(Locale.ROOT, "%,.3f ms", ns / NS_PER_MS);
    }

    /** An energy in J, as it is shown. */
    static String joules(double joules) {
        return String.format(Locale.ROOT, "%,.4g J", joules);
    }
}
