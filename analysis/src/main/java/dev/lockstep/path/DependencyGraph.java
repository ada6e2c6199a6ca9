// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Moments and what they had to wait for. A moment comes when the last of its edges allows it, {@code time(source) + weight},
 * and its own residual after that: what the edges do not explain, never negative. Replayed with nothing changed, every
 * moment comes out as recorded.
 *
 * <p>Times are ns; with several ranks on one clock. Immutable.
 */
final class DependencyGraph {
    final long[] time;
    /** Edges of vertex v lie from {@code firstEdge[v]} to {@code firstEdge[v + 1]}, exclusive. */
    final int[] firstEdge;

    final int[] source;
    final long[] weight;
    final byte[] kind;
    final long[] residual;
    /** All vertices, each behind those that its edges come from. */
    final int[] order;

    /** What the stretch of time that ends at a vertex is called: ids in {@link #names}, -1 for none. */
    final int[] label;

    final int[] operator;
    final int[] module;
    final int[] track;
    /** Of the ends of activities: for each name a number of the shape of its work, 0 where that is not known. */
    final int[] shape;

    final byte[] pathClass;
    final StringPool names;
    final List<PathTrack> tracks;
    /** What ranks did together; none for a single rank. */
    final List<Transfer> transfers;
    /** What activities could take at least; of several ranks it is not known. */
    final Rooflines rooflines;

    /** What computations suffer from collectives beside them. */
    final Contention contention;

    private final EdgeCounts[] counts;

    DependencyGraph(GraphBuilder from) {
        counts = from.counts;
        time = from.times.toArray();
        label = from.labels.toArray();
        operator = from.operators.toArray();
        module = from.modules.toArray();
        track = from.trackOf.toArray();
        shape = from.shapes.toArray();
        pathClass = from.classes();
        names = from.names;
        tracks = List.copyOf(from.tracks);
        transfers = List.copyOf(from.transfers);
        rooflines = from.rooflines;
        int vertices = time.length;
        int edges = from.sources.size();
        firstEdge = new int[vertices + 1];
        for (int i = 0; i < edges; i++) {
            firstEdge[from.targets.get(i) + 1]++;
        }
        for (int v = 0; v < vertices; v++) {
            firstEdge[v + 1] += firstEdge[v];
        }
        source = new int[edges];
        weight = new long[edges];
        kind = new byte[edges];
        int[] next = firstEdge.clone();
        for (int i = 0; i < edges; i++) {
            int at = next[from.targets.get(i)]++;
            source[at] = from.sources.get(i);
            weight[at] = from.weights.get(i);
            kind[at] = (byte) from.kinds.get(i);
        }
        order = new int[vertices];
        int placed = sort();
        if (placed < vertices) {
            cutCircles(placed);
            sort();
        }
        residual = new long[vertices];
        for (int v = 0; v < vertices; v++) {
            long earliest = Long.MIN_VALUE;
            for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
                earliest = Math.max(earliest, time[source[e]] + weight[e]);
            }
            residual[v] = earliest == Long.MIN_VALUE ? 0 : time[v] - earliest;
        }
        contention = new Contention(this);
    }

    int size() {
        return time.length;
    }

    /** What was counted of the edges of a kind. */
    EdgeCounts counts(EdgeKind edge) {
        return counts[edge.ordinal()];
    }

    /** The first edge of a kind that leads to a vertex, -1 where there is none. */
    int edge(int vertex, EdgeKind of) {
        for (int e = firstEdge[vertex]; e < firstEdge[vertex + 1]; e++) {
            if (kind[e] == of.ordinal()) {
                return e;
            }
        }
        return -1;
    }

    /** Where the first edge of a kind comes from that leads to a vertex, -1 where there is none. */
    int source(int vertex, EdgeKind of) {
        int edge = edge(vertex, of);
        return edge < 0 ? -1 : source[edge];
    }

    /** The edge that held a vertex up, or -1 where it has none: the one that allowed it last. */
    int binding(int vertex) {
        int best = -1;
        for (int e = firstEdge[vertex]; e < firstEdge[vertex + 1]; e++) {
            if (best < 0) {
                best = e;
                continue;
            }
            long more = time[source[e]] + weight[e] - time[source[best]] - weight[best];
            if (more > 0 || more == 0 && kind[e] < kind[best]) {
                best = e;
            }
        }
        return best;
    }

    /** When every vertex comes if edges and residuals are as given. */
    long[] replay(long[] weights, long[] residuals) {
        long[] at = new long[time.length];
        for (int v : order) {
            int from = firstEdge[v];
            int to = firstEdge[v + 1];
            if (from == to) {
                at[v] = time[v];
                continue;
            }
            long earliest = Long.MIN_VALUE;
            for (int e = from; e < to; e++) {
                earliest = Math.max(earliest, at[source[e]] + weights[e]);
            }
            at[v] = earliest + residuals[v];
        }
        return at;
    }

    /**
     * Replays the graph with nothing changed.
     *
     * @throws IllegalStateException when a moment comes out other than recorded, so that no scenario could be trusted
     */
    void proveIdentity() {
        boolean same = Arrays.equals(time, replay(weight, residual));
        if (!same || !Arrays.equals(time, contention.replay(contention.weightsAlone(), residual))) {
            throw new IllegalStateException("the replay of what was recorded does not give what was recorded");
        }
    }

    /** Puts vertices behind those they wait for; returns how many could be placed. */
    private int sort() {
        int vertices = time.length;
        int edges = firstEdge[vertices];
        int[] open = new int[vertices];
        int[] firstOut = new int[vertices + 1];
        for (int e = 0; e < edges; e++) {
            firstOut[source[e] + 1]++;
        }
        for (int v = 0; v < vertices; v++) {
            firstOut[v + 1] += firstOut[v];
        }
        int[] out = new int[edges];
        int[] next = firstOut.clone();
        int placed = 0;
        for (int v = 0; v < vertices; v++) {
            open[v] = firstEdge[v + 1] - firstEdge[v];
            if (open[v] == 0) {
                order[placed++] = v;
            }
            for (int e = firstEdge[v]; e < firstEdge[v + 1]; e++) {
                out[next[source[e]]++] = v;
            }
        }
        for (int done = 0; done < placed; done++) {
            int v = order[done];
            for (int i = firstOut[v]; i < firstOut[v + 1]; i++) {
                if (--open[out[i]] == 0) {
                    order[placed++] = out[i];
                }
            }
        }
        return placed;
    }

    /**
     * Moments of one time may seem to wait for each other in a circle. Of the edges among those that could not be placed,
     * what runs and what threads do stays; the others between equal times go.
     */
    private void cutCircles(int placed) {
        BitSet sound = new BitSet(time.length);
        for (int i = 0; i < placed; i++) {
            sound.set(order[i]);
        }
        int kept = 0;
        int from = 0;
        for (int v = 0; v < time.length; v++) {
            int to = firstEdge[v + 1];
            for (int e = from; e < to; e++) {
                boolean firm = sound.get(v)
                        || sound.get(source[e])
                        || time[source[e]] < time[v]
                        || kind[e] == EdgeKind.RUN.ordinal()
                        || kind[e] == EdgeKind.THREAD.ordinal();
                if (firm) {
                    source[kept] = source[e];
                    weight[kept] = weight[e];
                    kind[kept++] = kind[e];
                } else {
                    counts[kind[e]].acausal++;
                }
            }
            from = to;
            firstEdge[v + 1] = kept;
        }
    }
}
