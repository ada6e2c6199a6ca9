// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.DeviceActivity.Stream;
import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the threads and the devices of one rank did, and why not earlier: puts its vertices and edges into a graph. */
final class RankConnections {
    /** A launch longer ago than this, in ns, did not hold up what it launched, unless the trace says better. */
    private static final long LONG_AGO = 20_000;

    /** What more of a start than this, in ns, is unexplained may be due to an activity that no record names. */
    private static final long UNEXPLAINED = 500;

    private final RankGraph rank;
    private final Trace trace;
    private final Slices slices;
    private final GraphBuilder graph;
    private final DeviceActivity activity;
    private final LaunchLinks links;
    private final HostChains threads;
    private final NamesOfPieces names;
    private final HostNesting nesting;
    private final WorkNumbers work;
    private final HostCalls calls;
    private final HostExchanges exchanges;
    private final Latencies latencies = new Latencies();
    private final StreamOrder order;
    private final Endings endings;
    private final InferredWaits inference;
    private final int[] firstWait;
    private final int[] waitSource;
    /** By activity: its place among those that one call launched as a graph, from 1; 0 where it was launched alone. */
    private final int[] placeInGraph;

    /** Of graphs whose capture is known, which operator each activity belongs to: one call launches those of many. */
    private final @Nullable Launchers captured;

    RankConnections(RankGraph rank, DerivedCache cache, AnalysisRules rules, GraphBuilder graph) {
        this.rank = rank;
        this.trace = cache.trace();
        this.slices = trace.slices();
        this.graph = graph;
        activity = rank.activity;
        links = cache.get(new LaunchLinks.Key(rules.links()));
        threads = new HostChains(trace, graph);
        names = new NamesOfPieces(trace.strings(), graph);
        nesting = cache.get(new HostNesting.Key());
        work = new WorkNumbers(rank, trace, nesting);
        DeviceArrows arrows = new DeviceArrows(trace, activity);
        calls = new HostCalls(trace, activity, links, arrows);
        calls.waits.addAll(arrows.waits);
        rank.graphs.knowsEdges(arrows.waits.size() > 0);
        exchanges = new HostExchanges(cache.get(new HostCollectives.Key()), trace, graph, threads);
        rank.exchanges = exchanges;
        captured = trace.view(Grafts.KEY) == null ? null : cache.get(rules.launchers());
        order = new StreamOrder(rank);
        endings = new Endings(rank);
        inference = new InferredWaits(rank, slices, endings, new DeviceWaits(trace, activity), this::isOfSameGraph);
        firstWait = new int[activity.size() + 1];
        waitSource = waitsByActivity();
        placeInGraph = placesInGraphs();
    }

    /**
     * Adds all vertices and edges of the rank.
     *
     * @param marks slices that mark windows
     * @return whether the trace says which stream waits for which event
     */
    boolean connect(DerivedCache cache, AnalysisRules rules, int[] marks) {
        HandOvers handOvers = new HandOvers(trace, cache.get(new AutogradLinks.Key(rules.tree())), threads.rowsOf);
        int[] awakenings = new int[handOvers.toTime.size()];
        for (int i = 0; i < awakenings.length; i++) {
            awakenings[i] = threads.awakening(handOvers.toTrack.get(i), handOvers.toTime.get(i));
        }
        cutCalls();
        exchanges.cut(latencies);
        windowsOf(marks);
        int[] handedFrom = new int[awakenings.length];
        for (int i = 0; i < awakenings.length; i++) {
            handedFrom[i] = threads.point(handOvers.fromTrack.get(i), handOvers.fromTime.get(i));
            latencies.saw(EdgeKind.HAND_OVER, handOvers.toTime.get(i) - handOvers.fromTime.get(i));
        }
        placeActivities();
        exchanges.place(names, Math.max(0, trace.info().rank().index()));
        LaunchMoments moments = new LaunchMoments(rank, slices, links, order);
        learnFromDevice(moments);
        BlockedCalls blocked = new BlockedCalls(rank, slices, links, calls, endings, latencies);
        latencies.learn(graph.counts);
        placeLaunches(moments, blocked);
        blocked.tell(threads);
        boolean[] takingPart = takingPart(handOvers);
        threads.chain(names, nesting, takingPart);
        rank.threads(threads.graphTracks());
        for (int i = 0; i < awakenings.length; i++) {
            graph.edge(EdgeKind.HAND_OVER, handedFrom[i], awakenings[i], latency(EdgeKind.HAND_OVER));
        }
        exchanges.connect();
        connectDevice();
        blocked.connect(graph, threads);
        findEnds(takingPart);
        return calls.knowsWaits;
    }

    /**
     * By vertex, the event that begins or ends there, or launches, -1 for none; the first two vertices of an event follow each other.
     *
     * @param begins takes for each vertex at which one launches, and neither begins nor ends, that at which it begins
     */
    int[] events(LongIntMap begins) {
        int[] events = new int[graph.size()];
        Arrays.fill(events, -1);
        for (int a = 0; a < activity.size(); a++) {
            events[rank.startVertex(a)] = slices.index(activity.slice(a));
            events[rank.endVertex(a)] = slices.index(activity.slice(a));
        }
        for (int i = 0; i < exchanges.size(); i++) {
            events[exchanges.startVertex(i)] = exchanges.event(i);
            events[exchanges.endVertex(i)] = exchanges.event(i);
        }
        for (int call = slices.size() - 1; call >= 0; call--) {
            if (threads.isCut(call)) { // of calls in one another, the outermost is left
                events[threads.begin(call)] = slices.index(call);
                events[threads.end(call)] = slices.index(call);
            }
        }
        for (int call = 0; call < slices.size(); call++) {
            int launch = threads.isCut(call) ? threads.launch(call) : -1;
            if (launch >= 0 && events[launch] < 0) {
                events[launch] = events[threads.begin(call)];
                begins.put(launch, threads.begin(call));
            }
        }
        return events;
    }

    private long latency(EdgeKind kind) {
        return graph.counts(kind).latency;
    }

    // ---- what is there ----------------------------------------------------------------------------------------------

    private int[] waitsByActivity() {
        for (int i = 0; i < calls.waits.size(); i += 2) {
            firstWait[calls.waits.get(i) + 1]++;
        }
        for (int a = 0; a + 1 < firstWait.length; a++) {
            firstWait[a + 1] += firstWait[a];
        }
        int[] sources = new int[calls.waits.size() / 2];
        int[] next = firstWait.clone();
        for (int i = 0; i < calls.waits.size(); i += 2) {
            sources[next[calls.waits.get(i)]++] = calls.waits.get(i + 1);
        }
        return sources;
    }

    private int[] placesInGraphs() {
        int[] places = new int[calls.graphLaunches.isEmpty() ? 0 : activity.size()];
        for (int a = 0; a < places.length; a++) {
            int call = links.launchOf(activity.slice(a));
            places[a] = call >= 0 && calls.graphLaunches.get(call) ? rank.graphs.add(call, activity.streamOf(a)) : 0;
        }
        return places;
    }

    private void cutCalls() {
        boolean[] cut = new boolean[slices.size()];
        for (int a = 0; a < activity.size(); a++) {
            int call = links.launchOf(activity.slice(a));
            if (call >= 0 && slices.kind(call).isLaunchCall()) {
                cut[call] = true;
            }
        }
        for (int i = 0; i < calls.blocking.size(); i++) {
            cut[calls.blocking.get(i)] = true;
        }
        for (int i = 0; i < cut.length; i++) {
            if (cut[i]) {
                threads.cut(i);
            }
        }
    }

    /** From the beginning to the end of each mark, on the thread that carries it. */
    private void windowsOf(int[] marks) {
        for (int mark : marks) {
            long start = slices.ts(mark);
            long end = slices.end(mark);
            threads.point(slices.track(mark), start);
            int vertex = threads.point(slices.track(mark), end);
            rank.windows.add(new PathWindow(trace.name(mark), start, end, vertex));
        }
    }

    private void placeActivities() {
        int[] tracks = new int[activity.streams().size()];
        boolean several = activity.devices().size() > 1;
        int number = Math.max(0, trace.info().rank().index());
        for (int s = 0; s < tracks.length; s++) {
            Stream stream = activity.streams().get(s);
            String name = (several ? "device " + stream.device() + " " : "") + "stream " + stream.stream();
            tracks[s] = graph.track(new PathTrack(number, name, stream.device()));
        }
        rank.placed(graph.size());
        for (int a = 0; a < activity.size(); a++) {
            int piece = graph.pieces.of(tracks[activity.streamOf(a)], rank.classOf(a));
            graph.vertex(rank.start(a), piece);
            graph.vertex(rank.end(a), piece);
        }
    }

    // ---- what edges take --------------------------------------------------------------------------------------------

    /** Launches into idle streams first: what they take at most says which other launches were long enough ago. */
    private void learnFromDevice(LaunchMoments moments) {
        for (int a = 0; a < activity.size(); a++) {
            long launched = launched(a);
            if (launched != Long.MIN_VALUE && (moments.call(a) < 0 || moments.tells(a))) {
                long took = rank.start(a) - handedOver(moments, a);
                latencies.bound(EdgeKind.LAUNCH, took);
                if (earlier(a) <= launched) {
                    latencies.saw(EdgeKind.LAUNCH, took);
                }
            }
        }
        long longAgo = latencies.longest(EdgeKind.LAUNCH, LONG_AGO);
        for (int a = 0; a < activity.size(); a++) {
            long earlier = earlier(a);
            if (launched(a) != Long.MIN_VALUE && earlier > handedOver(moments, a) + longAgo) {
                boolean onStream = order.lastEnd(a) == earlier;
                latencies.saw(onStream ? afterPrevious(a) : EdgeKind.WAIT, rank.start(a) - earlier);
            }
        }
    }

    /** When the call begins that launched the activity; the least long when none is known. */
    private long launched(int a) {
        int call = links.launchOf(activity.slice(a));
        return call < 0 ? Long.MIN_VALUE : slices.ts(call);
    }

    /** When a launch that is known was handed to the device, by what is usual. */
    private long handedOver(LaunchMoments moments, int a) {
        int call = moments.call(a);
        return call < 0 ? launched(a) : moments.usual(call);
    }

    /** When the last of the activities ends that this one had to wait for. */
    private long earlier(int a) {
        long earlier = order.lastEnd(a);
        for (int i = firstWait[a]; i < firstWait[a + 1]; i++) {
            earlier = Math.max(earlier, rank.end(waitSource[i]));
        }
        return earlier;
    }

    /** Adds the moments at which calls hand over to the device. */
    private void placeLaunches(LaunchMoments moments, BlockedCalls blocked) {
        long longest = latencies.longest(EdgeKind.LAUNCH, LONG_AGO);
        for (int a = 0; a < activity.size(); a++) {
            int call = moments.call(a);
            if (call >= 0 && threads.launch(call) < 0) {
                long launched = slices.ts(call);
                boolean waitsForLaunchOnly = earlier(a) <= launched && !inference.endedJustBefore(a, launched);
                LaunchMoments.Start start =
                        new LaunchMoments.Start(rank.start(a), waitsForLaunchOnly, blocked.waited(call));
                threads.launches(call, moments.of(call, start, longest));
            }
        }
    }

    // ---- edges ------------------------------------------------------------------------------------------------------

    private void connectDevice() {
        CollectiveWaits collectives = new CollectiveWaits(rank, UNEXPLAINED);
        for (int a = 0; a < activity.size(); a++) {
            int slice = activity.slice(a);
            int call = links.launchOf(slice);
            int operator = -1;
            int module = -1;
            long explained = Long.MIN_VALUE;
            if (call >= 0 && threads.isCut(call)) {
                int launch = threads.launch(call);
                operator = graph.operator(threads.end(call));
                module = graph.module(threads.end(call));
                graph.edge(EdgeKind.LAUNCH, launch, rank.startVertex(a), latency(EdgeKind.LAUNCH));
                explained = graph.time(launch) + latency(EdgeKind.LAUNCH);
            }
            if (captured != null && captured.launcherOf(slice) >= 0) {
                operator = names.of(slices.name(captured.launcherOf(slice)));
            }
            graph.name(
                    rank.startVertex(a), names.of(slices.name(slice)), operator, module, work.shape(a, call, place(a)));
            run(a);
            explained = Math.max(explained, follow(order.alsoBefore(a), a));
            explained = Math.max(explained, follow(order.before(a), a));
            for (int i = firstWait[a]; i < firstWait[a + 1]; i++) {
                explained = Math.max(explained, await(waitSource[i], a));
            }
            int heldBy = calls.knowsWaits ? -1 : inference.endedAWait(a);
            if (!calls.knowsWaits && heldBy < 0 && rank.start(a) - explained > UNEXPLAINED) {
                heldBy = inference.heldUp(a, explained == Long.MIN_VALUE ? 0 : rank.start(a) - explained);
            }
            if (explained == Long.MIN_VALUE && heldBy < 0) {
                heldBy = inference.lastBefore(a);
            }
            if (heldBy >= 0) {
                inferred(heldBy, a);
            }
            boolean known = call >= 0 && threads.isCut(call) && place(a) == 0;
            if (!calls.knowsWaits && known && rank.classOf(a) == PathClass.COMMUNICATION) {
                collectives.add(a, explained, heldBy, work.likeness(a, call));
            }
        }
        collectives.find(this::launched);
        for (int i = 0; i < collectives.waits.size(); i += 2) {
            inferred(collectives.waits.get(i + 1), collectives.waits.get(i));
        }
    }

    /** The kind of the edge from the activity before on the same stream. */
    private EdgeKind afterPrevious(int a) {
        return kindOfOrder(order.before(a), a);
    }

    private EdgeKind kindOfOrder(int before, int a) {
        return isOfSameGraph(before, a) ? EdgeKind.NODE : EdgeKind.STREAM;
    }

    /** An activity takes its time; a wait as long as what it waits for, if that is known. */
    private void run(int a) {
        int awaited = inference.awaitedBy(a);
        if (awaited >= 0) {
            graph.edge(EdgeKind.INFERRED, rank.endVertex(awaited), rank.endVertex(a), latency(EdgeKind.STREAM));
            graph.counts(EdgeKind.INFERRED).inferred++;
        }
        graph.edge(EdgeKind.RUN, rank.startVertex(a), rank.endVertex(a), awaited < 0 ? rank.end(a) - rank.start(a) : 0);
    }

    /** Adds the edge from an activity before on the same stream, if there is one; returns when it lets this one start. */
    private long follow(int before, int a) {
        if (before < 0) {
            return Long.MIN_VALUE;
        }
        EdgeKind kind = kindOfOrder(before, a);
        if (rank.end(before) > rank.start(a)) {
            graph.overlap(kind, rank.endVertex(before), rank.startVertex(a));
            return rank.start(a);
        }
        graph.edge(kind, rank.endVertex(before), rank.startVertex(a), latency(kind));
        return rank.end(before) + latency(kind);
    }

    /** Adds the edge from an activity that is recorded to have ended before, likewise; inside of graphs it may still run. */
    private long await(int other, int a) {
        if (rank.end(other) > rank.start(a) && isOfSameGraph(other, a)) {
            graph.overlap(EdgeKind.NODE, rank.endVertex(other), rank.startVertex(a));
            return rank.start(a);
        }
        graph.edge(EdgeKind.WAIT, rank.endVertex(other), rank.startVertex(a), latency(EdgeKind.WAIT));
        return rank.end(other) + latency(EdgeKind.WAIT);
    }

    private void inferred(int from, int a) {
        graph.edge(EdgeKind.INFERRED, rank.endVertex(from), rank.startVertex(a), latency(EdgeKind.STREAM));
        graph.counts(EdgeKind.INFERRED).inferred++;
    }

    /** Its place among those that one call launched as a graph, from 1; 0 where it was launched alone. */
    private int place(int a) {
        return placeInGraph.length == 0 ? 0 : placeInGraph[a];
    }

    /** Of such, only the order on their streams is known. */
    private boolean isOfSameGraph(int other, int a) {
        return place(a) > 0 && links.launchOf(activity.slice(other)) == links.launchOf(activity.slice(a));
    }

    /** By track: whether it is a thread that launches, waits, or hands over or takes over work. */
    private boolean[] takingPart(HandOvers handOvers) {
        boolean[] part = new boolean[threads.lastVertex.length];
        for (int i = 0; i < handOvers.toTrack.size(); i++) {
            part[handOvers.fromTrack.get(i)] = true;
            part[handOvers.toTrack.get(i)] = true;
        }
        for (int i = 0; i < calls.blocking.size(); i++) {
            part[slices.track(calls.blocking.get(i))] = true;
        }
        for (int a = 0; a < activity.size(); a++) {
            int call = links.launchOf(activity.slice(a));
            if (call >= 0) {
                part[slices.track(call)] = true;
            }
        }
        exchanges.tellThreads(part);
        threads.unite(part);
        return part;
    }

    private void findEnds(boolean[] takingPart) {
        for (int i = 0; i < exchanges.size(); i++) {
            rank.ends.add(exchanges.endVertex(i));
        }
        for (int track = 0; track < takingPart.length; track++) {
            if (takingPart[track] && threads.lastVertex[track] >= 0) {
                rank.ends.add(threads.lastVertex[track]);
            }
        }
        int[] lastOfStream = new int[takingPart.length];
        Arrays.fill(lastOfStream, -1);
        for (int i = 0; i < endings.size(); i++) {
            lastOfStream[slices.track(activity.slice(endings.at(i)))] = endings.at(i);
        }
        for (int a : lastOfStream) {
            if (a >= 0) {
                rank.ends.add(rank.endVertex(a));
            }
        }
    }
}
