// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RecordingTool;
import dev.lockstep.path.Dependencies;
import dev.lockstep.path.GapCause;
import dev.lockstep.path.Opportunity;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/** What is said about dependencies: what computation waited for, and what mending would gain. */
final class DependencyFindings {
    private static final double NOTABLE = 0.03;

    private DependencyFindings() {}

    /** @param exposedNs time in which only communication ran */
    static List<Finding> of(RecordingTool recorder, Dependencies.Result result, long exposedNs) {
        List<Finding> findings = new ArrayList<>();
        if (result.notApplicable() != null) {
            return findings;
        }
        blocked(result, exposedNs, findings);
        opportunity(result, findings);
        unknownWaits(recorder, result, findings);
        graphs(result, findings);
        return findings;
    }

    private static void graphs(Dependencies.Result result, List<Finding> findings) {
        if (result.graphLaunches() == 0 || result.knowsEdgesOfGraphs()) {
            return;
        }
        int several = result.graphLaunchesOnSeveralStreams();
        findings.add(new Finding(
                Severity.INFO,
                "graph_launches",
                Words.count(result.activitiesOfGraphs(), "activity", "activities") + " ran inside graphs, in "
                        + Words.count(result.graphLaunches(), "launch", "launches")
                        + ". Dependencies inside a graph are not recorded: only the order on each stream is known."
                        + (several == 0
                                ? ""
                                : " " + Words.count(several, "launch", "launches") + " used several streams."),
                "dependency_quality"));
    }

    private static void blocked(Dependencies.Result result, long exposedNs, List<Finding> findings) {
        long communication = result.heldByCommunication();
        long copies = result.heldByCopies();
        long span = result.length();
        long most = Math.max(Math.max(exposedNs, communication), copies);
        if (!Notable.is(most, NOTABLE, span)) {
            return;
        }
        List<String> parts = new ArrayList<>();
        if (exposedNs > 0 || communication > 0) {
            parts.add("Communication is exposed for " + Words.time(exposedNs) + holding(result, communication) + ".");
        }
        if (copies > 0) {
            parts.add("Copies block compute for " + Words.time(copies) + ".");
        }
        findings.add(new Finding(
                        Severity.NOTICE,
                        "computation_blocked",
                        String.join(" ", parts),
                        "compute_gaps: held by communication us, held by copies us")
                .on(result.gaps(GapCause.BLOCKED_BY_COMMUNICATION, GapCause.BLOCKED_BY_COPY)));
    }

    /** Where nothing is seen to wait for communication, but what computation waited for is not known either, none of both is said. */
    private static String holding(Dependencies.Result result, long communication) {
        if (communication > 0) {
            return " and blocks compute for " + Words.time(communication);
        }
        long unknown = result.unexplainedGaps();
        return unknown == 0
                ? " but blocks no compute"
                : ". No compute is seen to wait for it, but for " + Words.time(unknown)
                        + " the cause of its waiting is unknown";
    }

    private static void opportunity(Dependencies.Result result, List<Finding> findings) {
        if (result.opportunities().isEmpty()) {
            return;
        }
        Opportunity best = result.opportunities().getFirst();
        if (!Notable.is(best.gain(), NOTABLE, best.whole())) {
            return;
        }
        findings.add(new Finding(
                        Severity.NOTICE,
                        "opportunity",
                        "Largest opportunity: "
                                + (best.needsWork()
                                        ? "running " + subject(best) + " at full speed"
                                        : "removing " + subject(best))
                                + ". The trace would take " + Words.time(best.whole() - best.gain()) + " instead of "
                                + Words.time(best.whole()) + ", at best " + Words.share(best.gain(), best.whole())
                                + " less.",
                        "opportunities")
                .on(Evidence.Rows.first("opportunities", 1), result.places(best)));
    }

    private static String subject(Opportunity best) {
        return switch (best.subject()) {
            case "host" -> "CPU time";
            case "copy" -> "copies";
            case "communication", "launches" -> best.subject();
            default -> "the kernels of " + Words.name(best.subject());
        };
    }

    /** @param recorder of the traces, which may be able to record waits */
    static Finding unknownWaits(RecordingTool recorder) {
        return new Finding(
                Severity.INFO,
                "waits_not_recorded",
                "Cross-stream waits were not recorded and can only be inferred from times." + recorder.waits(),
                "dependency_quality");
    }

    private static void unknownWaits(RecordingTool recorder, Dependencies.Result result, List<Finding> findings) {
        if (result.knowsWaits() || result.streams() < 2) {
            return;
        }
        findings.add(unknownWaits(recorder));
    }
}
