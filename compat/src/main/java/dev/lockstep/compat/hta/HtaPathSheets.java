// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The critical path as sheets and in words. */
final class HtaPathSheets {
    static final String SUMMARY = "hta_critical_path_summary";
    static final String PATH = "hta_critical_path";
    private static final String UNKNOWN =
            "The trace has no cuda_sync events, so why the host waited is unknown to this path: record with "
                    + "torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True).";
    private static final double NS_PER_MS = 1e6;

    private static final Schema SUMMARY_SCHEMA = Schema.of(
            ColumnSpec.text(
                    "bound_by",
                    "cpu_bound, data_loading, gpu_compute_bound, gpu_communication_bound, gpu_kernel_kernel_overhead or gpu_kernel_launch_overhead."),
            ColumnSpec.micros("duration(us)", "Time of the path that is so bound."),
            ColumnSpec.percent("percentage", "Share of the path."),
            ColumnSpec.text("window", "What the path is of: an annotation, or all."),
            ColumnSpec.text("note", "What the trace cannot say; missing where it says all."));

    private static final Schema PATH_SCHEMA = Schema.of(
            ColumnSpec.id("event", "Place of the event among all events of the file, from 0."),
            ColumnSpec.text("type", "Kind of the edge."),
            ColumnSpec.micros("duration(us)", "Time that it takes."),
            ColumnSpec.text("name", "Name of the event."),
            ColumnSpec.text("category", "Category of the event in the file; may be missing."),
            ColumnSpec.text("pid", "Process of the event."),
            ColumnSpec.text("tid", "Thread of the event."),
            ColumnSpec.id("stream", "Stream of the event; -1 on the host."),
            ColumnSpec.text("bound_by", "As in the summary."));

    private HtaPathSheets() {}

    /** @param path null for none */
    static List<Table> of(HtaEvents events, @Nullable HtaPath path) {
        TableBuilder summary = new TableBuilder(SUMMARY, "Critical path by what bounds it", SUMMARY_SCHEMA);
        TableBuilder edges = new TableBuilder(PATH, "Critical path", PATH_SCHEMA);
        if (path != null) {
            Map<String, Long> sums = sums(path);
            long all = length(path);
            sums.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .forEach(sum -> summary.row(
                            sum.getKey(),
                            sum.getValue(),
                            all == 0 ? null : (Object) (100.0 * sum.getValue() / all),
                            path.window(),
                            path.knowsWaits() ? null : UNKNOWN));
            for (int edge : path.edges()) {
                row(events, path, edge, edges);
            }
        }
        return List.of(summary.build(), edges.build());
    }

    private static void row(HtaEvents events, HtaPath path, int edge, TableBuilder edges) {
        Trace trace = events.trace();
        Slices slices = trace.slices();
        int owner = path.graph().owner(edge);
        Track track = trace.tracks().get(slices.track(owner));
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        edges.row(
                slices.index(owner),
                path.graph().kind(edge).label(),
                path.graph().weight(edge),
                trace.name(owner),
                trace.strings().orNull(slices.category(owner)),
                track.process(),
                track.thread(),
                events.isDevice(owner) && details != null ? details.stream(details.of(owner)) : -1,
                path.boundBy(edge));
    }

    private static Map<String, Long> sums(HtaPath path) {
        Map<String, Long> sums = new TreeMap<>();
        for (int edge : path.edges()) {
            if (path.graph().weight(edge) > 0) {
                sums.merge(path.boundBy(edge), path.graph().weight(edge), Long::sum);
            }
        }
        return sums;
    }

    private static long length(HtaPath path) {
        long all = 0;
        for (int edge : path.edges()) {
            all += path.graph().weight(edge);
        }
        return all;
    }

    /** What to say. */
    static List<String> said(HtaPath path) {
        List<String> said = new ArrayList<>();
        long all = length(path);
        StringBuilder parts = new StringBuilder();
        sums(path).entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(sum -> parts.append(parts.isEmpty() ? "" : ", ")
                        .append(String.format(Locale.ROOT, "%s %.1f %%", sum.getKey(), 100.0 * sum.getValue() / all)));
        said.add(String.format(
                Locale.ROOT, "HTA's critical path of %s: %.3f ms; %s.", path.window(), all / NS_PER_MS, parts));
        if (!path.knowsWaits()) {
            said.add(UNKNOWN);
        }
        return said;
    }
}
