// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * What the profiler spends on each event of the host, taken off its threads: half where the event begins, half where it ends. What the
 * host does without events, such as sleeping or computing in a library, takes as long as before.
 */
final class ProfilerEdit {
    /** By track of the graph: when events begin and end, ascending. */
    private final long[][] moments;

    ProfilerEdit(RankGraph rank, Slices slices, int tracks) {
        LongList[] found = new LongList[tracks];
        Arrays.setAll(found, track -> new LongList(16));
        for (int i = 0; i < slices.size(); i++) {
            int track = slices.kind(i).isHost() ? rank.hostTrack(slices.track(i)) : -1;
            if (track >= 0) {
                found[track].add(slices.ts(i));
                found[track].add(slices.end(i));
            }
        }
        moments = new long[tracks][];
        Arrays.setAll(moments, track -> found[track].toArray());
        for (long[] ofTrack : moments) {
            LongOrder.sort(ofTrack);
        }
    }

    /** @param each what an event costs, in ns */
    void apply(DependencyGraph graph, long[] weights, long each) {
        for (int v = 0; v < graph.size(); v++) {
            int e = graph.track(v).onDevice() ? -1 : graph.edge(v, EdgeKind.THREAD);
            if (e >= 0) {
                long cost = cost(graph.trackOf(v), graph.time[graph.source[e]], graph.time[v], each);
                weights[e] = Math.max(0, weights[e] - cost);
            }
        }
    }

    /** What it costs between two moments of a track of the graph, in ns; no more than they lie apart. */
    long cost(int track, long from, long to, long each) {
        long count = upTo(moments[track], to) - upTo(moments[track], from);
        return Math.min(to - from, count * each / 2);
    }

    private static long upTo(long[] moments, long time) {
        return LongOrder.leading(moments.length, i -> moments[i] <= time);
    }
}
