// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.report.Chart.Contribution;
import dev.lockstep.report.Chart.Waterfall;
import dev.lockstep.report.Evidence;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/** From the baseline's time to the candidate's, by the causes that contribute most. */
final class DifferenceChart {
    private static final int MOST = 12;
    private static final double NS_PER_MS = 1e6;

    private DifferenceChart() {}

    static Waterfall of(TraceDifference.Result result) {
        List<Contribution> steps = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        long rest = 0;
        for (int line = 0; line < result.causes().size(); line++) {
            CauseRow row = result.causes().get(line);
            if (steps.size() < MOST && row.contributionNs() != 0) {
                steps.add(new Contribution(label(row), row.contributionNs() / NS_PER_MS, causes(List.of(line))));
            } else {
                others.add(line);
                rest += row.contributionNs();
            }
        }
        if (rest != 0) {
            steps.add(new Contribution("everything else", rest / NS_PER_MS, causes(others)));
        }
        return new Waterfall(
                "From the baseline to the candidate",
                "Time from the first to the last device activity, and what each cause adds or saves. Operators stand"
                        + " for the device work they launched.",
                "ms",
                "baseline",
                result.baseline().span() / NS_PER_MS,
                "candidate",
                steps,
                Evidence.Rows.first(TableNames.DIFF_TOTALS, 1));
    }

    private static Evidence causes(List<Integer> lines) {
        return new Evidence.Rows(TableNames.DIFF_CAUSES, lines);
    }

    /** A cause with what it is about. */
    private static String label(CauseRow row) {
        String subject = row.subject() == null ? "" : Words.name(row.subject());
        return switch (row.cause()) {
            case SAME_KERNEL -> subject + ": same kernels";
            case OTHER_KERNELS -> subject + ": other kernels";
            case KERNEL_COUNT -> subject + ": number of kernels";
            case CALL_COUNT -> subject + ": number of calls";
            case ONLY_BASELINE -> subject + ": only in the baseline";
            case ONLY_CANDIDATE -> subject + ": only in the candidate";
            case UNLINKED -> subject + " (launch unknown)";
            case LAUNCHED_BEFORE -> "launched before the trace";
            case OVERLAP -> "overlap of activities";
            case IDLE -> "idle: " + IdleCause.words(subject);
        };
    }
}
