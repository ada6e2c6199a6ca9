// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Gives one rank the durations of the median rank, place by place: the same activity, or piece of the host, of the run. Where no other
 * rank has as many on such a stream or thread, what a rank takes in sum for each name between two launches of collectives becomes the
 * median, divided as the rank divides it; of hosts that carry collectives out themselves, in sum between two that they issue.
 */
final class MedianRank {
    private final DependencyGraph graph;
    /** Durations lie on edges of this kind; of hand-overs they are the residuals of their ends. */
    private final EdgeKind of;
    /** By rank, its streams or threads: the vertices in question, in order of time. */
    private final Map<Integer, List<IntList>> lanes;

    private MedianRank(DependencyGraph graph, EdgeKind of) {
        this.graph = graph;
        this.of = of;
        lanes = lanes();
    }

    /** Changes the weights of one rank's computation. */
    static void ofDevice(DependencyGraph graph, long[] weights, int rank) {
        new MedianRank(graph, EdgeKind.RUN).apply(weights, rank);
    }

    /** Changes the weights of what one rank's host does, and what its threads take to go on beyond the usual. */
    static void ofHost(DependencyGraph graph, long[] weights, long[] residuals, int rank) {
        new MedianRank(graph, EdgeKind.THREAD).apply(weights, rank);
        new MedianRank(graph, EdgeKind.HAND_OVER).apply(residuals, rank);
    }

    private void apply(long[] durations, int rank) {
        List<IntList> own = lanes.getOrDefault(rank, List.of());
        for (int lane = 0; lane < own.size(); lane++) {
            IntList vertices = own.get(lane);
            List<IntList> peers = new ArrayList<>();
            for (List<IntList> others : lanes.values()) {
                if (lane < others.size() && others.get(lane).size() == vertices.size()) {
                    peers.add(others.get(lane));
                }
            }
            boolean divided = of == EdgeKind.RUN || of == EdgeKind.THREAD && graph.issues.length > 0;
            if (peers.size() == 1 && lanes.size() > 1 && divided) {
                bySums(lane, durations, rank);
            } else {
                byPlace(peers, vertices, durations);
            }
        }
    }

    private void byPlace(List<IntList> peers, IntList vertices, long[] durations) {
        long[] seen = new long[peers.size()];
        for (int i = 0; i < vertices.size(); i++) {
            for (int p = 0; p < seen.length; p++) {
                seen[p] = durations[place(peers.get(p).get(i))];
            }
            durations[place(vertices.get(i))] = median(seen);
        }
    }

    private static long median(long[] seen) {
        Arrays.sort(seen);
        return Quantiles.wholeMedian(seen);
    }

    /** Of ranks that launch as many collectives. */
    private void bySums(int lane, long[] durations, int rank) {
        Map<Integer, long[]> launches = launchesOfCollectives();
        long[] launched = launches.getOrDefault(rank, new long[0]);
        LongIntMap numbers = new LongIntMap(64);
        List<LongList> sums = new ArrayList<>();
        LongList own = new LongList(0);
        for (Map.Entry<Integer, List<IntList>> peer : lanes.entrySet()) {
            long[] theirs = launches.getOrDefault(peer.getKey(), new long[0]);
            if (lane < peer.getValue().size() && theirs.length == launched.length) {
                LongList sum = new LongList(64);
                IntList vertices = peer.getValue().get(lane);
                for (int i = 0; i < vertices.size(); i++) {
                    int number = numbers.numberOf(part(vertices.get(i), theirs));
                    while (sum.size() <= number) {
                        sum.add(0);
                    }
                    sum.set(number, sum.get(number) + durations[place(vertices.get(i))]);
                }
                sums.add(sum);
                own = peer.getKey() == rank ? sum : own;
            }
        }
        IntList vertices = Objects.requireNonNull(lanes.get(rank)).get(lane);
        for (int i = 0; i < vertices.size(); i++) {
            int number = numbers.get(part(vertices.get(i), launched));
            int place = place(vertices.get(i));
            long mine = own.get(number);
            long[] all = sums.stream()
                    .mapToLong(sum -> number < sum.size() ? sum.get(number) : 0)
                    .toArray();
            durations[place] = mine == 0 ? 0 : Math.round((double) durations[place] * median(all) / mine);
        }
    }

    /** The part of the run in which a device's activity was launched, and its name; of a piece of the host, in which it lies. */
    private long part(int vertex, long[] launches) {
        long time = of == EdgeKind.THREAD ? graph.time[graph.source[place(vertex)]] : launched(vertex);
        int before = Arrays.binarySearch(launches, time);
        if (of == EdgeKind.THREAD) {
            return before < 0 ? -before - 1 : before + 1;
        }
        return (long) (before < 0 ? -before - 1 : before + 1) << Integer.SIZE | graph.label(vertex) + 1L;
    }

    /** By rank: when it launches collectives, in order. */
    private Map<Integer, long[]> launchesOfCollectives() {
        Map<Integer, LongList> found = new TreeMap<>();
        for (int v = 0; v < graph.size(); v++) {
            PathTrack track = graph.track(v);
            if (track.onDevice() && graph.pathClass(v) == PathClass.COMMUNICATION) {
                int launch = graph.source(v, EdgeKind.LAUNCH);
                if (launch >= 0) {
                    found.computeIfAbsent(track.rank(), r -> new LongList(16)).add(graph.time[launch]);
                }
            }
        }
        for (int issue : graph.issues) {
            found.computeIfAbsent(graph.track(issue).rank(), r -> new LongList(16))
                    .add(graph.time[issue]);
        }
        Map<Integer, long[]> sorted = new TreeMap<>();
        found.forEach((rank, times) -> {
            long[] all = times.toArray();
            Arrays.sort(all);
            sorted.put(rank, all);
        });
        return sorted;
    }

    /** When the activity was launched that ends at a vertex; where that is not known, when it starts. */
    private long launched(int end) {
        int start = graph.source(end, EdgeKind.RUN);
        int launch = graph.source(start, EdgeKind.LAUNCH);
        return graph.time[launch < 0 ? start : launch];
    }

    /** Where the duration of what ends at a vertex is. */
    private int place(int vertex) {
        return of == EdgeKind.HAND_OVER ? vertex : graph.edge(vertex, of);
    }

    private Map<Integer, List<IntList>> lanes() {
        Map<Integer, List<IntList>> found = new TreeMap<>();
        IntList[] ofTrack = new IntList[graph.tracks.size()];
        boolean device = of == EdgeKind.RUN;
        for (int track = 0; track < ofTrack.length; track++) {
            ofTrack[track] = new IntList(16);
            if (graph.tracks.get(track).onDevice() == device) {
                found.computeIfAbsent(graph.tracks.get(track).rank(), r -> new ArrayList<>())
                        .add(ofTrack[track]);
            }
        }
        for (int v : graph.order) {
            boolean asked = !device || graph.pathClass(v) == PathClass.COMPUTATION;
            if (asked && graph.edge(v, of) >= 0) {
                ofTrack[graph.trackOf(v)].add(v);
            }
        }
        return found;
    }
}
