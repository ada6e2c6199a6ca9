// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.AbstractList;
import java.util.BitSet;
import java.util.List;

/**
 * What held a window of time up: the walk from its end back to its start, at every moment along the edge that allowed it
 * last. Every ns of the window belongs to exactly one piece.
 */
final class CriticalPath {
    private final PathWindow window;
    /** Of each piece, the last first: the vertex at its end, its edge, its class, and where it begins. */
    private final int[] vertices;

    private final int[] edges;
    private final byte[] classes;
    private final long[] starts;

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

    private CriticalPath(PathWindow window, Walk walk) {
        this.window = window;
        vertices = walk.vertices.take();
        edges = walk.edges.take();
        classes = walk.classes.take();
        starts = walk.starts.take();
    }

    /** The pieces that were passed, from the end of the window on. */
    private static final class Walk {
        final IntList vertices = new IntList(64);
        final IntList edges = new IntList(64);
        final ByteList classes = new ByteList(64);
        final LongList starts = new LongList(64);

        void add(int vertex, int edge, PathClass of, long start) {
            vertices.add(vertex);
            edges.add(edge);
            classes.add(of.ordinal());
            starts.add(start);
        }
    }

    /**
     * The paths of several windows.
     *
     * @param known that of one which may be among them
     */
    static List<CriticalPath> of(DependencyGraph graph, List<PathWindow> windows, CriticalPath known) {
        return windows.stream()
                .map(window -> window.equals(known.window()) ? known : of(graph, window))
                .toList();
    }

    static CriticalPath of(DependencyGraph graph, PathWindow window) {
        Walk back = new Walk();
        int vertex = window.endVertex();
        long reached = window.end();
        if (vertex >= 0 && graph.time[vertex] < reached) {
            back.add(-1, -1, PathClass.HOST, Math.max(window.start(), graph.time[vertex]));
            reached = graph.time[vertex];
        }
        while (vertex >= 0 && reached > window.start()) {
            int edge = graph.binding(vertex);
            if (edge < 0) {
                break;
            }
            if (graph.isOverlap(edge)) { // the first still ran: it has the time until now
                vertex = graph.source[edge];
                edge = graph.run(vertex);
            }
            int from = graph.source[edge];
            long start = Math.max(window.start(), graph.time[from]);
            if (start < reached) {
                EdgeKind kind = EdgeKind.of(graph.kind[edge]);
                PathClass pathClass =
                        kind == EdgeKind.RUN || kind == EdgeKind.MEMBER ? graph.pathClass(vertex) : kind.pathClass();
                EdgeCounts known = graph.counts(kind);
                if (kind.isLatency() && pathClass != PathClass.HOST && known.isLong(reached - start)) {
                    // of a latency, what is longer than such latencies are is unresolved; it lies behind the latency
                    back.add(vertex, edge, PathClass.UNRESOLVED, start + known.longest);
                }
                back.add(vertex, edge, pathClass, start);
                reached = start;
            }
            vertex = from;
        }
        if (reached > window.start()) {
            back.add(-1, -1, PathClass.UNRESOLVED, window.start());
        }
        return new CriticalPath(window, back);
    }

    /** What was asked for. */
    PathWindow window() {
        return window;
    }

    /** In order of time; each begins where the one before ends. */
    List<Piece> pieces() {
        return new AbstractList<>() {
            @Override
            public Piece get(int index) {
                int i = starts.length - 1 - index;
                return new Piece(vertices[i], edges[i], PathClass.of(classes[i]), starts[i], end(i));
            }

            @Override
            public int size() {
                return starts.length;
            }
        };
    }

    private long end(int i) {
        return i == 0 ? window.end() : starts[i - 1];
    }

    /** The pieces with their names, which keep the path and nothing else of the graph. */
    List<PathPiece> shown(DependencyGraph graph, TraceEdits edits, long each) {
        long[] profiler = new long[vertices.length];
        int[] labels = new int[vertices.length];
        int[] operators = new int[vertices.length];
        BitSet runs = new BitSet(vertices.length);
        for (int i = 0; i < vertices.length; i++) {
            labels[i] = vertices[i] < 0 ? -1 : graph.label(vertices[i]);
            operators[i] = vertices[i] < 0 ? -1 : graph.operator(vertices[i]);
            if (each > 0 && classes[i] == PathClass.HOST.ordinal()) {
                profiler[i] = edits.profilerOf(graph.trackOf(vertices[i]), starts[i], end(i), each);
            }
            runs.set(i, edges[i] >= 0 && graph.kind[edges[i]] == EdgeKind.RUN.ordinal());
        }
        return new Shown(this, graph.names, labels, operators, profiler, runs);
    }

    /** Pieces as they are shown. */
    private static final class Shown extends AbstractList<PathPiece> {
        private final PathWindow window;
        private final byte[] classes;
        private final long[] starts;
        private final StringPool names;
        private final int[] labels;
        private final int[] operators;
        private final long[] profiler;
        private final BitSet runs;

        Shown(CriticalPath path, StringPool names, int[] labels, int[] operators, long[] profiler, BitSet runs) {
            window = path.window;
            classes = path.classes;
            starts = path.starts;
            this.names = names;
            this.labels = labels;
            this.operators = operators;
            this.profiler = profiler;
            this.runs = runs;
        }

        @Override
        public PathPiece get(int index) {
            int i = starts.length - 1 - index;
            return new PathPiece(
                    PathClass.of(classes[i]),
                    names.orNull(labels[i]),
                    names.orNull(operators[i]),
                    runs.get(i),
                    profiler[i],
                    starts[i],
                    i == 0 ? window.end() : starts[i - 1]);
        }

        @Override
        public int size() {
            return starts.length;
        }
    }
}
