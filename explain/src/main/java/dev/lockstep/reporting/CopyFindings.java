// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.work.CopySummary;
import dev.lockstep.analyze.work.CopySummary.Row;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** What is said about copies: those from and to pageable memory, which are slow and keep the host. */
final class CopyFindings {
    private static final double MUCH = 0.10;
    private static final double NOTABLE = 0.01;
    private static final double GIGA = 1e9;

    /** Copies of fewer bytes in the mean take as long as it takes to begin one, whatever the link could carry. */
    private static final long LARGE = 1 << 20;

    /** Reads one value for the host, which needs it at once: no kind of memory lets it go on meanwhile. */
    private static final String ITEM = "aten::_local_scalar_dense";

    private CopyFindings() {}

    /**
     * Calls that wait while the device has other work cost nothing; those that wait while it has none may.
     *
     * @param trace which says whether the program is one of PyTorch
     * @param span of device activity, in ns
     */
    static List<Finding> of(Trace trace, CopySummary.Result copies, long span) {
        List<Row> pageable = copies.rows().stream()
                .filter(row -> row.key().way().isPageable() && row.key().way().isOverLink())
                .toList();
        List<Row> slow = pageable.stream()
                .filter(row -> !row.key().operator().equals(ITEM))
                .toList();
        long time = sum(slow, Row::exposedNs) + sum(slow, row -> row.calls().idleNs());
        if (!Notable.is(time, NOTABLE, span)) {
            return List.of();
        }
        Row most = slow.getFirst();
        double peak = copies.peak(most.key().way());
        boolean large = most.timed() >= LARGE * most.copies();
        String bandwidth = !large || Double.isNaN(most.bandwidth())
                ? ""
                : String.format(
                        Locale.ROOT,
                        " at %.3g%s GB/s",
                        most.bandwidth() / GIGA,
                        Double.isNaN(peak) ? "" : String.format(Locale.ROOT, " of %.3g", peak / GIGA));
        return List.of(new Finding(
                        time < span * MUCH ? Severity.NOTICE : Severity.PROBLEM,
                        "pageable_copies",
                        "Copies from and to pageable CPU memory"
                                + (slow.size() < pageable.size() ? " (without .item() reads)" : "")
                                + " run " + Words.time(sum(slow, Row::exposedNs))
                                + " while the device computes nothing. Their calls block the CPU for "
                                + Words.time(sum(slow, row -> row.calls().ns())) + ", "
                                + Words.time(sum(slow, row -> row.calls().idleNs()))
                                + " of it with the device idle. The longest come from "
                                + Words.name(most.key().operator())
                                + bandwidth
                                + (large ? ". Pinned memory makes them faster, and with" : ". With pinned memory and")
                                + (RecordingTool.isTorchProgram(trace) ? " non_blocking=True" : " asynchronous calls")
                                + " the CPU waits only where it needs the data.",
                        "copies: exposed ms, call ms, idle call ms")
                .on(new Evidence.Rows(
                        "copies", slow.stream().map(copies.rows()::indexOf).toList())));
    }

    /**
     * What to try where copies hold computation up, as a sentence with a blank before it: only what the recorded memory of the host does
     * not show to be done already.
     */
    static String advice(Trace trace, CopySummary.Result copies) {
        long pageable = exposed(copies, row -> row.key().way().isPageable());
        long pinned = exposed(copies, row -> "pinned".equals(row.key().way().hostMemory()));
        long device = exposed(copies, row -> row.key().way().staysOnDevices());
        long unknown = exposed(copies, row -> row.key().way().isOverLink()) - pageable - pinned;
        if (pageable + pinned + device + unknown == 0) {
            return ""; // their names do not tell where they lead
        }
        if (pinned >= Math.max(pageable + unknown, device)) {
            return " Their memory is already pinned: move them to a stream of their own, or copy less.";
        }
        if (device > pageable + unknown) {
            return " They stay on devices: work in place, or keep the layout, to avoid them.";
        }
        return RecordingTool.isTorchProgram(trace)
                ? " Pinned memory and non_blocking copies let compute continue."
                : " Pinned memory and asynchronous copies let compute continue.";
    }

    private static long exposed(CopySummary.Result copies, Predicate<Row> which) {
        return sum(copies.rows().stream().filter(which).toList(), Row::exposedNs);
    }

    private static long sum(List<Row> rows, ToLongFunction<Row> of) {
        return rows.stream().mapToLong(of).sum();
    }
}
