// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Moments and what they had to wait for. A moment comes when the last of its edges allows it, {@code time(source) + weight},
 * and its own residual after that: what the edges do not explain, never negative. Replayed with nothing changed, every
 * moment comes out as recorded.
 *
 * <p>Times are ns; with several ranks on one clock. Immutable.
 */
final class DependencyGraph {
    /** Of vertices that are put into order: on the way, and there. */
    private static final byte BEGUN = 1;

    private static final byte DONE = 2;

    private static final Comparator<PathTrack> BY_NAME = Comparator.comparingInt(PathTrack::rank)
            .thenComparing(PathTrack::name)
            .thenComparing(PathTrack::device, Comparator.nullsFirst(Comparator.naturalOrder()));

    final long[] time;
    /** Edges of vertex v lie from {@code firstEdge[v]} to {@code firstEdge[v + 1]}, exclusive. */
    final int[] firstEdge;

    final int[] source;
    final long[] weight;
    final byte[] kind;
    /** All vertices, each behind those that its edges come from. */
    final int[] order;

    private final long[] residuals;
    private final int[] pieceOf;
    private final PieceTable pieces;
    final StringPool names;
    final List<PathTrack> tracks;
    /** What ranks did together; none for a single rank. */
    final List<Transfer> transfers;
    /** The vertices at which hosts issue collectives that they carry out themselves. */
    final int[] issues;

    /** What activities could take at least; of several ranks it is not known. */
    final Rooflines rooflines;

    private final Map<Integer, Integer> roles;

    /** What computations suffer from collectives beside them. */
    final Contention contention;

    private final EdgeCounts[] counts;

    /** Takes all that a builder has collected, which is empty afterwards. */
    DependencyGraph(GraphBuilder from) {
        counts = from.counts;
        time = from.times.take();
        pieceOf = from.pieceOf.take();
        pieces = from.pieces;
        names = from.names;
        tracks = List.copyOf(from.tracks);
        transfers = List.copyOf(from.transfers);
        roles = Map.copyOf(from.roles);
        issues = from.issues.take();
        rooflines = from.rooflines;
        int[] places = from.targets.take();
        firstEdge = arrange(places, time.length);
        source = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            source[places[i]] = from.sources.get(i);
        }
        from.sources.take();
        weight = new long[places.length];
        for (int i = 0; i < places.length; i++) {
            weight[places[i]] = from.weights.get(i);
        }
        from.weights.take();
        kind = new byte[places.length];
        for (int i = 0; i < places.length; i++) {
            kind[places[i]] = from.kinds.get(i);
        }
        from.kinds.take();
        order = new int[time.length];
        BitSet circling = sort();
        for (int round = 0; !circling.isEmpty() && round < 2; round++) {
            cutCircles(circling, round == 0);
            circling = sort();
        }
        residuals = new long[time.length];
        for (int v = 0; v < residuals.length; v++) {
            residuals[v] = residual(v);
        }
        contention = new Contention(this);
    }

    /** Says where the edges of each vertex begin, and puts in place of the vertex that each leads to its own place. */
    private static int[] arrange(int[] targets, int vertices) {
        int[] first = new int[vertices + 2];
        for (int target : targets) {
            first[target + 2]++;
        }
        for (int v = 0; v < vertices; v++) {
            first[v + 2] += first[v + 1];
        }
        for (int i = 0; i < targets.length; i++) {
            targets[i] = first[targets[i] + 1]++;
        }
        return first;
    }

    int size() {
        return time.length;
    }

    /** Number of what the stretch of time is that ends at a vertex: those of one number differ in their times alone. */
    int piece(int vertex) {
        return pieceOf[vertex];
    }

    /** How many such numbers there are. */
    int pieces() {
        return pieces.size();
    }

    /** What the stretch of time that ends at a vertex is called: an id in {@link #names}, -1 for none. */
    int label(int vertex) {
        return pieces.label(pieceOf[vertex]);
    }

    /** The operator that it belongs to, likewise. */
    int operator(int vertex) {
        return pieces.operator(pieceOf[vertex]);
    }

    /** The module that it belongs to, likewise. */
    int module(int vertex) {
        return pieces.module(pieceOf[vertex]);
    }

    /** At the end of an activity: for each name a number of the shape of its work, 0 where that is not known. */
    int shape(int vertex) {
        return pieces.shape(pieceOf[vertex]);
    }

    /** Whether of any work it is known which shape it is of. */
    boolean knowsShapes() {
        return pieces.knowsShapes();
    }

    /** Number of the thread or stream. */
    int trackOf(int vertex) {
        return pieces.track(pieceOf[vertex]);
    }

    /** The role of a rank: ranks of one role do the same work. */
    int role(int rank) {
        return roles.getOrDefault(rank, 0);
    }

    /** The thread or stream. */
    PathTrack track(int vertex) {
        return tracks.get(trackOf(vertex));
    }

    /**
     * The last of some vertices; of several at one moment, as where a recording is stopped, that of the first track by rank and
     * name, whatever the order of the file. -1 of none.
     */
    int last(int[] vertices) {
        int last = -1;
        for (int vertex : vertices) {
            if (last < 0
                    || time[vertex] > time[last]
                    || time[vertex] == time[last] && BY_NAME.compare(track(vertex), track(last)) < 0) {
                last = vertex;
            }
        }
        return last;
    }

    /** What such a stretch of time goes into. */
    PathClass pathClass(int vertex) {
        return PathClass.of(pieces.pathClass(pieceOf[vertex]));
    }

    /** What the edges of each vertex do not explain, in ns; 0 where it has none. Not to be changed. */
    long[] residuals() {
        return residuals;
    }

    private long residual(int vertex) {
        long earliest = Long.MIN_VALUE;
        for (int e = firstEdge[vertex]; e < firstEdge[vertex + 1]; e++) {
            earliest = Math.max(earliest, time[source[e]] + weight[e]);
        }
        return earliest == Long.MIN_VALUE ? 0 : time[vertex] - earliest;
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
        replay(weights, residuals, at);
        return at;
    }

    /** The same, written down in memory that is given. */
    void replay(long[] weights, long[] residuals, long[] at) {
        for (int v : order) {
            int from = firstEdge[v];
            int to = firstEdge[v + 1];
            if (from == to) {
                at[v] = time[v];
                continue;
            }
            long earliest = Long.MIN_VALUE;
            for (int e = from; e < to; e++) {
                long taken = weights[e] < 0 ? -shared(e, -weights[e], at) : weights[e];
                earliest = Math.max(earliest, at[source[e]] + taken);
            }
            at[v] = earliest + residuals[v];
        }
    }

    /** For how long two activities of a stream overlap when the first takes as long as it now does; of other edges what is given. */
    private long shared(int edge, long overlap, long[] at) {
        if (!isOverlap(edge)) {
            return overlap;
        }
        int end = source[edge];
        long recorded = time[end] - time[end - 1];
        long now = at[end] - at[end - 1];
        return now == recorded ? overlap : Math.round((double) overlap * now / recorded);
    }

    /** Whether an edge leads from an activity to one of its stream that started before its end. The start of the first stands just before its end. */
    boolean isOverlap(int edge) {
        return weight[edge] < 0 && EdgeKind.of(kind[edge]).isOrderOfStream();
    }

    /** The edge that leads from the start of an activity to its end. */
    int run(int end) {
        int found = firstEdge[end];
        while (source[found] != end - 1) {
            found++;
        }
        return found;
    }

    /**
     * Replays the graph with nothing changed.
     *
     * @throws IllegalStateException when a moment comes out other than recorded, so that no scenario could be trusted
     */
    void proveIdentity() {
        long[] alone = new long[weight.length];
        contention.weightsAlone(alone);
        long[] at = new long[time.length];
        contention.replay(alone, residuals, at);
        if (!Arrays.equals(time, at) || !Arrays.equals(weight, alone)) {
            throw new IllegalStateException("the replay of what was recorded does not give what was recorded");
        }
    }

    /**
     * Puts vertices behind those they wait for, and those of a circle somewhere; says which lie in circles, or wait for such.
     * Most edges come from vertices of lower numbers, so that the ways back are short.
     */
    private BitSet sort() {
        byte[] reached = new byte[time.length];
        BitSet circling = new BitSet();
        IntList way = new IntList(64);
        IntList nextEdge = new IntList(64);
        int placed = 0;
        for (int v = 0; v < time.length; v++) {
            if (reached[v] == 0) {
                if (follows(v, reached) && circling.isEmpty()) {
                    reached[v] = DONE;
                    order[placed++] = v;
                    continue;
                }
                reached[v] = BEGUN;
                way.add(v);
                nextEdge.add(firstEdge[v]);
            }
            while (way.size() > 0) {
                int last = way.size() - 1;
                int at = way.get(last);
                int edge = nextEdge.get(last);
                if (edge == firstEdge[at + 1]) {
                    reached[at] = DONE;
                    order[placed++] = at;
                    way.removeLast();
                    nextEdge.removeLast();
                } else if (reached[source[edge]] == 0) {
                    reached[source[edge]] = BEGUN;
                    way.add(source[edge]);
                    nextEdge.add(firstEdge[source[edge]]);
                } else {
                    if (reached[source[edge]] != DONE || circling.get(source[edge])) {
                        circling.set(at);
                    }
                    nextEdge.set(last, edge + 1);
                }
            }
        }
        return circling;
    }

    /** Whether all that a vertex waits for is done. */
    private boolean follows(int vertex, byte[] reached) {
        for (int e = firstEdge[vertex]; e < firstEdge[vertex + 1]; e++) {
            if (reached[source[e]] != DONE) {
                return false;
            }
        }
        return true;
    }

    /**
     * Moments of one time may seem to wait for each other in a circle. Of the edges among those that do, what runs and what threads
     * do stays; the others between equal times go.
     *
     * @param keepOverlaps whether those of activities that overlap stay, which lead back in time
     */
    private void cutCircles(BitSet circling, boolean keepOverlaps) {
        int kept = 0;
        int from = 0;
        for (int v = 0; v < time.length; v++) {
            int to = firstEdge[v + 1];
            for (int e = from; e < to; e++) {
                boolean firm = !circling.get(v)
                        || !circling.get(source[e])
                        || time[source[e]] < time[v]
                        || keepOverlaps && isOverlap(e)
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
