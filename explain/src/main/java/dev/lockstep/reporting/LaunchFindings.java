// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.LaunchDelays;
import dev.lockstep.analyze.time.LaunchDelays.OperatorRow;
import dev.lockstep.analyze.time.LaunchDelays.QueueRow;
import dev.lockstep.analyze.time.LaunchDelays.Row;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is said about launches: operators that the host launches more slowly than the device runs them, and late starts. */
public final class LaunchFindings {
    private static final double NOTABLE = 0.03;
    /** Calls that may wait for room at a time, one of each thread; each is counted as waiting in the queue. */
    private static final int MOST_WAITING = 8;

    private static final int FEW = 3;

    private LaunchFindings() {}

    /** What the launches of a rank are worth saying about. */
    public static List<Finding> of(LaunchDelays.Result result) {
        List<Finding> findings = new ArrayList<>();
        if (result.rows().isEmpty()) {
            return findings;
        }
        bound(result, findings);
        outliers(result.rows().getFirst(), findings);
        full(result, findings);
        return findings;
    }

    private static void bound(LaunchDelays.Result result, List<Finding> findings) {
        List<OperatorRow> bound =
                result.operators().stream().filter(OperatorRow::isLaunchBound).toList();
        long waited = bound.stream().mapToLong(OperatorRow::waited).sum();
        if (!Notable.is(waited, NOTABLE, result.span())) {
            return;
        }
        List<String> names = bound.stream()
                .limit(FEW)
                .map(row -> Words.name(row.name()) + " (" + Words.time(row.waited()) + ")")
                .toList();
        findings.add(new Finding(
                        Severity.NOTICE,
                        "launch_bound",
                        "Streams are idle for " + Words.time(waited) + " (" + Words.share(waited, result.span())
                                + ", each counted alone) between an operator's start and its work. "
                                + Words.count(bound.size(), "operator type takes", "operator types take")
                                + " longer to launch than to run: " + String.join(", ", names) + ".",
                        "launches_by_operator: launch bound, streams idle us")
                .on(
                        new Evidence.Rows(
                                "launches_by_operator",
                                bound.stream().map(result.operators()::indexOf).toList()),
                        new Evidence.Events(bound.getFirst().name())));
    }

    /** A queue that gets longer than its limit and the calls that wait for room takes more than was thought: AMD's do. */
    private static void full(LaunchDelays.Result result, List<Finding> findings) {
        QueueRow most = result.queues().stream()
                .max(Comparator.comparingLong(QueueRow::full))
                .orElseThrow();
        boolean takesMore = most.longest() > result.queueLimit() + MOST_WAITING;
        if (takesMore || !Notable.is(most.full(), NOTABLE, result.span())) {
            return;
        }
        findings.add(new Finding(
                Severity.INFO,
                "queue_full",
                "The launch queue of stream " + most.stream().stream() + " is full for "
                        + Words.time(most.full()) + " (" + Words.share(most.full(), most.span()) + "): "
                        + Words.count(result.queueLimit())
                        + " launches or more have not begun. CPU calls then wait for room, which is no work.",
                "launch_queues: full us"));
    }

    private static void outliers(Row all, List<Finding> findings) {
        if (all.outliers() == 0) {
            return;
        }
        findings.add(new Finding(
                        Severity.INFO,
                        "launch_outliers",
                        Words.count(all.outliers()) + " of "
                                + Words.count(all.latencies().count(), "launch", "launches")
                                + " into an idle stream started late, the worst after "
                                + Words.time(all.latencies().max())
                                + ". Late is over 100 µs and ten times the typical "
                                + Words.time(Math.round(all.latencies().median()))
                                + ". Waits for other streams are included.",
                        "launches_by_step: outliers")
                .on(Evidence.Rows.first("launches_by_step", 1)));
    }
}
