// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.LaunchedWork;
import dev.lockstep.analyze.Observations;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.analyze.time.IdleCauses;
import dev.lockstep.analyze.time.IdleGaps;
import dev.lockstep.analyze.time.IdleGaps.Cause;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.work.KernelSummary;
import dev.lockstep.analyze.work.OpSummary;
import dev.lockstep.analyze.work.ShortKernels;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.derive.RepeatingSection;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The headlines of a report: what a colleague would say after looking at the numbers. */
final class ReportFindings {
    private static final double MUCH = 0.10;
    private static final double NOTABLE = 0.03;
    private static final double UNEVEN_STEPS = 1.15;
    private static final int MOST_ROWS = 100;
    /** The results that headlines are about. */
    record Results(
            DevicePlaces places,
            GpuTimeline.Result timeline,
            StepTimeline.Result steps,
            IdleGaps.Result gaps,
            IdleCauses.Result causes,
            OpSummary.Result operators,
            KernelSummary.Result kernels,
            ShortKernels.Result shorts) {}

    private final List<Finding> findings = new ArrayList<>();

    private ReportFindings() {}

    /** @param work what is said about the work of operators, to stand among the rest */
    static List<Finding> of(DerivedCache cache, Results results, List<Finding> work) {
        ReportFindings f = new ReportFindings();
        for (Entry e : cache.trace().diagnostics().problems()) {
            f.add(
                    Severity.PROBLEM,
                    "input_" + e.code(),
                    Words.count(e.count()) + " × " + e.code() + ": " + e.message() + ".",
                    "coverage");
        }
        GpuTimeline.Result timeline = results.timeline;
        if (!timeline.blocks().isEmpty() && timeline.total() > 0) {
            Parts parts = timeline.blocks().getFirst();
            f.idle(parts, results);
            f.findings.addAll(IdleFindings.of(cache.trace(), results.causes.account()));
            f.communication(parts, results);
            f.copies(parts, results);
        } else {
            f.noDevice(cache);
        }
        f.steps(results.steps);
        f.stepEvidence(cache, results.steps);
        f.operators(cache, results.operators);
        f.kernels(results.kernels);
        f.shortKernels(results.shorts);
        f.findings.addAll(work);
        f.findings.sort(Comparator.comparing(Finding::severity));
        return f.findings;
    }

    /** Only where nothing was launched and everything was read, the host alone was recorded. Else the trust of the report says what is missing. */
    private void noDevice(DerivedCache cache) {
        if (cache.trace().view(RangeCounters.KEY) != null) {
            return; // counters of kernels stand in their place, and are spoken of
        }
        if (!cache.get(new LaunchedWork.Key()).isMuchLost()) {
            long activities = cache.trace().counts().device();
            add(
                    Severity.INFO,
                    "no_device_activity",
                    activities == 0
                            ? "The trace has no device activity: only the CPU was recorded."
                            : Words.count(activities, "device activity takes", "device activities take")
                                    + " no time, so device time is unknown.",
                    TableNames.GPU_TIMELINE);
        }
    }

    private void idle(Parts parts, Results results) {
        IdleGaps.Result gaps = results.gaps;
        long idle = parts.idle();
        if (!Notable.is(idle, NOTABLE, parts.total())) {
            add(
                    Severity.INFO,
                    "busy",
                    "The device is busy " + Words.share(parts.busy(), parts.total()) + " of the time ("
                            + Words.time(parts.total()) + ").",
                    "gpu_timeline: busy_time",
                    results.places.row(GpuTimeline.BUSY),
                    results.places.idle());
            return;
        }
        Severity severity = idle >= parts.total() * MUCH ? Severity.PROBLEM : Severity.NOTICE;
        long hostLate = gaps.time(Cause.HOST_LATE, Long.MAX_VALUE);
        long shortGaps = gaps.time(null, IdleGaps.SHORT_NS);
        StringBuilder text = new StringBuilder("The device is idle ")
                .append(Words.share(idle, parts.total()))
                .append(" of the time (")
                .append(Words.time(idle))
                .append(" of ")
                .append(Words.time(parts.total()))
                .append(") in ")
                .append(Words.count(gaps.count(null, Long.MAX_VALUE), "gap", "gaps"))
                .append('.');
        if (shortGaps * 2 > idle) {
            text.append(" Most of it is in ")
                    .append(Words.count(gaps.count(null, IdleGaps.SHORT_NS), "gap", "gaps"))
                    .append(" under 20 µs.");
        }
        if (hostLate * 2 > idle) {
            text.append(' ')
                    .append(Words.share(hostLate, idle))
                    .append(" of it is launch-bound: the CPU had not yet launched the next work.");
        } else if (gaps.time(Cause.QUEUED, Long.MAX_VALUE) * 2 > idle) {
            text.append(" Most of it is a wait on the device: the next work was already launched.");
        }
        add(
                severity,
                "idle",
                text.toString(),
                "gpu_timeline: idle_time; idle_gaps",
                Evidence.Rows.first("idle_gaps", gaps.rows().size()),
                results.places.idle());
    }

    private void communication(Parts parts, Results results) {
        if (parts.communication() == 0) {
            return;
        }
        long hidden = parts.communication() - parts.exposedCommunication();
        Severity severity = parts.exposedCommunication() >= parts.total() * MUCH ? Severity.PROBLEM : Severity.INFO;
        add(
                severity,
                "exposed_communication",
                "Exposed communication takes " + Words.time(parts.exposedCommunication()) + " ("
                        + Words.share(parts.exposedCommunication(), parts.total()) + " of the time). Compute overlaps "
                        + Words.share(hidden, parts.communication()) + " of the "
                        + Words.time(parts.communication()) + " of communication.",
                "gpu_timeline: total_comm_time, exposed_comm_time",
                results.places.row(GpuTimeline.EXPOSED_COMMUNICATION),
                results.places.exposedCommunication());
    }

    private void copies(Parts parts, Results results) {
        if (Notable.is(parts.exposedMemory(), NOTABLE, parts.total())) {
            add(
                    Severity.NOTICE,
                    "exposed_copies",
                    "Exposed copies and fills take " + Words.time(parts.exposedMemory()) + " ("
                            + Words.share(parts.exposedMemory(), parts.total()) + " of the time).",
                    "gpu_timeline: exposed_memcpy_time",
                    results.places.row(GpuTimeline.EXPOSED_COPIES),
                    results.places.exposedCopies());
        }
    }

    private void steps(StepTimeline.Result steps) {
        if (steps.rows().size() < 3) {
            return;
        }
        List<StepTimeline.Row> sorted = new ArrayList<>(steps.rows());
        sorted.sort(Comparator.comparingLong(r -> r.step().end() - r.step().start()));
        StepTimeline.Row slowest = sorted.getLast();
        StepTimeline.Row middle = sorted.get(sorted.size() / 2);
        long slow = slowest.step().end() - slowest.step().start();
        long usual = middle.step().end() - middle.step().start();
        long quick = sorted.getFirst().step().end() - sorted.getFirst().step().start();
        String known = steps.source() == Steps.Source.INFERRED ? " (steps were inferred)" : "";
        // Batches of a serving engine differ by what is in them.
        boolean alike = steps.source() != Steps.Source.SERVING;
        if (alike && slow > usual * UNEVEN_STEPS) {
            add(
                    Severity.NOTICE,
                    "uneven_steps",
                    "Step " + slowest.step().number() + " takes " + Words.time(slow) + " on the CPU, the median step "
                            + Words.time(usual) + known + ".",
                    "gpu_timeline_by_step: host time ms",
                    new Evidence.Rows(
                            "gpu_timeline_by_step", List.of(steps.rows().indexOf(slowest))),
                    steps.places("gpu_timeline_by_step").get(steps.rows().indexOf(slowest)));
        } else {
            add(
                    Severity.INFO,
                    "even_steps",
                    "The median of " + Words.count(sorted.size()) + " steps takes " + Words.time(usual) + " on the CPU"
                            + known + "."
                            + (usual > quick * UNEVEN_STEPS ? " The shortest takes " + Words.time(quick) + "." : ""),
                    "gpu_timeline_by_step: host time ms",
                    Evidence.Rows.first("gpu_timeline_by_step", sorted.size()),
                    steps.places("gpu_timeline_by_step").get(steps.rows().indexOf(middle)));
        }
    }

    /** How steps are known where nothing marks them; what repeats without being one. */
    private void stepEvidence(DerivedCache cache, StepTimeline.Result steps) {
        String evidence = cache.get(new Steps.Key(null)).evidence();
        RepeatingSection section = cache.get(new RepeatingSection.Key());
        if (steps.source() == Steps.Source.INFERRED && evidence != null) {
            add(
                    Severity.INFO,
                    "steps_inferred",
                    "Steps are inferred, as nothing marks them: " + evidence + ".",
                    "gpu_timeline_by_step");
        } else if (steps.source() == Steps.Source.NONE && section.count() > 0) {
            add(
                    Severity.INFO,
                    "repeating_section",
                    "A " + Observations.words(section) + ". Nothing shows that it is a step. "
                            + RecordingTool.of(cache.trace()).steps(),
                    "coverage",
                    new Evidence.Events(Objects.requireNonNull(section.kernel())));
        }
    }

    private void operators(DerivedCache cache, OpSummary.Result operators) {
        if (operators.byName().isEmpty()) {
            return;
        }
        Set<String> names = operatorNames(cache.trace());
        if (names.isEmpty()) {
            add(
                    Severity.NOTICE,
                    "no_operators",
                    "CPU operators were not recorded. Device time is known by launch call and kernel only.",
                    "ops_summary, kernel_summary");
            return;
        }
        List<OpSummary.NameRow> rows = operators.byName();
        long total = rows.stream().mapToLong(OpSummary.NameRow::direct).sum();
        long outside = rows.stream()
                .filter(row -> !names.contains(row.name()))
                .mapToLong(OpSummary.NameRow::direct)
                .sum();
        OpSummary.NameRow top = rows.stream()
                .filter(row -> names.contains(row.name()))
                .findFirst()
                .orElse(rows.getFirst());
        String apart = outside < total * MUCH
                ? ""
                : " " + Words.share(outside, total) + " of it was launched outside of operators.";
        add(
                Severity.INFO,
                "top_operator",
                top.name() + " takes " + Words.share(top.direct(), total)
                        + " of the attributed device time (" + Words.time(top.direct()) + " in "
                        + Words.count(top.count(), "call", "calls") + ")." + apart,
                "ops_summary: total_direct_kernel_time_sum",
                new Evidence.Rows("ops_summary", List.of(rows.indexOf(top))),
                new Evidence.Events(top.name()));
    }

    private static Set<String> operatorNames(Trace trace) {
        Slices slices = trace.slices();
        BitSet ids = new BitSet();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.CPU_OP) {
                ids.set(slices.name(i));
            }
        }
        return ids.stream().mapToObj(trace.strings()::get).collect(Collectors.toSet());
    }

    private void kernels(KernelSummary.Result kernels) {
        if (kernels.rows().isEmpty()) {
            return;
        }
        Map<String, List<KernelSummary.Row>> byName = kernels.rows().stream()
                .collect(Collectors.groupingBy(KernelSummary.Row::kernel, LinkedHashMap::new, Collectors.toList()));
        List<KernelSummary.Row> top = Collections.max(
                byName.values(), Comparator.comparingLong(ReportFindings::time)); // the first of several
        long time = time(top);
        long count = top.stream().mapToLong(row -> row.durations().count()).sum();
        String name = top.getFirst().kernel();
        add(
                Severity.INFO,
                "top_kernel",
                "The top kernel is " + Words.name(name) + ": " + Words.share(time, kernels.kernelTime())
                        + " of the kernel time (" + Words.count(count, "launch", "launches") + " of "
                        + Words.time(Math.round((double) time / count)) + ").",
                "kernel_summary",
                new Evidence.Rows(
                        "kernel_summary",
                        IntStream.range(0, kernels.rows().size())
                                .filter(row -> kernels.rows().get(row).kernel().equals(name))
                                .limit(MOST_ROWS)
                                .boxed()
                                .toList()),
                new Evidence.Events(name));
    }

    private static long time(List<KernelSummary.Row> rows) {
        return rows.stream().mapToLong(row -> row.durations().sum()).sum();
    }

    private void shortKernels(ShortKernels.Result shorts) {
        long count =
                shorts.rows().stream().mapToLong(r -> r.durations().count()).sum();
        long time = shorts.rows().stream().mapToLong(r -> r.durations().sum()).sum();
        if (count > 0 && shorts.span() > 0) {
            Severity severity = time >= shorts.span() * MUCH ? Severity.NOTICE : Severity.INFO;
            add(
                    severity,
                    "short_kernels",
                    Words.count(count, "kernel is", "kernels are") + " shorter than "
                            + Words.time(shorts.thresholdNs()) + (count == 1 ? " and runs " : " and run ")
                            + Words.time(time) + (count == 1 ? " (" : " in total (")
                            + Words.share(time, shorts.span()) + " of the time).",
                    "short_kernels_summary",
                    Evidence.Rows.first("short_kernels_summary", shorts.rows().size()),
                    new Evidence.Events(shorts.rows().getFirst().kernel()));
        }
    }

    private void add(Severity severity, String code, String text, String basis, Evidence... evidence) {
        findings.add(new Finding(severity, code, text, basis).on(evidence));
    }
}
