// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What held a window of time up: the walk from its end back to its start, at every moment along the edge that allowed it
 * last. Every ns of the window belongs to exactly one piece.
 *
 * @param window what was asked for
 * @param pieces in order of time; each begins where the one before ends
 */
record CriticalPath(PathWindow window, List<Piece> pieces) {
    /**
     * One stretch of the path.
     *
     * @param vertex the moment at its end; -1 where the path ends before the window does
     * @param edge the edge that it is, -1 where there is none
     * @param pathClass what the time went into
     * @param start in ns
     * @param end in ns
     */
    record Piece(int vertex, int edge, PathClass pathClass, long start, long end) {
        long duration() {
            return end - start;
        }
    }

    CriticalPath {
        pieces = List.copyOf(pieces);
    }

    static CriticalPath of(DependencyGraph graph, PathWindow window) {
        List<Piece> back = new ArrayList<>();
        int vertex = window.endVertex();
        long reached = window.end();
        if (vertex >= 0 && graph.time[vertex] < reached) {
            back.add(new Piece(-1, -1, PathClass.HOST, Math.max(window.start(), graph.time[vertex]), reached));
            reached = graph.time[vertex];
        }
        while (vertex >= 0 && reached > window.start()) {
            int edge = graph.binding(vertex);
            if (edge < 0) {
                break;
            }
            int from = graph.source[edge];
            long start = Math.max(window.start(), graph.time[from]);
            if (start < reached) {
                EdgeKind kind = EdgeKind.of(graph.kind[edge]);
                PathClass pathClass = kind == EdgeKind.RUN || kind == EdgeKind.MEMBER
                        ? PathClass.of(graph.pathClass[vertex])
                        : kind.pathClass();
                add(back, new Piece(vertex, edge, pathClass, start, reached), kind, graph.counts(kind));
                reached = start;
            }
            vertex = from;
        }
        if (reached > window.start()) {
            back.add(new Piece(-1, -1, PathClass.UNRESOLVED, window.start(), reached));
        }
        Collections.reverse(back);
        return new CriticalPath(window, back);
    }

    /** Of a latency, what is longer than such latencies are is unresolved; it lies behind the latency. */
    private static void add(List<Piece> back, Piece whole, EdgeKind kind, EdgeCounts known) {
        if (kind.isLatency() && whole.pathClass != PathClass.HOST && known.isLong(whole.duration())) {
            long until = whole.start + known.longest;
            back.add(new Piece(whole.vertex, whole.edge, PathClass.UNRESOLVED, until, whole.end));
            back.add(new Piece(whole.vertex, whole.edge, whole.pathClass, whole.start, until));
        } else {
            back.add(whole);
        }
    }

    /** The pieces with their names. */
    List<PathPiece> shown(DependencyGraph graph) {
        List<PathPiece> shown = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            int v = piece.vertex;
            shown.add(new PathPiece(
                    piece.pathClass,
                    v < 0 ? null : graph.names.orNull(graph.label[v]),
                    v < 0 ? null : graph.names.orNull(graph.operator[v]),
                    piece.edge >= 0 && graph.kind[piece.edge] == EdgeKind.RUN.ordinal(),
                    piece.start,
                    piece.end));
        }
        return shown;
    }

    long time(PathClass of) {
        return pieces.stream()
                .filter(p -> p.pathClass == of)
                .mapToLong(Piece::duration)
                .sum();
    }
}
