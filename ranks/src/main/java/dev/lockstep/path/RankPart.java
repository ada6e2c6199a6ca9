// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.LongIntMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rank's part of a graph over all ranks: what is kept of a trace once it was read. */
public final class RankPart {
    /** Where every activity has a call of its own: two moments of it, and two of the call. */
    private static final int VERTICES = 4;

    /** It runs, is launched, and follows another one; the call's moments follow others. */
    private static final int EDGES = 5;

    private GraphBuilder builder;
    final int[] ends;
    private final boolean knowsWaits;
    private final LongIntMap byEvent;
    private final int[] vertices;

    /** By vertex: the place in the file of the event that begins or ends there, or launches, -1 for none; empty where it was not asked for. */
    private final int[] events;

    /** By vertex at which a call launches, and neither begins nor ends: where it begins. */
    private final LongIntMap launchBegins;

    /** Windows of time that its trace marks, on the rank's own clock. */
    final List<PathWindow> windows;

    RankPart(
            RankGraph rank,
            GraphBuilder builder,
            int[] events,
            LongIntMap launchBegins,
            LongIntMap byEvent,
            int[] vertices) {
        this.builder = builder;
        windows = List.copyOf(rank.windows);
        this.events = events;
        this.launchBegins = launchBegins;
        this.byEvent = byEvent;
        this.vertices = vertices;
        ends = rank.ends.toArray();
        knowsWaits = rank.knowsWaits();
    }

    /** The part that a trace gives, for paths through the whole recording or its steps. */
    public static RankPart of(DerivedCache trace, AnalysisRules rules) {
        return of(trace, rules, null);
    }

    /** The same for paths through windows that are asked for, as {@link ReportOptions.Paths#window} says; null for none. */
    public static RankPart of(DerivedCache trace, AnalysisRules rules, @Nullable String window) {
        return graph(trace, rules, window, false).part();
    }

    /** The same, which also knows the slices of its moments. */
    public static RankPart withSlices(DerivedCache trace, AnalysisRules rules, String window) {
        return graph(trace, rules, window, true).part();
    }

    private static RankGraph graph(
            DerivedCache trace, AnalysisRules rules, @Nullable String window, boolean withSlices) {
        int[] marks = PathRequest.of(window).marks(trace.trace(), trace.get(new Steps.Key(null)));
        int activities = trace.get(rules.activity()).size();
        GraphBuilder builder = new GraphBuilder(VERTICES * activities, EDGES * activities);
        return RankGraph.of(trace, rules, marks, builder, withSlices);
    }

    /** Number of vertices. */
    int size() {
        return builder.size();
    }

    /** Number of edges. */
    int edges() {
        return builder.edges();
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

    /** The event that begins or ends at a vertex, or launches there, by its place in the file; -1 for none. */
    int event(int vertex) {
        return vertex < events.length ? events[vertex] : -1;
    }

    /** The vertex at which the event begins that begins or ends at this one, or launches there. */
    int begin(int vertex) {
        int begin = launchBegins.get(vertex);
        return begin >= 0 ? begin : vertex > 0 && event(vertex - 1) == event(vertex) ? vertex - 1 : vertex;
    }

    /** The vertex at which a collective starts, by the place of its event in the file; -1 when there is none. */
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
