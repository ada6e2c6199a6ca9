// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.compare.Cause;
import dev.lockstep.analyze.compare.HostPace;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.IdleRow;
import dev.lockstep.analyze.time.HostTimes;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What filled more or less idle time in the candidate. Causes that follow one factor, by which the whole host takes longer, are told
 * together. What may be chance by the scatter over steps is not told.
 */
final class IdleDifferenceFindings {
    private static final double FACTOR = 0.03;
    private static final int HALF = 2;

    /**
     * A finding.
     *
     * @param ns what it adds to the candidate's time
     */
    record Said(long ns, Finding finding) {
        /** Whether it contributes as much as this, in either direction. */
        boolean isAtLeast(long other) {
            return Math.abs(ns) >= Math.abs(other);
        }
    }

    private final TraceDifference.Result result;
    private final IdleAccount before;
    private final IdleAccount after;
    private final HostTimes hostBefore;
    private final HostTimes hostAfter;

    private IdleDifferenceFindings(DerivedCache baseline, DerivedCache candidate, TraceDifference.Result result) {
        this.result = result;
        boolean frames = TraceDifference.haveFrames(baseline, candidate);
        IdleAccount.Key idle = new IdleAccount.Key(AnalysisRules.standard(), null, frames);
        before = baseline.get(idle);
        after = candidate.get(idle);
        HostTimes.Key host = new HostTimes.Key(AnalysisRules.standard(), null, frames);
        hostBefore = baseline.get(host);
        hostAfter = candidate.get(host);
    }

    /** By size, largest first. */
    static List<Said> of(DerivedCache baseline, DerivedCache candidate, TraceDifference.Result result) {
        return new IdleDifferenceFindings(baseline, candidate, result).said();
    }

    private List<Said> said() {
        List<CauseRow> paced = new ArrayList<>();
        List<Said> said = new ArrayList<>();
        for (CauseRow row : result.causes()) {
            if (row.cause() == Cause.IDLE) {
                IdleCause cause = cause(row);
                if (keepsPace(cause, row)) {
                    paced.add(row);
                } else if (DifferenceFindings.isNotable(result, row.contributionNs()) && !mayBeChance(List.of(row))) {
                    said.add(new Said(row.contributionNs(), cause(cause, row)));
                }
            }
        }
        long all = paced.stream().mapToLong(CauseRow::contributionNs).sum();
        if (DifferenceFindings.isNotable(result, all)
                && all > 0 == result.pace().factor() > 1) {
            said.add(new Said(all, pace(all, paced)));
        } else {
            for (CauseRow row : paced) {
                if (DifferenceFindings.isNotable(result, row.contributionNs()) && !mayBeChance(List.of(row))) {
                    said.add(new Said(row.contributionNs(), cause(cause(row), row)));
                }
            }
        }
        said.sort(Comparator.comparingLong((Said one) -> Math.abs(one.ns)).reversed());
        return said;
    }

    private static IdleCause cause(CauseRow row) {
        return IdleCause.of(Objects.requireNonNull(row.subject()));
    }

    /**
     * Whether the host takes longer for everything by one factor, and for this, too, whether devices are idle or not. What a device
     * waits for behind a launch keeps pace where a gap holds as much of it as before: the host only makes more or fewer gaps.
     */
    private boolean keepsPace(IdleCause cause, CauseRow row) {
        HostPace pace = result.pace();
        boolean sameSteps = before.bySteps(cause).length == after.bySteps(cause).length;
        if (!sameSteps || !pace.isThroughout() || Math.abs(pace.factor() - 1) < FACTOR) {
            return false;
        }
        if (cause.isLaunched()) {
            double byGaps = (double) row.baselineNs() * row.candidateCount() / Math.max(1, row.baselineCount());
            return !DifferenceFindings.isNotable(result, Math.round(row.candidateNs() - byGaps));
        }
        double byPace = (pace.factor() - 1) * hostBefore.of(cause);
        double own = hostAfter.of(cause) - hostBefore.of(cause) - byPace;
        return Math.abs(own) * HALF <= Math.abs(byPace) || !DifferenceFindings.isNotable(result, Math.round(own));
    }

    /**
     * Whether the scatter over steps makes it possible that nothing changed. It does not without steps to compare, nor where more
     * than half of the change lies in what the host does another number of times.
     */
    private boolean mayBeChance(List<CauseRow> rows) {
        long all = 0;
        long counted = 0;
        for (CauseRow row : rows) {
            IdleCause cause = cause(row);
            all += row.contributionNs();
            for (IdleRow filling : result.idle()) {
                counted += filling.cause() == cause && filling.isCounted() ? filling.differenceNs() : 0;
            }
        }
        if (counted > 0 == all > 0 && Math.abs(counted) * HALF > Math.abs(all)) {
            return false;
        }
        Confidence change = LongRunMeans.of(List.of(bySteps(before, rows), bySteps(after, rows)))
                .difference(1, 0, 1);
        return change.isKnown() && !change.excludesZero();
    }

    private static double[] bySteps(IdleAccount account, List<CauseRow> rows) {
        double[] sum = new double[0];
        for (CauseRow row : rows) {
            double[] own = account.bySteps(cause(row));
            sum = sum.length == 0 ? new double[own.length] : sum;
            for (int step = 0; step < own.length; step++) {
                sum[step] += own[step];
            }
        }
        return sum;
    }

    private Finding pace(long all, List<CauseRow> paced) {
        HostPace pace = result.pace();
        double percent = Math.abs(pace.factor() - 1) * 100;
        int kinds = pace.kinds().size();
        return new Finding(
                        all > 0 ? Severity.PROBLEM : Severity.NOTICE,
                        "host_pace",
                        "The CPU of the candidate is "
                                + String.format(Locale.ROOT, percent < 10 ? "%.1f" : "%.0f", percent) + " % "
                                + (all > 0 ? "slower" : "faster") + " throughout: "
                                + Words.count(kinds, "kind", "kinds") + " of operators take "
                                + String.format(Locale.ROOT, "%.2f", pace.factor()) + " times as long on it. That "
                                + (all > 0 ? "adds " : "saves ") + Words.time(Math.abs(all)) + " of idle time.",
                        "diff_host: factor")
                .on(
                        Evidence.Rows.first("diff_host", Math.min(3, kinds)),
                        new Evidence.Rows(
                                TableNames.DIFF_CAUSES,
                                paced.stream().map(result.causes()::indexOf).toList()));
    }

    private Finding cause(IdleCause cause, CauseRow row) {
        boolean more = row.contributionNs() > 0;
        String gaps = row.baselineCount() == row.candidateCount()
                ? Words.count(row.baselineCount(), "gap", "gaps") + " in both"
                : Words.count(row.baselineCount()) + " became " + Words.count(row.candidateCount(), "gap", "gaps");
        return new Finding(
                        more ? Severity.PROBLEM : Severity.NOTICE,
                        "cause_idle",
                        DifferenceFindings.signed(row.contributionNs()) + ": the device is idle "
                                + (more ? "longer" : "less") + " for " + cause.words() + ". "
                                + Words.time(row.baselineNs()) + " became " + Words.time(row.candidateNs()) + " ("
                                + gaps + ")." + where(cause, row.contributionNs()),
                        "diff_idle, diff_causes: idle")
                .on(new Evidence.Rows(
                        TableNames.DIFF_CAUSES, List.of(result.causes().indexOf(row))));
    }

    /** The name, and the frame, in which more than half of a difference lies. */
    private String where(IdleCause cause, long difference) {
        String name = most(cause, difference, false);
        String frame = most(cause, difference, true);
        if (name == null && frame == null) {
            return "";
        }
        String place = name == null ? Objects.requireNonNull(frame) : name;
        return " Most of it is in " + Words.name(place)
                + (frame == null || frame.equals(place) ? "" : " in " + Words.name(frame)) + ".";
    }

    private @Nullable String most(IdleCause cause, long difference, boolean frames) {
        TreeMap<String, Long> byText = new TreeMap<>();
        for (IdleRow row : result.idle()) {
            String text = frames ? row.frame() : row.name();
            if (row.cause() == cause && text != null) {
                byText.merge(text, row.differenceNs(), Long::sum);
            }
        }
        return byText.entrySet().stream()
                .filter(one ->
                        one.getValue() > 0 == difference > 0 && Math.abs(one.getValue()) * HALF > Math.abs(difference))
                .max(Comparator.comparingLong(one -> Math.abs(one.getValue())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
