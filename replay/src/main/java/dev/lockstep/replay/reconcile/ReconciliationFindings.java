// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import static dev.lockstep.replay.reconcile.ReconciliationReport.joules;
import static dev.lockstep.replay.reconcile.ReconciliationReport.ms;

import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is to be said about parts and the whole, the units first. */
final class ReconciliationFindings {
    /** A whole further from the sum of its parts than this share deserves attention. */
    private static final double FAR = 0.25;

    /** Parts that make up less than this share of the whole hardly bound it. */
    private static final double HALF = 0.5;

    /** So many parts of a kind with few different times are no accident. */
    private static final int MANY_PARTS = 20;

    private static final int NAMES_FOR_A_TIME = 3;

    /** Times that differ by less than a step of this length count as one. */
    private static final double STEP_NS = 200;

    private static final double PERCENT = 100;

    private final Reconciliation reconciled;

    ReconciliationFindings(Reconciliation reconciled) {
        this.reconciled = reconciled;
    }

    /** About time and energy. */
    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(units());
        findings.addAll(reconciled.isolated().remarks());
        findings.addAll(counting());
        findings.addAll(explained());
        findings.addAll(fewTimes());
        findings.addAll(energyFindings());
        return findings;
    }

    /** About energy alone, and the counts that it depends on. */
    List<Finding> ofEnergy() {
        List<Finding> findings = new ArrayList<>(counting());
        reconciled.isolated().remarks().stream()
                .filter(remark -> remark.code().equals(ReplayResultFile.LAUNCH_INCLUDED))
                .forEach(findings::add);
        findings.addAll(energyFindings());
        return findings;
    }

    private List<Finding> units() {
        ForwardPasses forwards = reconciled.forwards();
        if (forwards == null
                || forwards.count() < 2
                || Double.isNaN(reconciled.whole().ns())) {
            return List.of();
        }
        return finding(
                Severity.NOTICE,
                "unit_mismatch",
                "parts: calls",
                String.format(
                        Locale.ROOT,
                        "The trace holds %d passes (from %s). Its sum of %s is that of %d passes. Compared with one pass it"
                                + " would look %.0f %% off. One pass takes %s.",
                        forwards.count(),
                        forwards.source().words(),
                        ms(reconciled.predictedAll()),
                        forwards.count(),
                        reconciled.errorAcrossUnits(),
                        ms(reconciled.predicted())));
    }

    private List<Finding> counting() {
        List<Part> wrong = reconciled.miscounted();
        if (wrong.isEmpty()) {
            return List.of();
        }
        List<Double> ratios = wrong.stream()
                .map(part -> part.runs() / part.possibleRuns())
                .sorted()
                .toList();
        return finding(
                Severity.PROBLEM,
                "run_count",
                "parts: runs stated, runs possible",
                String.format(
                        Locale.ROOT,
                        "%d parts cannot have run as often as stated: their window holds %.0f times fewer runs. The first"
                                + " states %,d, but %,.0f are possible. The possible count is used, as the stated one"
                                + " makes the energy too small.",
                        wrong.size(),
                        ratios.get(ratios.size() / 2),
                        wrong.getFirst().runs(),
                        wrong.getFirst().possibleRuns()));
    }

    private List<Finding> explained() {
        double whole = reconciled.whole().ns();
        if (Double.isNaN(whole)) {
            return List.of();
        }
        double share = reconciled.explained();
        boolean unlike =
                share < HALF && Double.isNaN(reconciled.whole().activity().busy());
        return finding(
                Math.abs(1 - share) > FAR ? Severity.NOTICE : Severity.INFO,
                "explained_share",
                "contributions",
                String.format(
                        Locale.ROOT,
                        "The parts make up %.0f %% of a pass: %s of %s.%s%s",
                        share * PERCENT,
                        ms(reconciled.predicted()),
                        ms(whole),
                        largest(whole - reconciled.predicted()),
                        unlike
                                ? " With so little of it in kernels, the pass looks CPU-bound or launch-bound, if both ran the"
                                        + " same work. Check that lengths, batch and caches are alike."
                                : ""));
    }

    /** What makes up most of a difference in ns, of what does not go against it; empty without a difference. */
    private String largest(double difference) {
        return reconciled.contributions().stream()
                .filter(c -> c.ns() * Math.signum(difference) > 0)
                .max(Comparator.comparingDouble(c -> Math.abs(c.ns())))
                .map(c -> " The largest part of the difference is " + c.label() + ", " + ms(c.ns()) + ".")
                .orElse("");
    }

    /** Many parts that take one of few times were hardly measured as what they are. */
    private List<Finding> fewTimes() {
        Map<String, List<Part>> byKind = reconciled.isolated().parts().stream()
                .filter(Part::isMeasured)
                .collect(Collectors.groupingBy(Part::kind, TreeMap::new, Collectors.toList()));
        List<Finding> findings = new ArrayList<>();
        byKind.forEach((kind, parts) -> findings.addAll(fewTimes(kind, parts)));
        return findings;
    }

    private static List<Finding> fewTimes(String kind, List<Part> parts) {
        long times = parts.stream()
                .map(part -> Math.round(part.ns() / STEP_NS))
                .distinct()
                .count();
        long names = parts.stream().map(Part::name).distinct().count();
        if (parts.size() < MANY_PARTS || times * NAMES_FOR_A_TIME > names) {
            return List.of();
        }
        return finding(
                Severity.NOTICE,
                "few_times",
                "parts: alone_us",
                String.format(
                        Locale.ROOT,
                        "%d different parts of kind '%s' take only %d different times (to 0.2 µs). They look like one"
                                + " operation on one shape, timed at the launch rate, and not like the recorded kernels.",
                        names,
                        kind,
                        times));
    }

    private List<Finding> energyFindings() {
        PartsEnergy energy = reconciled.energy();
        if (energy == null) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        findings.addAll(unmeasured(energy));
        findings.addAll(idleTooHigh(energy));
        findings.addAll(sparse(energy));
        findings.addAll(idling(energy));
        findings.addAll(share(energy));
        return findings;
    }

    private List<Finding> unmeasured(PartsEnergy energy) {
        return energy.unmeasured() == 0
                ? List.of()
                : finding(
                        Severity.NOTICE,
                        "energy_missing",
                        "replay_energy",
                        String.format(
                                Locale.ROOT,
                                "The energy of %d of %d parts is unknown: no window, or no power in it.",
                                energy.unmeasured(),
                                reconciled.isolated().parts().size()));
    }

    private static List<Finding> idleTooHigh(PartsEnergy energy) {
        return energy.rows().stream().noneMatch(row -> row.all() < 0)
                ? List.of()
                : finding(
                        Severity.PROBLEM,
                        "idle_too_high",
                        "replay_energy: window J",
                        String.format(
                                Locale.ROOT,
                                "Some parts take less than the subtracted %.2f W of idle power. The device was not at rest when"
                                        + " that was measured.",
                                energy.idleWatts()));
    }

    private static List<Finding> sparse(PartsEnergy energy) {
        return energy.sparse() == 0
                ? List.of()
                : finding(
                        Severity.NOTICE,
                        "energy_sparse",
                        "replay_energy: samples",
                        String.format(
                                Locale.ROOT,
                                "The windows of %d of %d parts hold fewer than %d samples of power. Longer ones hold more:"
                                        + " lockstep replay run --window %d.",
                                energy.sparse(),
                                energy.rows().size(),
                                PartsEnergy.ENOUGH_SAMPLES,
                                energy.enoughMs()));
    }

    private static List<Finding> idling(PartsEnergy energy) {
        return energy.idling() == 0
                ? List.of()
                : finding(
                        Severity.INFO,
                        "energy_between",
                        "replay_energy: busy %",
                        String.format(
                                Locale.ROOT,
                                "%d of %d parts ran in less than half of their window. Their energy includes what the device"
                                        + " takes between executions.%s",
                                energy.idling(),
                                energy.rows().size(),
                                energy.idleWatts() > 0 ? "" : " --idle subtracts idle power."));
    }

    private List<Finding> share(PartsEnergy energy) {
        double whole = reconciled.whole().joules();
        if (Double.isNaN(whole) || Double.isNaN(reconciled.predictedJoules())) {
            return List.of();
        }
        return finding(
                Severity.NOTICE,
                "energy_share",
                "replay_energy",
                String.format(
                        Locale.ROOT,
                        "The parts make up %.0f %% of the energy of a pass: %s ± %s of %s.%s",
                        PERCENT * reconciled.predictedJoules() / whole,
                        joules(reconciled.predictedJoules()),
                        joules(reconciled.errorOfJoules()),
                        joules(whole),
                        energy.idleWatts() > 0
                                ? String.format(
                                        Locale.ROOT, " %.2f W of idle power are subtracted.", energy.idleWatts())
                                : " It includes idle power. --idle subtracts that."));
    }

    private static List<Finding> finding(Severity severity, String code, String where, String text) {
        return List.of(new Finding(severity, code, text, where));
    }
}
