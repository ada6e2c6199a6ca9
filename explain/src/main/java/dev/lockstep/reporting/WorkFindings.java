// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.work.PerfSummary;
import dev.lockstep.analyze.work.WorkCoverage;
import dev.lockstep.analyze.work.WorkCoverage.Part;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.Roofline;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the work of operators says about the device time: how much of it is explained, and how much could be won. */
final class WorkFindings {
    private static final double WORTH_NAMING = 0.005;
    private static final double MUCH = 0.10;
    private static final double TOO_GOOD = 110;
    private static final int EXAMPLES = 3;
    private static final int MOST_ROWS = 100;

    private final List<Finding> findings = new ArrayList<>();

    private final Slices slices;

    private WorkFindings(Trace trace) {
        this.slices = trace.slices();
    }

    static List<Finding> of(
            Trace trace, PerfSummary.Result operators, WorkCoverage.Result coverage, @Nullable Device device) {
        WorkFindings f = new WorkFindings(trace);
        if (coverage.total() > 0) {
            f.coverage(coverage, RecordingTool.of(trace).isTorch());
        }
        if (device != null) {
            f.roofline(operators, device, coverage.total());
        }
        return f.findings;
    }

    private void coverage(WorkCoverage.Result coverage, boolean torch) {
        long total = coverage.total();
        String modelled = coverage.time(Part.MODELLED) == 0 ? "none" : Words.share(coverage.time(Part.MODELLED), total);
        StringBuilder text = new StringBuilder("FLOPs and bytes are known for " + modelled + " of the device time");
        String families = coverage.byFamily().stream()
                .filter(r -> r.part() == Part.MODELLED && r.time() > 0)
                .limit(EXAMPLES)
                .map(r -> r.family() + " " + Words.share(r.time(), total))
                .collect(Collectors.joining(", "));
        text.append(families.isEmpty() ? "." : " (" + families + ").");
        text.append(clause(
                        coverage,
                        Part.NO_SHAPES,
                        "lacks operator shapes" + (torch ? ": record with record_shapes=True" : "")))
                .append(clause(
                        coverage,
                        Part.INCOMPLETE,
                        "lacks a part that models need. " + largest(coverage, Part.INCOMPLETE)))
                .append(clause(coverage, Part.COMMUNICATION, "is communication, which has no work to model"))
                .append(clause(coverage, Part.COPY, "is copies and fills by the driver"))
                .append(clause(coverage, Part.NO_LAUNCH, "has no launch in the trace that names its operator"))
                .append(clause(
                        coverage,
                        Part.NO_OPERATOR,
                        "was launched outside of operators (" + largest(coverage, Part.NO_OPERATOR) + ")"));
        String missing = largest(coverage, Part.NOT_MODELLED);
        text.append(missing.isEmpty() ? "" : " The largest without a model: " + missing + ".");
        add(Severity.INFO, "work_coverage", text.toString(), "work_coverage, work_not_modelled");
    }

    /** The sentence about a part that is worth it, with a blank before it: its share of the device time and these words. */
    private static String clause(WorkCoverage.Result coverage, Part part, String words) {
        long time = coverage.time(part);
        return time == 0 || time < coverage.total() * MUCH
                ? ""
                : " " + Words.share(time, coverage.total()) + " " + words + ".";
    }

    private static String largest(WorkCoverage.Result coverage, Part part) {
        boolean reasons = part == Part.INCOMPLETE;
        return coverage.notModelled().stream()
                .filter(r -> r.time() > 0 && r.time() >= coverage.total() * WORTH_NAMING && r.part() == part)
                .limit(EXAMPLES)
                .map(r -> reasons
                        ? Words.share(r.time(), coverage.total()) + " is " + Words.name(r.family()) + ": " + r.missing()
                        : Words.name(r.family()) + " " + Words.share(r.time(), coverage.total()))
                .collect(Collectors.joining(reasons ? ". " : ", "));
    }

    private void roofline(PerfSummary.Result operators, Device device, long total) {
        List<PerfSummary.Row> rows = operators.rows().stream()
                .filter(r -> r.figures().roofline() != null && r.time() > 0 && runsKernels(r))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        long taken = rows.stream().mapToLong(PerfSummary.Row::time).sum();
        double lost = rows.stream().mapToDouble(WorkFindings::lostNs).sum();
        List<List<PerfSummary.Row>> most = rows.stream()
                .collect(Collectors.groupingBy(WorkFindings::named, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingDouble((List<PerfSummary.Row> alike) ->
                                alike.stream().mapToDouble(WorkFindings::lostNs).sum())
                        .reversed())
                .limit(EXAMPLES)
                .toList();
        String examples = most.stream()
                .map(alike -> {
                    long time = alike.stream().mapToLong(PerfSummary.Row::time).sum();
                    return String.format(
                            Locale.ROOT,
                            "%s (%s at %.0f %%)",
                            named(alike.getFirst()),
                            Words.time(time),
                            100
                                    * alike.stream()
                                            .mapToDouble(WorkFindings::leastNs)
                                            .sum()
                                    / time);
                })
                .collect(Collectors.joining(", "));
        add(
                lost >= total * MUCH ? Severity.NOTICE : Severity.INFO,
                "below_roofline",
                String.format(
                        Locale.ROOT,
                        "Modelled operators reach %.0f %% of the %s roofline. Reaching it would save up to %s of %s."
                                + " Largest: %s.",
                        100 * (taken - lost) / taken,
                        device.name(),
                        Words.time(Math.round(lost)),
                        Words.time(taken),
                        examples),
                "unified_perf_summary: Pct Roofline_mean, Kernel Time (µs)_sum; peaks: " + device.source(),
                new Evidence.Rows(
                        "unified_perf_summary",
                        most.stream()
                                .flatMap(alike -> alike.stream().limit(MOST_ROWS))
                                .map(operators.rows()::indexOf)
                                .toList()),
                new Evidence.Events(most.getFirst().getFirst().signature().name()));
        long above = rows.stream()
                .filter(r -> r.figures().percentOfRoofline().mean() > TOO_GOOD)
                .count();
        if (above > 0) {
            add(
                    Severity.INFO,
                    "above_roofline",
                    Words.count(above, "row is", "rows are") + " faster than the " + device.name()
                            + " roofline. Caches serve counted bytes, the device is another, or the model counts too"
                            + " much.",
                    "unified_perf_summary: Pct Roofline_mean");
        }
    }

    /** Copies are bound by the link to the host or to another device, which no roof shows. */
    private boolean runsKernels(PerfSummary.Row row) {
        for (int i = 0; i < row.activities().size(); i++) {
            if (slices.kind(row.activities().get(i)) == SliceKind.KERNEL) {
                return true;
            }
        }
        return false;
    }

    /** The shapes of the first two inputs, which tell calls of an operator apart. */
    private static String dims(String all) {
        int end = -1;
        for (int inputs = 0; inputs < 2; inputs++) {
            int next = all.indexOf("], [", end + 1);
            if (next < 0) {
                return Words.name(all);
            }
            end = next;
        }
        return Words.name(all.substring(0, end + 1)) + ", …]";
    }

    /** What an operator is called in words: without what tells rows apart beside its name and shapes. */
    private static String named(PerfSummary.Row row) {
        String dims = row.signature().inputDims();
        return row.signature().name() + " " + (dims == null ? "" : dims(dims));
    }

    /** The least time for all operators of a row. */
    private static double leastNs(PerfSummary.Row row) {
        Roofline roofline = row.figures().roofline();
        return roofline == null
                ? 0
                : roofline.timeNs() * row.figures().percentOfRoofline().count();
    }

    private static double lostNs(PerfSummary.Row row) {
        return Math.max(0, row.time() - leastNs(row));
    }

    private void add(Severity severity, String code, String text, String basis, Evidence... proof) {
        findings.add(new Finding(severity, code, text, basis).on(proof));
    }
}
