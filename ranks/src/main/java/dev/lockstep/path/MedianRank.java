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
 * Gives one rank the durations of the median rank of its role, place by place: the same activity, or piece of the host, of the run. Of two
 * ranks in the middle the quicker counts, so that a rank of two takes what the other takes. Where most ranks of the role do not have as many
 * on such a stream or thread, what the rank takes in sum for each name between two launches of collectives becomes the median of these sums,
 * divided as the rank divides it. Where no other rank has its role, nothing changes. Pieces of the host count together, whatever their names, also between collectives that it carries out itself.
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

    /** Changes the weights of what one rank computes and copies. */
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
        List<Integer> role = lanes.keySet().stream()
                .filter(other -> graph.role(other) == graph.role(rank))
                .toList();
        for (int lane = 0; lane < own.size(); lane++) {
            IntList vertices = own.get(lane);
            List<IntList> peers = new ArrayList<>();
            for (int other : role) {
                List<IntList> others = Objects.requireNonNull(lanes.get(other));
                if (lane < others.size() && others.get(lane).size() == vertices.size()) {
                    peers.add(others.get(lane));
                }
            }
            if (2 * peers.size() > role.size()) {
                byPlace(peers, vertices, durations);
            } else if (of != EdgeKind.HAND_OVER) {
                bySums(role, lane, durations, rank);
            }
        }
    }

    private void byPlace(List<IntList> peers, IntList vertices, long[] durations) {
        long[] seen = new long[peers.size()];
        for (int i = 0; i < vertices.size(); i++) {
            for (int p = 0; p < seen.length; p++) {
                seen[p] = durations[place(peers.get(p).get(i))];
            }
            durations[place(vertices.get(i))] = Quantiles.lowerMedianOf(seen);
        }
    }

    /** Of ranks that launch as many collectives. */
    private void bySums(List<Integer> role, int lane, long[] durations, int rank) {
        Map<Integer, long[]> launches = launchesOfCollectives();
        long[] launched = launches.getOrDefault(rank, new long[0]);
        LongIntMap numbers = new LongIntMap(64);
        List<LongList> sums = new ArrayList<>();
        LongList own = new LongList(0);
        for (int peer : role) {
            long[] theirs = launches.getOrDefault(peer, new long[0]);
            List<IntList> lanesOfPeer = Objects.requireNonNull(lanes.get(peer));
            if (lane < lanesOfPeer.size() && theirs.length == launched.length) {
                LongList sum = new LongList(64);
                IntList vertices = lanesOfPeer.get(lane);
                for (int i = 0; i < vertices.size(); i++) {
                    int number = numbers.numberOf(part(vertices.get(i), theirs));
                    while (sum.size() <= number) {
                        sum.add(0);
                    }
                    sum.set(number, sum.get(number) + durations[place(vertices.get(i))]);
                }
                sums.add(sum);
                own = peer == rank ? sum : own;
            }
        }
        IntList vertices = Objects.requireNonNull(lanes.get(rank)).get(lane);
        long[] medians = new long[numbers.size()];
        Arrays.fill(medians, -1);
        long[] all = new long[sums.size()];
        for (int i = 0; i < vertices.size(); i++) {
            int number = numbers.get(part(vertices.get(i), launched));
            int place = place(vertices.get(i));
            long mine = own.get(number);
            if (medians[number] < 0) {
                for (int p = 0; p < all.length; p++) {
                    all[p] = number < sums.get(p).size() ? sums.get(p).get(number) : 0;
                }
                medians[number] = Quantiles.lowerMedianOf(all);
            }
            durations[place] = mine == 0 ? 0 : Math.round((double) durations[place] * medians[number] / mine);
        }
    }

    /** The part of the run in which a piece of the host lies, or a device's activity was launched, and its name. */
    private long part(int vertex, long[] launches) {
        int before = Arrays.binarySearch(launches, launched(vertex));
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

    /** When the activity was launched that ends at a vertex; where that is not known, when it starts. Of the host, when its piece begins. */
    private long launched(int end) {
        if (of != EdgeKind.RUN) {
            return graph.time[graph.source(end, of)];
        }
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
            boolean asked = !device || graph.pathClass(v) != PathClass.COMMUNICATION;
            if (asked && graph.edge(v, of) >= 0) {
                ofTrack[graph.trackOf(v)].add(v);
            }
        }
        return found;
    }
}
