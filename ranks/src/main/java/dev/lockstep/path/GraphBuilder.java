// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** Collects vertices and edges, of one rank or of several in turn. Confined to one thread. */
final class GraphBuilder {
    /** By how much the clocks of host and device may differ, in ns. */
    static final long CLOCK_ERROR = 100_000;

    final LongList times;
    /** By vertex: what the stretch of time is that ends there, as a row of {@link #pieces}. */
    final IntList pieceOf;

    final PieceTable pieces = new PieceTable();

    final IntList targets;
    final IntList sources;
    final LongList weights;
    final ByteList kinds;

    final StringPool names = new StringPool();
    final List<PathTrack> tracks = new ArrayList<>();
    /** What ranks did together. */
    final List<Transfer> transfers = new ArrayList<>();

    /** By number of a rank: its role. Ranks of one role do the same work; a rank that is missing has role 0. */
    final Map<Integer, Integer> roles = new HashMap<>();

    /** The vertices at which hosts issue collectives that they carry out themselves. */
    final IntList issues = new IntList(16);

    /** What activities could take at least, as far as it is known. */
    final Rooflines rooflines = new Rooflines();

    final EdgeCounts[] counts = new EdgeCounts[EdgeKind.values().length];

    GraphBuilder() {
        this(1024, 2048);
    }

    /** With room for so many vertices and edges. */
    GraphBuilder(int vertices, int edges) {
        times = new LongList(vertices);
        pieceOf = new IntList(vertices);
        targets = new IntList(edges);
        sources = new IntList(edges);
        weights = new LongList(edges);
        kinds = new ByteList(edges);
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new EdgeCounts();
        }
    }

    /** Number of vertices. */
    int size() {
        return times.size();
    }

    int track(PathTrack track) {
        tracks.add(track);
        return tracks.size() - 1;
    }

    /** Number of edges. */
    int edges() {
        return targets.size();
    }

    /** Adds a moment; returns its number. What leads to it is named by {@link #name}. */
    int vertex(long time, int track, PathClass pathClass) {
        return vertex(time, pieces.of(track, pathClass));
    }

    /** The same, where the stretch of time that ends there is a row of {@link #pieces}. */
    int vertex(long time, int piece) {
        times.add(time);
        pieceOf.add(piece);
        return times.size() - 1;
    }

    /** Adds the moment when the last member of a collective has begun of which one member starts at a vertex; returns its number. */
    int meeting(long time, int start) {
        int piece = pieceOf.get(start);
        int met = vertex(time, pieces.track(piece), PathClass.COMMUNICATION);
        name(met, pieces.label(piece), -1, -1);
        return met;
    }

    /** Says what the stretch of time that ends at a vertex is; ids in {@link #names}, -1 for none. */
    void name(int vertex, int label, int operator, int module) {
        pieceOf.set(vertex, pieces.named(pieceOf.get(vertex), label, operator, module));
    }

    /** Says what the activity is that starts at a vertex and ends at the next, likewise, and of which shape its work is, 0 for none. */
    void name(int start, int label, int operator, int module, int shape) {
        name(start, label, operator, module);
        int piece = pieceOf.get(start);
        pieceOf.set(start + 1, shape == 0 ? piece : pieces.shaped(piece, shape));
    }

    /** The operator that the stretch of time belongs to which ends at a vertex, -1 for none. */
    int operator(int vertex) {
        return pieces.operator(pieceOf.get(vertex));
    }

    /** Its module, likewise. */
    int module(int vertex) {
        return pieces.module(pieceOf.get(vertex));
    }

    long time(int vertex) {
        return times.get(vertex);
    }

    EdgeCounts counts(EdgeKind kind) {
        return counts[kind.ordinal()];
    }

    /**
     * Adds an edge; one that contradicts the times is counted and left out. Host and device have clocks of their own: between
     * them, an error of {@link #CLOCK_ERROR} is no contradiction, and the edge then takes less than no time.
     *
     * @param weight what it takes at least in ns; no more than the times leave is taken
     */
    void edge(EdgeKind kind, int source, int target, long weight) {
        long between = times.get(target) - times.get(source);
        boolean twoClocks = kind == EdgeKind.SYNC || kind == EdgeKind.LAUNCH;
        if (between < (twoClocks ? -CLOCK_ERROR : 0)) {
            counts(kind).acausal++;
            return;
        }
        counts(kind).edges++;
        targets.add(target);
        sources.add(source);
        weights.add(Math.min(weight, between));
        kinds.add(kind.ordinal());
    }

    /**
     * Adds an edge from an activity to one of its stream that started before its end: no sooner than when the first has done the
     * same part of its work, so that a shorter first one shares less time with it.
     *
     * @param end the vertex at the end of the first
     * @param start the vertex at the start of the second
     */
    void overlap(EdgeKind kind, int end, int start) {
        counts(kind).edges++;
        targets.add(start);
        sources.add(end);
        weights.add(times.get(start) - times.get(end));
        kinds.add(kind.ordinal());
    }

    /**
     * Adds all that another one holds.
     *
     * @param clock takes its times to this one's clock, in ns; what an edge takes stays, but where its times leave no more
     * @param rank the number by which its rank is known
     * @param released vertices of the other whose activities do not simply run: their runs are left out
     * @return what to add to the numbers of its vertices
     */
    int append(GraphBuilder other, LongUnaryOperator clock, int rank, BitSet released) {
        int firstVertex = times.size();
        int firstTrack = tracks.size();
        int[] renamed = new int[other.names.size()];
        for (int i = 0; i < renamed.length; i++) {
            renamed[i] = names.internFrom(other.names, i);
        }
        for (int v = 0; v < other.times.size(); v++) {
            times.add(clock.applyAsLong(other.times.get(v)));
        }
        int[] placed = new int[other.pieces.size()];
        for (int i = 0; i < placed.length; i++) {
            placed[i] = pieces.added(other.pieces, i, firstTrack, renamed);
        }
        pieceOf.addAll(other.pieceOf, placed);
        issues.addAll(other.issues, firstVertex);
        for (PathTrack track : other.tracks) {
            tracks.add(new PathTrack(rank, track.name(), track.device()));
        }
        for (int e = 0; e < other.targets.size(); e++) {
            if (other.kinds.get(e) != EdgeKind.RUN.ordinal() || !released.get(other.targets.get(e))) {
                targets.add(other.targets.get(e) + firstVertex);
                sources.add(other.sources.get(e) + firstVertex);
                weights.add(weight(other, e, firstVertex));
                kinds.add(other.kinds.get(e));
            }
        }
        for (int i = 0; i < counts.length; i++) {
            counts[i].add(other.counts[i]);
        }
        return firstVertex;
    }

    /** What an edge of another builder takes between its vertices here: one that left no time to spare there leaves none. */
    private long weight(GraphBuilder other, int edge, int firstVertex) {
        int source = other.sources.get(edge);
        int target = other.targets.get(edge);
        long weight = other.weights.get(edge);
        long between = times.get(firstVertex + target) - times.get(firstVertex + source);
        return weight == other.times.get(target) - other.times.get(source) ? between : Math.min(weight, between);
    }

    DependencyGraph build() {
        return new DependencyGraph(this);
    }
}
