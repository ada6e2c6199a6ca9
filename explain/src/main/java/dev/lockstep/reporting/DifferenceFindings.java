// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.compare.Cause;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.OpRow;
import dev.lockstep.analyze.compare.TraceDifference.PairRow;
import dev.lockstep.analyze.compare.TraceDifference.Totals;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A difference in words: how large it is, what makes it, and how far it can be trusted. */
final class DifferenceFindings {
    private static final double NOTABLE = 0.03;
    private static final double FEW_MATCHED = 0.8;
    private static final int MOST_CAUSES = 5;
    private static final int MOST_SLOWER = 3;

    private final List<Finding> findings = new ArrayList<>();
    private final TraceDifference.Result result;

    private DifferenceFindings(TraceDifference.Result result) {
        this.result = result;
    }

    static List<Finding> of(DerivedCache baseline, DerivedCache candidate, TraceDifference.Result result) {
        DifferenceFindings f = new DifferenceFindings(result);
        if (SameTrace.of(baseline.trace(), candidate.trace())) {
            f.add(
                    Severity.PROBLEM,
                    "same_trace",
                    "Baseline and candidate are the same trace: all events have the same names and times."
                            + " Compare with the trace of another run.",
                    "all events of both traces");
            return f.findings;
        }
        f.otherDevices(baseline, candidate);
        if (result.notApplicable() != null) {
            f.add(Severity.INFO, "no_device_activity", "Neither trace has device activity.", "diff_totals");
            return f.findings;
        }
        if (result.isEmpty()) {
            f.add(Severity.INFO, "no_difference", "The two traces do not differ.", "diff_causes");
            return f.findings;
        }
        Confidence change = DifferenceReport.change(baseline, candidate, result);
        f.total(change);
        f.parts();
        f.causes(change.isKnown() && !change.excludesZero(), IdleDifferenceFindings.of(baseline, candidate, result));
        f.slower();
        f.matches();
        f.comparable(baseline, candidate);
        return f.findings;
    }

    private void total(Confidence chance) {
        Totals from = result.baseline();
        Totals to = result.candidate();
        long difference = to.span() - from.span();
        boolean unclear = chance.isKnown() && !chance.excludesZero();
        Severity severity = difference > from.span() * NOTABLE
                ? Severity.PROBLEM
                : difference < -from.span() * NOTABLE ? Severity.NOTICE : Severity.INFO;
        String change = difference == 0
                ? "The candidate takes as long as the baseline"
                : "The candidate takes " + Words.time(Math.abs(difference))
                        + (from.span() == 0 ? " " : " (" + Words.share(Math.abs(difference), from.span()) + ") ")
                        + (difference > 0 ? "longer" : "less") + " than the baseline";
        add(
                unclear ? Severity.INFO : severity,
                "total_time",
                change + ": " + Words.time(from.span()) + " became " + Words.time(to.span()) + "."
                        + (unclear && difference != 0
                                ? " Steps scatter by up to " + Words.time(Math.round(chance.reach()))
                                        + ": this may be chance, and so may what follows."
                                : chance.isKnown() || difference == 0
                                        ? ""
                                        : " Noise cannot be ruled out without equally many steps, two at least."),
                "diff_totals: total_time",
                totals(0));
    }

    /** Rows of {@code diff_totals}, in its order: total, busy, idle, work, overlap. */
    private static Evidence totals(Integer... lines) {
        return new Evidence.Rows("diff_totals", List.of(lines));
    }

    private void parts() {
        Totals from = result.baseline();
        Totals to = result.candidate();
        add(
                Severity.INFO,
                "parts",
                "Device work contributes " + signed(to.work() - from.work()) + ", overlap "
                        + signed(from.overlap() - to.overlap()) + ", idle time " + signed(to.idle() - from.idle())
                        + ".",
                "diff_totals: work_time, overlap_time, idle_time",
                totals(3, 4, 2));
    }

    /**
     * The largest causes of work and of idle time, largest first.
     *
     * @param unclear whether the whole difference may be chance, and so may be kernels that take another time
     */
    private void causes(boolean unclear, List<IdleDifferenceFindings.Said> idle) {
        int next = 0;
        int told = 0;
        for (CauseRow row : result.causes()) {
            if (row.cause().isWork()
                    && row.cause() != Cause.LAUNCHED_BEFORE
                    && isNotable(result, row.contributionNs())) {
                while (next < idle.size()
                        && told < MOST_CAUSES
                        && idle.get(next).isAtLeast(row.contributionNs())) {
                    findings.add(idle.get(next++).finding());
                    told++;
                }
                if (told < MOST_CAUSES) {
                    cause(row, unclear && row.cause() == Cause.SAME_KERNEL);
                    told++;
                }
            }
        }
        for (; next < idle.size() && (told < MOST_CAUSES || next == 0); told++) {
            findings.add(idle.get(next++).finding());
        }
    }

    /** Whether a time is worth a sentence: a hundredth of the longer of the two traces. */
    static boolean isNotable(TraceDifference.Result result, long ns) {
        return Math.abs(ns)
                >= Math.max(result.baseline().span(), result.candidate().span()) / 100;
    }

    /** Operators that lost with inputs of certain shapes, which may hide behind others of their name that won. */
    private void slower() {
        longer(true)
                .forEach(p -> longer(
                        p,
                        Severity.PROBLEM,
                        "slower_with_shapes",
                        p.candidateDims() == null ? "" : " with inputs " + Words.name(p.candidateDims())));
        longer(false)
                .forEach(p -> longer(
                        p,
                        Severity.NOTICE,
                        "other_shapes",
                        " with other inputs (" + shapes(p.baselineDims()) + " became " + shapes(p.candidateDims())
                                + ")"));
    }

    private Stream<PairRow> longer(boolean sameShapes) {
        return result.pairs().stream()
                .filter(p -> Objects.equals(p.baselineDims(), p.candidateDims()) == sameShapes)
                .filter(p -> p.differenceNs() > 0 && isNotable(result, p.differenceNs()))
                .limit(MOST_SLOWER);
    }

    private void longer(PairRow pair, Severity severity, String code, String inputs) {
        add(
                severity,
                code,
                "+" + Words.time(pair.differenceNs()) + ": " + Words.name(pair.op()) + inputs + ": "
                        + Words.time(pair.baselineNs()) + " became " + Words.time(pair.candidateNs()) + " in "
                        + Words.count(pair.pairs(), "call", "calls") + ".",
                "diff_matched_ops",
                new Evidence.Rows("diff_matched_ops", List.of(result.pairs().indexOf(pair))));
    }

    private static String shapes(@Nullable String dims) {
        return dims == null ? "unknown ones" : Words.name(dims);
    }

    private void cause(CauseRow row, boolean unclear) {
        String subject = row.subject() == null ? "" : Words.name(row.subject());
        String times = Words.time(row.baselineNs()) + " became " + Words.time(row.candidateNs());
        String more = row.baselineCount() < row.candidateCount() ? "more" : "fewer";
        String counts = row.baselineCount() == row.candidateCount()
                ? Words.count(row.baselineCount()) + " in both"
                : Words.count(row.baselineCount()) + " became " + Words.count(row.candidateCount());
        String text = switch (row.cause()) {
            case SAME_KERNEL ->
                "the same kernels of " + subject + (row.contributionNs() > 0 ? " are slower: " : " are faster: ")
                        + times;
            case OTHER_KERNELS -> subject + " runs different kernels: " + times + " (" + counts + ")";
            case KERNEL_COUNT -> subject + " runs " + more + " kernels (" + counts + "): " + times;
            case CALL_COUNT -> "the number of calls of " + subject + " changed: " + times;
            case ONLY_BASELINE -> subject + " runs in the baseline only";
            case ONLY_CANDIDATE -> subject + " runs in the candidate only";
            case UNLINKED -> subject + " has no launch in the trace: " + times;
            case LAUNCHED_BEFORE, OVERLAP, IDLE ->
                throw new IllegalArgumentException("has sentences of its own: " + row.cause());
        };
        add(
                unclear ? Severity.INFO : row.contributionNs() > 0 ? Severity.PROBLEM : Severity.NOTICE,
                "cause_" + row.cause().id(),
                signed(row.contributionNs()) + ": " + text + ".",
                "diff_causes: " + row.cause().id(),
                new Evidence.Rows(
                        TableNames.DIFF_CAUSES, List.of(result.causes().indexOf(row))));
    }

    /** How much of the work is compared operator by operator. */
    private void matches() {
        int calls = 0;
        int matched = 0;
        for (OpRow row : result.ops()) {
            if (row.op() != null) {
                calls += row.candidateCalls();
                matched += row.matched();
            }
        }
        if (calls == 0) {
            add(
                    Severity.INFO,
                    "no_operators",
                    "No device work of the candidate has a known launch. Kernels are compared by name alone.",
                    "diff_kernels");
            return;
        }
        add(
                matched < calls * FEW_MATCHED ? Severity.NOTICE : Severity.INFO,
                "matched",
                Words.count(matched) + " of " + Words.count(calls, "operator call", "operator calls")
                        + " with device work in the candidate (" + Words.share(matched, calls)
                        + ") have a counterpart in the baseline.",
                "diff_ops: matched calls");
    }

    private void otherDevices(DerivedCache baseline, DerivedCache candidate) {
        String before = ReportFacts.devices(baseline.trace().info());
        String after = ReportFacts.devices(candidate.trace().info());
        if (!before.equals(after)) {
            add(
                    Severity.NOTICE,
                    "other_devices",
                    "The traces come from different devices: " + before + " and " + after
                            + ". Their kernel names differ, so operators are compared.",
                    "devices of the traces");
        }
    }

    private void comparable(DerivedCache baseline, DerivedCache candidate) {
        result.causes().stream()
                .filter(row -> row.cause() == Cause.LAUNCHED_BEFORE && isNotable(result, row.contributionNs()))
                .forEach(row -> add(
                        Severity.NOTICE,
                        "launched_before",
                        signed(row.contributionNs()) + ": the traces begin with work of earlier steps. "
                                + Words.time(row.baselineNs()) + " became " + Words.time(row.candidateNs()) + ".",
                        "diff_causes: launched_before",
                        new Evidence.Rows(
                                TableNames.DIFF_CAUSES, List.of(result.causes().indexOf(row)))));
        int steps1 = baseline.get(new Steps.Key(null)).steps().size();
        int steps2 = candidate.get(new Steps.Key(null)).steps().size();
        if (steps1 != steps2) {
            add(
                    Severity.NOTICE,
                    "other_steps",
                    "The baseline has " + Words.count(steps1, "step", "steps") + ", the candidate "
                            + Words.count(steps2) + ". A part of the difference is the length of the traces.",
                    "steps of the traces");
        }
    }

    static String signed(long ns) {
        return (ns > 0 ? "+" : ns < 0 ? "−" : "±") + Words.time(Math.abs(ns));
    }

    private void add(Severity severity, String code, String text, String basis, Evidence... proof) {
        findings.add(new Finding(severity, code, text, basis).on(proof));
    }
}
