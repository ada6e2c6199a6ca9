// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gives one rank the durations of the median rank, place by place: the same activity, or piece of the host, of the run. */
final class MedianRank {
    private final DependencyGraph graph;
    private final boolean host;

    private MedianRank(DependencyGraph graph, boolean host) {
        this.graph = graph;
        this.host = host;
    }

    /** Changes the weights of one rank's computation. */
    static void ofDevice(DependencyGraph graph, long[] weights, int rank) {
        MedianRank median = new MedianRank(graph, false);
        median.apply(median.lanes(EdgeKind.RUN), weights, rank);
    }

    /** Changes the weights of what one rank's host does, and what its threads take to go on beyond the usual. */
    static void ofHost(DependencyGraph graph, long[] weights, long[] residuals, int rank) {
        MedianRank median = new MedianRank(graph, true);
        median.apply(median.lanes(EdgeKind.THREAD), weights, rank);
        median.apply(median.lanes(EdgeKind.HAND_OVER), residuals, rank);
    }

    private void apply(Map<Integer, List<IntList>> lanes, long[] durations, int rank) {
        List<IntList> own = lanes.get(rank);
        if (own == null) {
            return;
        }
        for (int lane = 0; lane < own.size(); lane++) {
            IntList edges = own.get(lane);
            List<IntList> peers = new ArrayList<>();
            for (List<IntList> of : lanes.values()) {
                if (lane < of.size() && of.get(lane).size() == edges.size()) {
                    peers.add(of.get(lane));
                }
            }
            long[] seen = new long[peers.size()];
            for (int i = 0; i < edges.size(); i++) {
                for (int p = 0; p < seen.length; p++) {
                    seen[p] = durations[peers.get(p).get(i)];
                }
                Arrays.sort(seen);
                int middle = seen.length / 2;
                durations[edges.get(i)] = seen.length % 2 == 1 ? seen[middle] : (seen[middle - 1] + seen[middle]) / 2;
            }
        }
    }

    /**
     * By rank: the edges in question, or the vertices at the end of hand-overs, thread by thread or stream by stream, in
     * order of time.
     */
    private Map<Integer, List<IntList>> lanes(EdgeKind of) {
        Map<Integer, List<IntList>> lanes = new TreeMap<>();
        IntList[] ofTrack = new IntList[graph.tracks.size()];
        for (int track = 0; track < ofTrack.length; track++) {
            ofTrack[track] = new IntList(16);
            if (graph.tracks.get(track).onDevice() != host) {
                lanes.computeIfAbsent(graph.tracks.get(track).rank(), r -> new ArrayList<>())
                        .add(ofTrack[track]);
            }
        }
        byte kind = (byte) of.ordinal();
        for (int v : graph.order) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                if (graph.kind[e] == kind && (host || graph.pathClass[v] == PathClass.COMPUTATION.ordinal())) {
                    ofTrack[graph.track[v]].add(of == EdgeKind.HAND_OVER ? v : e);
                }
            }
        }
        return lanes;
    }
}
