// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.kernels.Forwards;
import dev.lockstep.replay.reconcile.Accounting.Contribution;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What there is to say about parts and the whole, in words, a waterfall and sheets. */
public final class AccountReport {
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;

    /** So many parts of a kind with few different times are no accident. */
    private static final int SUSPICIOUS = 20;

    private AccountReport() {}

    /**
     * The report.
     *
     * @param claims what others said about the same numbers; may be empty
     */
    public static Report of(Accounting account, List<Finding> claims) {
        List<Section> sections = new ArrayList<>();
        sections.add(facts(account));
        List<Finding> findings = new ArrayList<>(claims);
        findings.addAll(findings(account));
        sections.add(new FindingsSection("Findings", findings));
        if (!account.contributions().isEmpty()) {
            sections.add(new ChartSection(waterfall(account)));
            sections.add(new TableSection(contributions(account)));
        }
        sections.add(new TableSection(kinds(account)));
        sections.add(new TableSection(parts(account)));
        EnergyAccount energy = account.energy();
        if (energy != null && !energy.rows().isEmpty()) {
            sections.add(new TableSection(energy.sheet(account::perPass)));
        }
        return new Report("Parts against the whole", account.isolated().source(), sections);
    }

    /** The report about energy alone. */
    public static Report energy(Accounting account, List<Finding> claims) {
        List<Finding> findings = new ArrayList<>(claims);
        findings.addAll(counting(account));
        findings.addAll(energyFindings(account));
        List<Section> sections = new ArrayList<>();
        sections.add(facts(account));
        sections.add(new FindingsSection("Findings", findings));
        EnergyAccount energy = account.energy();
        if (energy != null && !energy.rows().isEmpty()) {
            sections.add(new TableSection(energy.sheet(account::perPass)));
        }
        return new Report("Energy of parts", account.isolated().source(), sections);
    }

    private static FactsSection facts(Accounting account) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "parts",
                Integer.toString(account.isolated().parts().size()),
                "kernels or operators that were to be measured alone"));
        Forwards forwards = account.forwards();
        facts.add(
                forwards == null
                        ? new Fact("passes in the recording", "unknown, taken as 1", "--forwards says how many")
                        : new Fact(
                                "passes in the recording",
                                Integer.toString(forwards.count()),
                                "told from " + forwards.source().words()));
        facts.add(new Fact("parts, whole recording", ms(account.predictedAll()), "time alone times calls"));
        facts.add(new Fact("parts, one pass", ms(account.predicted()), "the same for one pass"));
        if (!Double.isNaN(account.whole().ns())) {
            facts.add(new Fact(
                    "whole, one pass", ms(account.whole().ns()), account.whole().source()));
        }
        EnergyAccount energy = account.energy();
        if (energy != null) {
            facts.add(new Fact(
                    "energy of parts, one pass",
                    j(account.predictedJoules()),
                    "± " + j(account.errorOfJoules()) + " from sampling"));
        }
        if (!Double.isNaN(account.whole().joules())) {
            facts.add(
                    new Fact("energy of the whole, one pass", j(account.whole().joules()), ""));
        }
        return new FactsSection("Facts", facts);
    }

    private static List<Finding> findings(Accounting account) {
        List<Finding> findings = new ArrayList<>();
        units(account, findings);
        findings.addAll(account.isolated().remarks());
        findings.addAll(counting(account));
        explained(account, findings);
        substituted(account, findings);
        findings.addAll(energyFindings(account));
        return findings;
    }

    private static void units(Accounting account, List<Finding> findings) {
        Forwards forwards = account.forwards();
        if (forwards == null
                || forwards.count() < 2
                || Double.isNaN(account.whole().ns())) {
            return;
        }
        findings.add(new Finding(
                Severity.NOTICE,
                "unit_mismatch",
                String.format(
                        Locale.ROOT,
                        "The recording holds %d passes (told from %s). Its sum of %s stands against %d passes, not against one:"
                                + " compared with one pass it would look %.0f %% off. One pass of it is %s.",
                        forwards.count(),
                        forwards.source().words(),
                        ms(account.predictedAll()),
                        forwards.count(),
                        account.errorAcrossUnits(),
                        ms(account.predicted())),
                "parts: calls"));
    }

    private static List<Finding> counting(Accounting account) {
        List<Part> wrong = account.miscounted();
        if (wrong.isEmpty()) {
            return List.of();
        }
        List<Double> ratios = wrong.stream()
                .map(part -> part.runs() / part.possibleRuns())
                .sorted()
                .toList();
        return List.of(new Finding(
                Severity.PROBLEM,
                "run_count",
                String.format(
                        Locale.ROOT,
                        "%d parts cannot have run as often as stated: window over time alone gives %.0f times fewer runs"
                                + " (%,d stated, %,.0f possible for the first). Their energy by the stated count would be as"
                                + " many times too small; the possible count is used.",
                        wrong.size(),
                        ratios.get(ratios.size() / 2),
                        wrong.getFirst().runs(),
                        wrong.getFirst().possibleRuns()),
                "parts: runs stated, runs possible"));
    }

    private static void explained(Accounting account, List<Finding> findings) {
        double whole = account.whole().ns();
        if (Double.isNaN(whole)) {
            return;
        }
        double share = account.explained();
        Contribution largest = account.contributions().stream()
                .max(Comparator.comparingDouble(c -> Math.abs(c.ns())))
                .orElseThrow();
        findings.add(new Finding(
                Math.abs(1 - share) > 0.25 ? Severity.NOTICE : Severity.INFO,
                "explained_share",
                String.format(
                        Locale.ROOT,
                        "The parts make up %.0f %% of a pass: %s of %s. The largest part of the difference is: %s, %s.%s",
                        share * 100,
                        ms(account.predicted()),
                        ms(whole),
                        largest.label(),
                        ms(largest.ns()),
                        share < 0.5 && Double.isNaN(account.whole().activity().busy())
                                ? " With so little of it in kernels the pass looks bound by the host or by launches, if both"
                                        + " ran the same work: check that lengths, batch and caches are alike."
                                : ""),
                "contributions"));
    }

    /** Many parts that take one of few times were hardly measured as what they are. */
    private static void substituted(Accounting account, List<Finding> findings) {
        Map<String, List<Part>> byKind = new TreeMap<>();
        account.isolated().parts().stream()
                .filter(Part::isMeasured)
                .forEach(part -> byKind.computeIfAbsent(part.kind(), k -> new ArrayList<>())
                        .add(part));
        byKind.forEach((kind, parts) -> {
            long different = parts.stream()
                    .map(p -> Math.round(p.ns() / NS_PER_US * 5))
                    .distinct()
                    .count();
            long names = parts.stream().map(Part::name).distinct().count();
            if (parts.size() >= SUSPICIOUS && different * 3 <= names) {
                findings.add(new Finding(
                        Severity.NOTICE,
                        "few_times",
                        names + " different parts of kind '" + kind + "' take only " + different
                                + " different times (to 0.2 µs): they look like one operation on one shape, timed at the"
                                + " rate of launches, and not like the recorded kernels.",
                        "parts: alone_us"));
            }
        });
    }

    private static List<Finding> energyFindings(Accounting account) {
        EnergyAccount energy = account.energy();
        List<Finding> findings = new ArrayList<>();
        if (energy == null) {
            return findings;
        }
        if (energy.unmeasured() > 0) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "energy_missing",
                    "The energy of " + energy.unmeasured() + " of "
                            + account.isolated().parts().size() + " parts is not known: no window, or no power in it.",
                    "replay_energy"));
        }
        if (energy.rows().stream().anyMatch(row -> row.all() < 0)) {
            findings.add(new Finding(
                    Severity.PROBLEM,
                    "idle_too_high",
                    String.format(
                            Locale.ROOT,
                            "Some parts take less than the %.2f W of idle power that are taken away: the device was not at"
                                    + " rest when that was measured.",
                            energy.idleWatts()),
                    "replay_energy: window J"));
        }
        if (energy.sparse() > 0) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "energy_sparse",
                    String.format(
                            Locale.ROOT,
                            "The windows of %d of %d parts hold fewer than %d samples of power. Longer ones hold more:"
                                    + " lockstep replay run --window %d.",
                            energy.sparse(),
                            energy.rows().size(),
                            EnergyAccount.ENOUGH_SAMPLES,
                            energy.enoughMs()),
                    "replay_energy: samples"));
        }
        if (energy.idling() > 0) {
            findings.add(new Finding(
                    Severity.INFO,
                    "energy_between",
                    String.format(
                            Locale.ROOT,
                            "%d of %d parts ran in less than half of their window; what the device takes between executions is"
                                    + " in their energy.%s",
                            energy.idling(),
                            energy.rows().size(),
                            energy.idleWatts() > 0 ? "" : " --idle takes away what it takes at rest."),
                    "replay_energy: busy %"));
        }
        double whole = account.whole().joules();
        if (!Double.isNaN(whole)) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "energy_share",
                    String.format(
                            Locale.ROOT,
                            "The parts make up %.0f %% of the energy of a pass: %s ± %s of %s.%s",
                            100 * account.predictedJoules() / whole,
                            j(account.predictedJoules()),
                            j(account.errorOfJoules()),
                            j(whole),
                            energy.idleWatts() > 0
                                    ? String.format(
                                            Locale.ROOT, " %.2f W of idle power are taken away.", energy.idleWatts())
                                    : " Idle power is in it; --idle takes it away."),
                    "replay_energy"));
        }
        return findings;
    }

    private static Chart waterfall(Accounting account) {
        List<Chart.Contribution> steps = account.contributions().stream()
                .map(c -> new Chart.Contribution(c.label(), c.ns() / NS_PER_MS))
                .toList();
        boolean whole = !Double.isNaN(account.whole().ns());
        return new Chart.Waterfall(
                "From the parts to the whole",
                "One pass or step. Each bar leads from the sum of the parts, measured alone, towards what the whole took.",
                "ms",
                "parts alone",
                account.predicted() / NS_PER_MS,
                whole ? "whole" : "recorded parts",
                steps);
    }

    private static Table contributions(Accounting account) {
        List<Contribution> rows = new ArrayList<>();
        rows.add(new Contribution("parts alone", account.predicted(), "time alone times calls of one pass"));
        rows.addAll(account.contributions());
        double whole = Double.isNaN(account.whole().ns())
                ? account.predicted()
                : account.whole().ns();
        return new Fields<Contribution>()
                .add(ColumnSpec.text("contribution", "What leads from the parts to the whole."), Contribution::label)
                .add(
                        ColumnSpec.real(
                                "ms",
                                Unit.NANOSECONDS,
                                Unit.MILLISECONDS,
                                "Time of one pass; negative where it makes the whole shorter. The column adds up to the whole."),
                        Contribution::ns)
                .add(
                        ColumnSpec.percent("share %", "Of the whole; of the parts where the whole is not known."),
                        c -> 100 * c.ns() / whole)
                .add(ColumnSpec.text("how", "How it is found."), Contribution::doc)
                .table("contributions", "From the parts to the whole", rows);
    }

    private static Table kinds(Accounting account) {
        Map<String, double[]> sums = new LinkedHashMap<>();
        for (Part part : account.isolated().parts()) {
            double[] sum = sums.computeIfAbsent(part.kind(), k -> new double[6]);
            sum[0]++;
            sum[1] += part.calls();
            sum[2] += part.isMeasured() ? part.ns() * part.calls() : 0;
            sum[3] += part.isMeasured() ? part.ns() * account.perPass(part) : 0;
        }
        EnergyAccount energy = account.energy();
        if (energy != null) {
            for (EnergyAccount.Row row : energy.rows()) {
                double[] sum = sums.computeIfAbsent(row.part().kind(), k -> new double[6]);
                sum[4] += row.all();
                sum[5] += row.perCall() * account.perPass(row.part());
            }
        }
        double all = account.predictedAll();
        return new Fields<Map.Entry<String, double[]>>()
                .add(ColumnSpec.text("kind", "How parts were measured."), Map.Entry::getKey)
                .add(ColumnSpec.count("parts", "Number of parts."), e -> (long) e.getValue()[0])
                .add(ColumnSpec.count("calls", "Calls in the recording."), e -> (long) e.getValue()[1])
                .add(
                        ColumnSpec.real(
                                "all ms",
                                Unit.NANOSECONDS,
                                Unit.MILLISECONDS,
                                "Time alone times calls, whole recording."),
                        e -> e.getValue()[2])
                .add(
                        ColumnSpec.real("pass ms", Unit.NANOSECONDS, Unit.MILLISECONDS, "The same for one pass."),
                        e -> e.getValue()[3])
                .add(
                        ColumnSpec.percent("time %", "Share of the sum of all parts."),
                        e -> all == 0 ? null : 100 * e.getValue()[2] / all)
                .addIf(
                        energy != null,
                        ColumnSpec.real("all J", Unit.JOULES, Unit.JOULES, "Energy of all calls of the recording."),
                        e -> e.getValue()[4])
                .addIf(
                        energy != null,
                        ColumnSpec.real("pass J", Unit.JOULES, Unit.JOULES, "Energy of one pass."),
                        e -> e.getValue()[5])
                .table("kinds", "Kinds of parts", List.copyOf(sums.entrySet()));
    }

    private static Table parts(Accounting account) {
        List<Part> parts = new ArrayList<>(account.isolated().parts());
        parts.sort(Comparator.comparingDouble((Part p) -> p.isMeasured() ? -p.ns() * p.calls() : 0)
                .thenComparing(Part::name));
        double all = account.predictedAll();
        boolean identified = parts.stream().anyMatch(part -> part.identity().id() >= 0);
        boolean ordered = parts.stream().anyMatch(part -> !Double.isNaN(part.inOrderNs()));
        return PartColumns.of(new Fields<Part>(), part -> part, identified)
                .add(ColumnSpec.text("missing", "Why it was not measured; missing when it was."), Part::missing)
                .add(ColumnSpec.count("calls", "Calls in the recording."), Part::calls)
                .add(
                        ColumnSpec.real(
                                "calls per pass",
                                Unit.COUNT,
                                Unit.COUNT,
                                "Calls in the steps over their number; without steps, all calls over the number of passes."),
                        account::perPass)
                .add(
                        ColumnSpec.real(
                                "alone us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "One execution alone; missing when it was not measured."),
                        Part::ns)
                .addIf(
                        ordered,
                        ColumnSpec.real(
                                "in order us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "One execution among the others, in recorded order; missing when it was not run so."),
                        Part::inOrderNs)
                .add(
                        ColumnSpec.real(
                                "pass us", Unit.NANOSECONDS, Unit.MICROSECONDS, "Time alone times calls of one pass."),
                        p -> p.ns() * account.perPass(p))
                .add(
                        ColumnSpec.percent("time %", "Share of the sum of all parts."),
                        p -> all == 0 ? null : 100 * p.ns() * p.calls() / all)
                .add(
                        ColumnSpec.real(
                                "recorded pass us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "What the same calls took in the recording; missing when unknown."),
                        p -> p.calls() == 0 ? null : p.recordedNs() / p.calls() * account.perPass(p))
                .add(
                        ColumnSpec.count(
                                "runs stated", "Executions as the benchmark states them; missing when it does not."),
                        p -> p.runs() < 0 ? null : p.runs())
                .add(
                        ColumnSpec.real(
                                "runs possible",
                                Unit.COUNT,
                                Unit.COUNT,
                                "Window over the time of one execution; missing without a window."),
                        Part::possibleRuns)
                .table("parts", "Parts", parts);
    }

    private static String ms(double ns) {
        return String.format(Locale.ROOT, "%,.3f ms", ns / NS_PER_MS);
    }

    private static String j(double joules) {
        return String.format(Locale.ROOT, "%,.4g J", joules);
    }
}
