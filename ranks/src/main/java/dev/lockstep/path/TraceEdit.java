// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of slices, as durations of the graph of their rank. */
final class TraceEdit {
    private final RankGraph rank;
    private final Changes changes;
    private final @Nullable ChangedHost[] threads;

    TraceEdit(RankGraph rank, Slices slices, DependencyGraph graph, Changes changes) {
        this.rank = rank;
        this.changes = changes;
        threads = new ChangedHost[graph.tracks.size()];
        List<List<ChangedHost.Part>> parts = new ArrayList<>();
        IntList[] quiet = new IntList[threads.length];
        Arrays.setAll(quiet, track -> new IntList(4));
        for (int track = 0; track < threads.length; track++) {
            parts.add(new ArrayList<>());
        }
        for (int i = 0; i < changes.hosts.size(); i++) {
            int slice = changes.hosts.get(i);
            int track = rank.hostTrack(slices.track(slice));
            if (track >= 0) {
                parts.get(track).add(new ChangedHost.Part(slices.ts(slice), slices.end(slice), changes.parts.get(i)));
            }
        }
        for (int i = 0; i < changes.sparedOn.size(); i++) {
            int track = rank.hostTrack(slices.track(changes.sparedOn.get(i)));
            if (track >= 0) {
                parts.get(track)
                        .add(new ChangedHost.Part(
                                changes.sparedFrom.get(i), changes.sparedTo.get(i), changes.sparedParts.get(i)));
            }
        }
        changes.unwaiting.stream().forEach(slice -> {
            int track = rank.hostTrack(slices.track(slice));
            if (track >= 0) {
                quiet[track].add(slice);
            }
        });
        for (int track = 0; track < threads.length; track++) {
            if (!parts.get(track).isEmpty() || quiet[track].size() > 0) {
                threads[track] = new ChangedHost(slices, parts.get(track), quiet[track]);
            }
        }
    }

    void apply(DependencyGraph graph, long[] weights, long[] residuals) {
        for (int v = 0; v < graph.size(); v++) {
            ChangedHost thread = graph.track(v).onDevice() ? null : threads[graph.trackOf(v)];
            if (thread != null) {
                host(graph, weights, residuals, v, thread);
            }
        }
        LongIntMap activities = new LongIntMap(64);
        for (int a = 0; a < rank.activity.size(); a++) {
            activities.put(rank.activity.slice(a), a);
        }
        changes.lengths.forEach((slice, ns) -> {
            int a = activities.get(slice);
            if (a >= 0) {
                weights[graph.run(rank.endVertex(a))] = ns;
            }
        });
        changes.ahead.stream().map(activities::get).filter(a -> a >= 0).forEach(a -> {
            int start = rank.startVertex(a);
            forget(graph, weights, residuals, start, EdgeKind.LAUNCH);
        });
        changes.gone.stream()
                .map(activities::get)
                .filter(a -> a >= 0)
                .forEach(a -> vanish(graph, weights, residuals, a));
    }

    private static void host(DependencyGraph graph, long[] weights, long[] residuals, int v, ChangedHost thread) {
        int e = graph.edge(v, EdgeKind.THREAD);
        if (e >= 0) {
            long from = graph.time[graph.source[e]];
            long between = graph.time[v] - from;
            long off = thread.taken(from, graph.time[v]);
            if (off > 0) {
                // Of a call that waited only its own cost is the thread's, wherever it lies.
                weights[e] = weights[e] == between
                        ? Math.max(0, weights[e] - off)
                        : Math.round(weights[e] * (1 - (double) off / between));
            }
        }
        if (thread.isQuiet(graph.time[v])) {
            forget(graph, weights, residuals, v, EdgeKind.SYNC);
        }
    }

    /** Nothing of a kind holds a moment up any more; what else such edges did not explain goes with the last of them. */
    private static void forget(DependencyGraph graph, long[] weights, long[] residuals, int v, EdgeKind kind) {
        if (!hasOthers(graph, v, kind)) {
            return;
        }
        int binding = graph.binding(v);
        if (binding >= 0 && graph.kind[binding] == kind.ordinal()) {
            residuals[v] = 0;
        }
        for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
            if (graph.kind[e] == kind.ordinal()) {
                weights[e] = TransferEdit.LONG_AGO;
            }
        }
    }

    /** Whether a moment waits for anything but edges of a kind: else it came first, and stays where it is. */
    private static boolean hasOthers(DependencyGraph graph, int v, EdgeKind kind) {
        for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
            if (graph.kind[e] != kind.ordinal()) {
                return true;
            }
        }
        return false;
    }

    private void vanish(DependencyGraph graph, long[] weights, long[] residuals, int a) {
        int start = rank.startVertex(a);
        forget(graph, weights, residuals, start, EdgeKind.LAUNCH);
        residuals[start] = 0;
        for (int e = graph.firstEdge[start]; e < graph.firstEdge[start + 1]; e++) {
            if (EdgeKind.of(graph.kind[e]).isOrderOfStream() && weights[e] > 0) {
                weights[e] = 0;
            }
        }
        weights[graph.run(rank.endVertex(a))] = 0;
    }
}
