// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.IterationTimeline;
import dev.lockstep.analyze.time.IterationTimeline.PhaseRow;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the iterations of a serving engine say: where their time goes, and what is lost between them. */
final class ServingFindings {
    private static final double MUCH = 0.10;
    private static final double NS_PER_S = 1e9;

    private ServingFindings() {}

    static List<Finding> of(IterationTimeline.Result iterations) {
        List<Finding> findings = new ArrayList<>();
        if (!iterations.rows().isEmpty()) {
            findings.add(phases(iterations));
            gaps(iterations, findings);
        }
        return findings;
    }

    private static Finding phases(IterationTimeline.Result iterations) {
        String parts = iterations.phases().stream()
                .map(phase -> phase(phase, iterations.period()))
                .collect(Collectors.joining(" "));
        return new Finding(Severity.INFO, "phases", parts, "iterations_by_phase");
    }

    private static String phase(PhaseRow phase, long all) {
        String name = phase.phase().name();
        String each = Words.time(phase.period() / phase.iterations());
        String text = name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT) + " takes "
                + Words.share(phase.period(), all) + " of the time: "
                + (phase.iterations() == 1
                        ? "1 iteration of " + each
                        : Words.count(phase.iterations()) + " iterations of " + each + " each");
        if (phase.tokens() == 0 || phase.period() == 0) {
            return text + ".";
        }
        long rate = Math.round(phase.tokens() * NS_PER_S / phase.period());
        text += ", " + Words.count(rate) + " tokens per second.";
        return switch (phase.phase()) {
            case PREFILL -> text + " The first token takes at least as long (TTFT ≥ " + each + ").";
            case DECODE -> {
                long requests = phase.requests() == 0 ? phase.tokens() : phase.requests();
                double ofRequest = (double) phase.tokens() / requests;
                yield text + " A request waits "
                        + Words.time(Math.round(phase.period() / ofRequest / phase.iterations()))
                        + " for each further token (TPOT), with "
                        + Words.count(Math.round((double) requests / phase.iterations()), "request", "requests")
                        + " at a time.";
            }
            default -> text;
        };
    }

    private static void gaps(IterationTimeline.Result iterations, List<Finding> findings) {
        long between = iterations.phases().stream().mapToLong(PhaseRow::gaps).sum();
        long inside = iterations.phases().stream()
                .mapToLong(phase -> phase.total() - phase.busy())
                .sum();
        long all = iterations.period();
        if (all == 0 || between + inside < all * MUCH) {
            return;
        }
        findings.add(new Finding(
                Severity.NOTICE,
                "iteration_gaps",
                "The device is idle for " + Words.share(between, all)
                        + " of iteration time before iterations begin, and for " + Words.share(inside, all)
                        + " inside them.",
                "iterations: gap before ms, idle ms"));
    }
}
