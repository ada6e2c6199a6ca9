// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.HostThreads;
import dev.lockstep.analyze.work.HostAnnotations;
import dev.lockstep.analyze.work.HostFrames;
import dev.lockstep.analyze.work.HostOperators;
import dev.lockstep.analyze.work.HostSummary;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is said of a trace in which no device did anything. */
final class HostFindings {
    private static final double MUCH = 0.10;

    /** The results that headlines are about. */
    record Results(
            HostSummary.Result summary,
            HostOperators.Result operators,
            HostThreads.Result threads,
            HostFrames.Result frames,
            HostAnnotations.Result annotations) {}

    private final List<Finding> findings = new ArrayList<>();

    private HostFindings() {}

    static List<Finding> of(Results results) {
        HostFindings f = new HostFindings();
        f.threads(results.threads, results.summary.rows().isEmpty() ? "Slices" : "Operators and calls");
        f.summary(results.summary);
        f.shapes(results.operators);
        f.frames(results.frames);
        f.annotations(results.annotations);
        return f.findings;
    }

    private void threads(HostThreads.Result threads, String what) {
        if (threads.rows().isEmpty()) {
            return;
        }
        HostThreads.Row busiest = threads.rows().getFirst();
        long working = busiest.working().total();
        if (working == 0) {
            return;
        }
        long active = threads.rows().stream().filter(r -> r.operators() > 0).count();
        String others = active > 1
                ? " It is the busiest of " + Words.count(active) + " threads with any."
                : threads.rows().size() > 1
                        ? " It is the only one of " + Words.count(threads.rows().size()) + " threads with any."
                        : "";
        add(
                "host_threads",
                what + " take " + Words.share(working, threads.span()) + " of the " + Words.time(threads.span())
                        + " on " + Words.name(busiest.label()) + "." + others,
                "host_threads: working ms");
    }

    private void summary(HostSummary.Result summary) {
        if (summary.rows().isEmpty()) {
            return;
        }
        long all = summary.rows().stream().mapToLong(HostSummary.Row::self).sum();
        HostSummary.Row top = summary.rows().getFirst();
        add(
                "top_host_operator",
                Words.name(top.name()) + " takes " + Words.share(top.self(), all)
                        + " of CPU operator and call time (" + Words.time(top.self()) + " in "
                        + Words.count(top.count(), "call", "calls") + ").",
                "host_summary: self time ms");
    }

    /** Where the shapes of one operator take a large part, and it was called with others, too. */
    private void shapes(HostOperators.Result operators) {
        if (!operators.shapes()) {
            return;
        }
        long all = operators.rows().stream().mapToLong(HostOperators.Row::self).sum();
        Map<Shaped, Long> times = new LinkedHashMap<>(); // rows alone separate types
        operators.rows().forEach(r -> times.merge(new Shaped(r.name(), r.dims()), r.self(), Long::sum));
        Map.Entry<Shaped, Long> most = Collections.max(times.entrySet(), Map.Entry.comparingByValue());
        Shaped top = most.getKey();
        long variants = times.keySet().stream()
                .filter(each -> each.name.equals(top.name))
                .count();
        if (top.dims != null && variants > 1 && most.getValue() >= all * MUCH) {
            add(
                    "top_host_shapes",
                    top.name + " with " + Words.name(top.dims) + " takes " + Words.share(most.getValue(), all)
                            + " of CPU operator time. It is called with " + Words.count(variants) + " sets of shapes.",
                    "host_ops_unique_args: self time ms");
        }
    }

    private record Shaped(String name, @Nullable String dims) {}

    private void frames(HostFrames.Result frames) {
        if (!frames.rows().isEmpty()) {
            long all = frames.rows().stream().mapToLong(HostFrames.Row::self).sum();
            HostFrames.Row top = frames.rows().getFirst();
            add(
                    "top_frame",
                    "Of Python's own time, " + Words.name(top.name()) + " takes " + Words.share(top.self(), all) + " ("
                            + Words.time(top.self()) + " in " + Words.count(top.count(), "call", "calls") + ").",
                    "host_frames: self time ms");
        }
    }

    private void annotations(HostAnnotations.Result annotations) {
        if (!annotations.rows().isEmpty()) {
            HostAnnotations.Row top = annotations.rows().getFirst();
            add(
                    "top_annotation",
                    "The " + (annotations.annotations() ? "annotation" : "range")
                            + " with the most own time is " + Words.name(top.name()) + ": "
                            + Words.time(top.self()) + " in " + Words.count(top.count(), "range", "ranges") + "."
                            + (top.self() == top.total() ? "" : " In all they last " + Words.time(top.total()) + "."),
                    "host_annotations: self time ms");
        }
    }

    private void add(String code, String text, String basis) {
        findings.add(new Finding(Severity.INFO, code, text, basis));
    }
}
