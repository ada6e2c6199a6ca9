// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.report;

import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.simulate.BusyTimeline;
import dev.lockstep.goal.simulate.BusyTimeline.Part;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What stands out in a schedule. */
record ScheduleFacts(ScheduleCounts counts, SimulatedTimes times, BusyTimeline timeline, List<RecordedSpan> recorded) {
    private static final double UNEVEN = 1.2;
    private static final double MUCH_IDLE = 0.3;

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (times.stuck() > 0) {
            findings.add(new Finding(
                    Severity.PROBLEM,
                    "schedule_stuck",
                    String.format(
                            Locale.ROOT,
                            "%,d operations never end: the schedule is a deadlock. Times are those reached until then."
                                    + " lockstep goal verify says why.",
                            times.stuck()),
                    "simulation"));
        }
        recorded(findings);
        idle(findings);
        uneven(findings);
        pairs(findings);
        return findings;
    }

    private void idle(List<Finding> findings) {
        int ranks = times.finishNs().length;
        double idle = 0;
        for (int rank = 0; rank < ranks; rank++) {
            idle += times.idleNs(rank);
        }
        double share = ranks == 0 || times.makespanNs() == 0 ? 0 : idle / ranks / times.makespanNs();
        findings.add(new Finding(
                share > MUCH_IDLE ? Severity.NOTICE : Severity.INFO,
                "schedule_idle",
                String.format(
                        Locale.ROOT,
                        counts.messages() == 0
                                ? "Ranks have nothing to do %.1f %% of the makespan of %s on average. There are no messages."
                                : "Ranks wait for messages %.1f %% of the makespan of %s on average. A faster network"
                                        + " saves at most that.",
                        100 * share,
                        Words.time(times.makespanNs())),
                "schedule_ranks, idle"));
    }

    private void recorded(List<Finding> findings) {
        long begin = recorded.stream().mapToLong(RecordedSpan::beginNs).max().orElse(0);
        long end = recorded.stream().mapToLong(RecordedSpan::endNs).max().orElse(0);
        if (end > 0 && times.stuck() == 0) {
            findings.add(new Finding(
                    Severity.INFO,
                    "schedule_recorded",
                    String.format(
                            Locale.ROOT,
                            "In the trace the last rank ended after %s. The simulation takes %.3f times as long.%s",
                            Words.time(end),
                            (double) times.makespanNs() / end,
                            begin == 0 ? "" : " Ranks begin up to " + Words.time(begin) + " apart, as recorded."),
                    "schedule_ranks, recorded finish"));
        }
    }

    /** How long a rank calculates from its beginning on. */
    private long calculating(int rank) {
        return timeline.total(rank, Part.CALCULATION)
                - (recorded.isEmpty() ? 0 : recorded.get(rank).beginNs());
    }

    private void uneven(List<Finding> findings) {
        int ranks = times.finishNs().length;
        double sum = 0;
        int most = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += calculating(rank);
            most = calculating(rank) > calculating(most) ? rank : most;
        }
        if (ranks > 1 && sum > 0 && calculating(most) > UNEVEN * sum / ranks) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "schedule_uneven",
                    String.format(
                            Locale.ROOT,
                            "Rank %d calculates longest: %s, %.2f times the mean of all ranks.",
                            most,
                            Words.time(calculating(most)),
                            (double) calculating(most) * ranks / sum),
                    "schedule_ranks, calculating"));
        }
    }

    private void pairs(List<Finding> findings) {
        if (counts.bytes() == 0) {
            if (counts.messages() > 0) {
                findings.add(new Finding(
                        Severity.NOTICE,
                        "schedule_local",
                        "All messages are empty, as where all ranks share a node. Transfers are calculations, so network"
                                + " bandwidth changes nothing.",
                        ScheduleSheets.PAIRS));
            }
            return;
        }
        OfPair most = counts.pairs().stream()
                .max(Comparator.comparingLong(OfPair::bytes)
                        .thenComparing(Comparator.comparingInt(OfPair::from).reversed())
                        .thenComparing(Comparator.comparingInt(OfPair::to).reversed()))
                .orElseThrow();
        findings.add(new Finding(
                Severity.INFO,
                "schedule_pair",
                String.format(
                        Locale.ROOT,
                        "Most data goes from rank %d to rank %d: %s in %,d messages (%.1f %% of all data).",
                        most.from(),
                        most.to(),
                        ScheduleCharts.data(most.bytes()),
                        most.messages(),
                        100.0 * most.bytes() / counts.bytes()),
                ScheduleSheets.PAIRS));
    }
}
