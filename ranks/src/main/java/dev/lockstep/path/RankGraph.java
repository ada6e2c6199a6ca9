// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.work.KernelRooflines;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part of a graph: what its threads and its device did, and why not earlier. Activities are numbered as in
 * {@link DeviceActivity}.
 */
final class RankGraph {
    private final GraphBuilder graph;
    private final Slices slices;
    private final LaunchLinks links;
    private int firstVertex;

    /** What its host does with other ranks; set once it is connected. */
    @Nullable
    HostExchanges exchanges;

    /** What the devices did. */
    final DeviceActivity activity;

    /** Windows of time that paths are asked for, with the vertex at their end. */
    final List<PathWindow> windows = new ArrayList<>();

    /** The vertices with which the rank may end: the last activity of each stream, and the ends of threads that take part. */
    final IntList ends = new IntList(16);

    /** What was launched as graphs. */
    final GraphLaunches graphs = new GraphLaunches();

    /** Whether the trace says which stream waits for which event. */
    private boolean knowsWaits;

    /** By vertex: the place in the file of the event that begins or ends there, or launches, -1 for none; empty where it was not asked for. */
    private int[] events = {};

    /** By vertex at which a call launches, and neither begins nor ends: where it begins. */
    private final LongIntMap launchBegins = new LongIntMap(4);

    private RankGraph(DerivedCache cache, AnalysisRules rules, GraphBuilder graph) {
        this.graph = graph;
        slices = cache.trace().slices();
        activity = cache.get(rules.activity());
        links = cache.get(new LaunchLinks.Key(rules.links()));
    }

    /**
     * Adds a rank to a graph.
     *
     * @param marks slices that mark windows
     */
    static RankGraph of(DerivedCache cache, AnalysisRules rules, int[] marks, GraphBuilder graph) {
        return of(cache, rules, marks, graph, false);
    }

    /**
     * Adds a rank to a graph.
     *
     * @param marks slices that mark windows
     * @param withSlices whether it shall know the slices of its moments
     */
    static RankGraph of(DerivedCache cache, AnalysisRules rules, int[] marks, GraphBuilder graph, boolean withSlices) {
        RankGraph rank = new RankGraph(cache, rules, graph);
        RankConnections connections = new RankConnections(rank, cache, rules, graph);
        rank.knowsWaits = connections.connect(cache, rules, marks);
        if (withSlices) {
            rank.events = connections.events(rank.launchBegins);
        }
        return rank;
    }

    /** Whether the trace says which stream waits for which event. */
    boolean knowsWaits() {
        return knowsWaits;
    }

    /** By track of the trace: the number of its thread in the graph; empty until the threads are known. */
    private int[] hostTracks = {};

    /** Says which threads stand for tracks of the trace, by number of the track. */
    void threads(int[] tracks) {
        hostTracks = tracks;
    }

    /** The thread in the graph that a track of the trace belongs to, -1 where it is no thread. */
    int hostTrack(int track) {
        return track < hostTracks.length ? hostTracks[track] : -1;
    }

    /** When the last activity ends that starts before all of which a launch is known; the least long where none does. */
    long endOfWorkBefore() {
        long firstLaunched = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int a = 0; a < activity.size(); a++) {
            if (links.launchOf(activity.slice(a)) >= 0) {
                firstLaunched = Math.min(firstLaunched, start(a));
            }
        }
        for (int a = 0; a < activity.size() && firstLaunched < Long.MAX_VALUE; a++) {
            if (links.launchOf(activity.slice(a)) < 0 && start(a) < firstLaunched) {
                end = Math.max(end, end(a));
            }
        }
        return end;
    }

    /** Activities have two vertices each, from this one on. */
    void placed(int first) {
        firstVertex = first;
    }

    /** Tells the graph what activities could take at least. */
    void tell(KernelRooflines rooflines) {
        for (int a = 0; a < activity.size(); a++) {
            int slice = activity.slice(a);
            if (classOf(a) == PathClass.COMPUTATION && rooflines.isKnown(slice)) {
                graph.rooflines.add(endVertex(a), rooflines.computeNs(slice), rooflines.memoryNs(slice));
            }
        }
    }

    /** The part of the rank that a graph over all ranks needs, which keeps neither the trace nor what is derived of it. */
    RankPart part() {
        LongIntMap byEvent = new LongIntMap(64);
        IntList vertices = new IntList(64);
        for (int a = 0; a < activity.size(); a++) {
            if (classOf(a) == PathClass.COMMUNICATION) {
                byEvent.put(slices.index(activity.slice(a)), vertices.size());
                vertices.add(startVertex(a));
                vertices.add(endVertex(a));
            }
        }
        for (int i = 0; exchanges != null && i < exchanges.size(); i++) {
            byEvent.put(exchanges.event(i), vertices.size());
            vertices.add(exchanges.startVertex(i));
            vertices.add(exchanges.endVertex(i));
        }
        return new RankPart(this, graph, events, launchBegins, byEvent, vertices.toArray());
    }

    int startVertex(int a) {
        return firstVertex + 2 * a;
    }

    int endVertex(int a) {
        return firstVertex + 2 * a + 1;
    }

    /** When the call ends that launched the activity, on the graph's clock; the least long when none is known. */
    long launchEnd(int a) {
        int call = links.launchOf(activity.slice(a));
        return call < 0 ? Long.MIN_VALUE : slices.end(call);
    }

    /** Whether it computes: what moves data, or waits on the device, does not. */
    boolean isComputation(int a) {
        return activity.classOf(activity.slice(a)) == KernelClass.COMPUTE;
    }

    PathClass classOf(int a) {
        int slice = activity.slice(a);
        if (slices.kind(slice) != SliceKind.KERNEL) {
            return PathClass.COPY;
        }
        return switch (activity.classOf(slice)) {
            case COMMUNICATION -> PathClass.COMMUNICATION;
            case MEMORY -> PathClass.COPY;
            case COMPUTE, OTHER -> PathClass.COMPUTATION;
        };
    }

    long start(int a) {
        return slices.ts(activity.slice(a));
    }

    long end(int a) {
        return slices.end(activity.slice(a));
    }
}
