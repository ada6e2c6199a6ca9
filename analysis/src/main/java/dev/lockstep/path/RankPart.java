// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.table.LongIntMap;

/** One rank's part of a graph over all ranks: what is kept of a trace once it was read. */
public final class RankPart {
    private GraphBuilder builder;
    final int[] ends;
    private final boolean knowsWaits;
    private final LongIntMap byEvent;
    private final int[] vertices;

    RankPart(GraphBuilder builder, LongIntMap byEvent, int[] vertices, int[] ends, boolean knowsWaits) {
        this.builder = builder;
        this.byEvent = byEvent;
        this.vertices = vertices;
        this.ends = ends;
        this.knowsWaits = knowsWaits;
    }

    /** The part that a trace gives. */
    public static RankPart of(DerivedCache trace, AnalysisRules rules) {
        return RankGraph.of(trace, rules, trace.get(new Steps.Key(null)).marks(), new GraphBuilder())
                .part();
    }

    /** When a vertex comes, on the rank's own clock. */
    long time(int vertex) {
        return builder.time(vertex);
    }

    /** Gives up the vertices and edges: what is joined need not be kept apart as well. */
    GraphBuilder take() {
        GraphBuilder taken = builder;
        builder = new GraphBuilder();
        return taken;
    }

    /** Whether the trace says which stream waits for which event; else such edges are inferred from times. */
    public boolean knowsWaits() {
        return knowsWaits;
    }

    /** The vertex at which a collective kernel starts, by the place of its event in the file; -1 when there is none. */
    int start(int event) {
        int found = byEvent.get(event);
        return found < 0 ? -1 : vertices[found];
    }

    /** The vertex at which it ends. */
    int end(int event) {
        int found = byEvent.get(event);
        return found < 0 ? -1 : vertices[found + 1];
    }
}
