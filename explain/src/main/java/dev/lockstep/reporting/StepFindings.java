// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.time.StepParts;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.analyze.time.StepParts.Row;
import dev.lockstep.analyze.trust.PassedOver;
import dev.lockstep.analyze.work.CopySummary;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.Trace;
import dev.lockstep.path.Dependencies;
import dev.lockstep.path.Opportunity;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is said about steps: on what they spend most beside computing, what to try, and what that can gain. */
final class StepFindings {
    private static final double NOTABLE = 0.05;

    /** A part of which the graph of dependencies gives back less than this share holds nothing up, and is no advice. */
    private static final double LITTLE = 0.1;

    private StepFindings() {}

    /**
     * @param account of idle time, which the steps' parts come from
     * @param dependencies what mending classes of time would gain, where that is known
     * @param copies where the copies lead, and from which memory
     */
    static List<Finding> of(
            Trace trace,
            StepParts.Result steps,
            IdleAccount account,
            Dependencies.Result dependencies,
            CopySummary.Result copies) {
        if (steps.rows().isEmpty()) {
            return List.of();
        }
        Row all = steps.rows().getFirst();
        boolean replayed = dependencies.notApplicable() == null;
        Part most = null;
        for (Part part : Part.values()) {
            Opportunity known = known(part, dependencies.opportunities());
            boolean gains = !replayed || known != null && known.gain() >= all.of(part) * LITTLE;
            if (part != Part.KERNEL && gains && (most == null || all.of(part) > all.of(most))) {
                most = part;
            }
        }
        double share = most == null || all.total() == 0 ? 0 : (double) all.of(most) / all.total();
        if (most == null || share < NOTABLE || most == Part.OTHER && isOfNoHost(account)) {
            return List.of();
        }
        Opportunity known = known(most, dependencies.opportunities());
        return List.of(new Finding(
                        Severity.NOTICE,
                        "step_advice",
                        String.format(
                                Locale.ROOT,
                                "After compute, %s take the most %s%s: %s (%s).%s%s%s%s",
                                what(most),
                                steps.rows().size() > 1 ? "step time" : "trace time",
                                most.isIdle() && most != Part.QUEUED ? " while the device is idle" : "",
                                Words.time(all.of(most)),
                                Words.share(all.of(most), all.total()),
                                known == null ? " No more can be saved there." : "",
                                inWhat(most, account),
                                advice(most, trace, copies),
                                known == null ? "" : gain(known)),
                        "step_parts: " + most.word() + " ms")
                .on(
                        Evidence.Rows.first("step_parts", 1),
                        steps.places("step_parts").getFirst()));
    }

    private static boolean isOfNoHost(IdleAccount account) {
        return account.sums().stream().allMatch(sum -> sum.cause() == IdleCause.NO_HOST);
    }

    private static String what(Part part) {
        return switch (part) {
            case KERNEL -> "kernels";
            case MEMCPY -> "copies";
            case MEMSET -> "memory fills";
            case COMMUNICATION -> "exposed collectives";
            case QUEUED -> "delays after launch";
            case LAUNCHING -> "launch calls";
            case BLOCKING -> "blocking calls";
            case RUNTIME -> "other runtime calls";
            case DATA_LOADER -> "waits for data";
            case HOST -> "CPU operators";
            case PYTHON -> "Python frames";
            case OS_CALLS -> "operating system calls";
            case RANGES -> "annotated CPU ranges";
            case OTHER -> "unrecorded CPU activities";
        };
    }

    /** The name under which most idle time of a part was recorded, where one has more than half of it. */
    private static String inWhat(Part part, IdleAccount account) {
        if (!part.isIdle() || part == Part.QUEUED) {
            return "";
        }
        Map<String, Long> names = new TreeMap<>();
        long all = 0;
        for (IdleAccount.Row row : account.rows()) {
            if (Part.of(row.cause()) == part) {
                all += row.time();
                if (row.name() != null) {
                    names.merge(row.name(), row.time(), Long::sum);
                }
            }
        }
        for (Map.Entry<String, Long> name : names.entrySet()) {
            if (name.getValue() * 2 > all) {
                return " Most of it is in " + Words.name(name.getKey()) + ".";
            }
        }
        return "";
    }

    private static String advice(Part part, Trace trace, CopySummary.Result copies) {
        return switch (part) {
            case KERNEL, QUEUED, OS_CALLS -> "";
            case MEMCPY -> CopyFindings.advice(trace, copies);
            case MEMSET -> " Buffers that are overwritten anyway need no fill.";
            case COMMUNICATION -> " Smaller or later buckets and independent work overlap collectives.";
            case LAUNCHING ->
                " Captured graphs and fused kernels need fewer launches. The first launch of a kernel loads its code.";
            case BLOCKING -> " Remove calls that wait, or make them later.";
            case RUNTIME -> " Move allocation, setup and code loading before the measured part.";
            case DATA_LOADER ->
                RecordingTool.isTorchProgram(trace)
                        ? " More DataLoader workers, prefetching and pinned memory load ahead."
                        : " Load data in other threads, ahead of the step that needs it.";
            case HOST -> " Larger batches, compilation and captured graphs leave the CPU less to do.";
            case PYTHON, RANGES -> " Table idle_causes names the code.";
            case OTHER -> {
                String unread = PassedOver.unread(PassedOver.ofHost(trace));
                yield unread.isEmpty()
                        ? " The trace does not say what the CPU did then." + HostHints.more(trace)
                        : " What the CPU did then may be in what was not read: " + unread + ".";
            }
        };
    }

    private static @Nullable Opportunity known(Part part, List<Opportunity> opportunities) {
        String subject = switch (part) {
            case MEMCPY, MEMSET -> "copy";
            case COMMUNICATION -> "communication";
            case QUEUED, LAUNCHING, BLOCKING, RUNTIME, DATA_LOADER, HOST, PYTHON, OS_CALLS, RANGES, OTHER -> "host";
            case KERNEL -> "";
        };
        return opportunities.stream()
                .filter(one -> one.subject().equals(subject) && one.whole() > 0)
                .findFirst()
                .orElse(null);
    }

    private static String gain(Opportunity known) {
        String subject = known.subject();
        return String.format(
                Locale.ROOT,
                " With %s the trace would be %s (%s) shorter.",
                subject.equals("copy")
                        ? "infinitely fast copies"
                        : subject.equals("host") ? "an infinitely fast CPU" : "infinitely fast " + subject,
                Words.time(known.gain()),
                Words.share(known.gain(), known.whole()));
    }
}
