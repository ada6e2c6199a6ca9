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
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the threads and the devices of one rank did, and why not earlier: puts its vertices and edges into a graph. */
final class RankConnections {
    /** A launch longer ago than this, in ns, did not hold up what it launched, unless the trace says better. */
    private static final long LONG_AGO = 20_000;

    /** What more of a start than this, in ns, is unexplained may be due to an activity that no record names. */
    private static final long UNEXPLAINED = 500;

    /** Such an activity ended at most this long before, in ns. */
    private static final long JUST_BEFORE = 10_000;

    /**
     * Where it ran long, and so long is unexplained that its end lies there by chance in one of a hundred at most, it may have
     * ended earlier: some devices need 20 µs to pass a signal from stream to stream. In ns.
     */
    private static final long SHORTLY_BEFORE = 100_000;

    private static final int UNEXPLAINED_TIMES = 100;
    private static final int RUNS_TIMES = 20;

    /** A copy call that returns this soon after its copy was done, in ns, waited for it. */
    private static final long RETURNS_WITHIN = 50_000;

    private static final int LOOK_BACK = 64;

    private static final int PRIME = 1_000_003;

    private final RankGraph rank;
    private final Trace trace;
    private final Slices slices;
    private final GraphBuilder graph;
    private final DeviceActivity activity;
    private final LaunchLinks links;
    private final HostChains threads;
    private final NamesOfPieces names;
    private final HostNesting nesting;
    private final @Nullable DeviceDetails devices;
    private final @Nullable OpDetails operators;
    private final HostCalls calls;
    private final HostExchanges exchanges;
    private final Latencies latencies = new Latencies();
    private final int[] previous;
    private final int[] byEnd;
    private final int[] firstWait;
    private final int[] waitSource;
    /** By activity: its place among those that one call launched as a graph, from 1; 0 where it was launched alone. */
    private final int[] placeInGraph;

    private final Map<Integer, Long> ownCost = new HashMap<>();

    /** Copies whose calls returned with them. */
    private final IntList awaitedCopies = new IntList(16);

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
        devices = trace.view(DeviceDetails.KEY);
        operators = trace.view(OpDetails.KEY);
        calls = new HostCalls(trace, activity, links);
        exchanges = new HostExchanges(cache.get(new HostCollectives.Key()), trace, graph, threads);
        rank.exchanges = exchanges;
        captured = trace.view(Grafts.KEY) == null ? null : cache.get(rules.launchers());
        previous = previousOnStream();
        byEnd = byEnd();
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
        learnFromDevice();
        int[] blocked = learnFromBlocking();
        latencies.learn(graph.counts);
        tellWaiting(blocked);
        threads.chain(names, nesting);
        for (int i = 0; i < awakenings.length; i++) {
            graph.edge(EdgeKind.HAND_OVER, handedFrom[i], awakenings[i], latency(EdgeKind.HAND_OVER));
        }
        exchanges.connect();
        connectDevice();
        connectBlocking(blocked);
        findEnds(handOvers);
        return calls.knowsWaits;
    }

    /** By vertex, the event that begins or ends there, -1 for none; the two vertices of an event follow each other. */
    int[] events() {
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
        return events;
    }

    private long latency(EdgeKind kind) {
        return graph.counts(kind).latency;
    }

    // ---- what is there ----------------------------------------------------------------------------------------------

    /** The activity before on the same stream; one that still ran when this one started is passed over. */
    private int[] previousOnStream() {
        int[] before = new int[activity.size()];
        int[] last = new int[activity.streams().size()];
        Arrays.fill(last, -1);
        for (int a = 0; a < before.length; a++) {
            int stream = activity.streamOf(a);
            int p = last[stream];
            for (int i = 0; p >= 0 && rank.end(p) > rank.start(a) && i < LOOK_BACK; i++) {
                p = before[p];
            }
            before[a] = p >= 0 && rank.end(p) <= rank.start(a) ? p : -1;
            last[stream] = a;
        }
        return before;
    }

    private int[] byEnd() {
        int[] rows = new int[activity.size()];
        long[] keys = new long[rows.length];
        for (int a = 0; a < rows.length; a++) {
            rows[a] = a;
            keys[a] = rank.end(a);
        }
        LongOrder.sort(keys, rows);
        return rows;
    }

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
    private void learnFromDevice() {
        for (int a = 0; a < activity.size(); a++) {
            long launched = launched(a);
            if (launched != Long.MIN_VALUE) {
                latencies.bound(EdgeKind.LAUNCH, rank.start(a) - launched);
                if (earlier(a) <= launched) {
                    latencies.saw(EdgeKind.LAUNCH, rank.start(a) - launched);
                }
            }
        }
        long longAgo = latencies.longest(EdgeKind.LAUNCH, LONG_AGO);
        for (int a = 0; a < activity.size(); a++) {
            long launched = launched(a);
            long before = previous[a] < 0 ? Long.MIN_VALUE : rank.end(previous[a]);
            long earlier = earlier(a);
            if (launched != Long.MIN_VALUE && earlier > launched + longAgo) {
                latencies.saw(before == earlier ? afterPrevious(a) : EdgeKind.WAIT, rank.start(a) - earlier);
            }
        }
    }

    /** When the call begins that launched the activity; the least long when none is known. */
    private long launched(int a) {
        int call = links.launchOf(activity.slice(a));
        return call < 0 ? Long.MIN_VALUE : slices.ts(call);
    }

    /** When the last of the activities ends that this one had to wait for. */
    private long earlier(int a) {
        long earlier = previous[a] < 0 ? Long.MIN_VALUE : rank.end(previous[a]);
        for (int i = firstWait[a]; i < firstWait[a + 1]; i++) {
            earlier = Math.max(earlier, rank.end(waitSource[i]));
        }
        return earlier;
    }

    /** Says for each blocking call which activity was the last that it waited for, or -1; collects {@link #awaitedCopies}. */
    private int[] learnFromBlocking() {
        int[] last = new int[calls.blocking.size()];
        int from = 0;
        for (int i = 0; i < last.length; i++) {
            int call = calls.blocking.get(i);
            int named = lastOf(from, calls.awaitedEnd.get(i), call);
            from = calls.awaitedEnd.get(i);
            last[i] = calls.scope.get(i) == HostCalls.KNOWN ? named : later(named, endedLast(call, i));
            long begin = slices.ts(call);
            if (last[i] >= 0 && rank.end(last[i]) > begin) {
                latencies.saw(EdgeKind.SYNC, slices.end(call) - rank.end(last[i]));
            } else {
                last[i] = -1;
                ownCost.merge(slices.name(call), slices.dur(call), Math::min);
            }
        }
        for (int a = 0; a < activity.size(); a++) {
            int call = links.launchOf(activity.slice(a));
            if (call >= 0
                    && rank.classOf(a) == PathClass.COPY
                    && slices.kind(call).isLaunchCall()) {
                if (returnsWith(call, a)) {
                    latencies.saw(EdgeKind.SYNC, slices.end(call) - rank.end(a));
                    awaitedCopies.add(a);
                } else {
                    ownCost.merge(slices.name(call), slices.dur(call), Math::min);
                }
            }
        }
        return last;
    }

    /** Of calls that waited, only their own cost is the host's. */
    private void tellWaiting(int[] last) {
        for (int i = 0; i < last.length; i++) {
            if (last[i] >= 0) {
                int call = calls.blocking.get(i);
                threads.waited(call, ownCost.getOrDefault(slices.name(call), 0L));
            }
        }
        for (int i = 0; i < awaitedCopies.size(); i++) {
            int call = links.launchOf(activity.slice(awaitedCopies.get(i)));
            threads.waited(call, ownCost.getOrDefault(slices.name(call), 0L));
        }
    }

    private boolean returnsWith(int call, int a) {
        long late = slices.end(call) - rank.end(a);
        return late >= 0 && late <= RETURNS_WITHIN && slices.ts(call) < rank.end(a);
    }

    private int lastOf(int from, int to, int call) {
        int last = -1;
        for (int i = from; i < to; i++) {
            int a = calls.awaited.get(i);
            if (rank.end(a) <= slices.end(call) + GraphBuilder.CLOCK_ERROR
                    && (last < 0 || rank.end(a) > rank.end(last))) {
                last = a;
            }
        }
        return last;
    }

    private int later(int a, int b) {
        return a < 0 || b >= 0 && rank.end(b) > rank.end(a) ? b : a;
    }

    /**
     * The activity that ended last before a call returned: of those whose launch is not in the trace, as it lies before its
     * beginning, and, where nothing says what the call waits for, of those launched before it. -1 where none is near.
     */
    private int endedLast(int call, int i) {
        int place = endedBy(slices.end(call) + GraphBuilder.CLOCK_ERROR);
        for (int k = place; k >= 0 && k > place - LOOK_BACK; k--) {
            int launch = links.launchOf(activity.slice(byEnd[k]));
            if (launch < 0 || calls.scope.get(i) == HostCalls.UNKNOWN && slices.ts(launch) <= slices.ts(call)) {
                return byEnd[k];
            }
        }
        return -1;
    }

    /** The place in {@link #byEnd} of the last activity that ended by a moment, or -1. */
    private int endedBy(long moment) {
        int from = 0;
        int to = byEnd.length;
        while (from < to) {
            int middle = from + to >>> 1;
            if (rank.end(byEnd[middle]) <= moment) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
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
                int begin = threads.begin(call);
                operator = graph.operator(threads.end(call));
                module = graph.module(threads.end(call));
                graph.edge(EdgeKind.LAUNCH, begin, rank.startVertex(a), latency(EdgeKind.LAUNCH));
                explained = graph.time(begin) + latency(EdgeKind.LAUNCH);
            }
            if (captured != null && captured.launcherOf(slice) >= 0) {
                operator = names.of(slices.name(captured.launcherOf(slice)));
            }
            graph.name(rank.startVertex(a), names.of(slices.name(slice)), operator, module, shape(a, call));
            graph.edge(EdgeKind.RUN, rank.startVertex(a), rank.endVertex(a), slices.dur(slice));
            if (previous[a] >= 0) {
                EdgeKind kind = afterPrevious(a);
                graph.edge(kind, rank.endVertex(previous[a]), rank.startVertex(a), latency(kind));
                explained = Math.max(explained, rank.end(previous[a]) + latency(kind));
            }
            for (int i = firstWait[a]; i < firstWait[a + 1]; i++) {
                graph.edge(EdgeKind.WAIT, rank.endVertex(waitSource[i]), rank.startVertex(a), latency(EdgeKind.WAIT));
            }
            int heldBy = -1;
            if (!calls.knowsWaits && rank.start(a) - explained > UNEXPLAINED) {
                heldBy = infer(a, explained == Long.MIN_VALUE ? 0 : rank.start(a) - explained);
            }
            boolean alone = placeInGraph.length == 0 || placeInGraph[a] == 0;
            boolean known = call >= 0 && threads.isCut(call) && alone;
            if (!calls.knowsWaits && known && rank.classOf(a) == PathClass.COMMUNICATION) {
                collectives.add(a, explained, heldBy, likeness(a, call));
            }
        }
        collectives.find(this::launched);
        for (int i = 0; i < collectives.waits.size(); i += 2) {
            inferred(collectives.waits.get(i + 1), collectives.waits.get(i));
        }
    }

    /** A number for the stream, the kernel and the two innermost operators that a collective belongs to. */
    private int likeness(int a, int call) {
        int likeness = mixed(activity.streamOf(a), slices.name(activity.slice(a)));
        int around = call;
        for (int operatorsLeft = 2; around >= 0 && operatorsLeft > 0; around = nesting.around(around)) {
            if (slices.kind(around) == SliceKind.CPU_OP) {
                likeness = mixed(likeness, slices.name(around));
                operatorsLeft--;
            }
        }
        return likeness;
    }

    /**
     * A number for the grid, the block, the operator and its inputs: activities of one name and shape do the same work; of a graph
     * also for the place in it, as its operator has many. 0 where the inputs were not recorded.
     */
    private int shape(int a, int call) {
        int slice = activity.slice(a);
        int around = call;
        while (around >= 0 && slices.kind(around) != SliceKind.CPU_OP) {
            around = nesting.around(around);
        }
        int inputs = operators == null || around < 0 ? -1 : operators.of(around);
        if (operators == null || inputs < 0 || operators.inputDims(inputs) < 0) {
            return 0;
        }
        int shape = mixed(mixed(1, slices.name(around)), operators.inputDims(inputs));
        int row = devices == null ? -1 : devices.of(slice);
        if (devices != null && row >= 0) {
            shape = mixed(mixed(shape, devices.grid(row)), devices.block(row));
        }
        if (placeInGraph.length > 0 && placeInGraph[a] > 0) {
            shape = (shape * PRIME + placeInGraph[a]) * PRIME + rank.graphs.activities(call);
        }
        return shape == 0 ? 1 : shape;
    }

    private int mixed(int shape, int text) {
        return text < 0 ? shape : shape * PRIME + trace.strings().get(text).hashCode();
    }

    /** The kind of the edge from the activity before on the same stream. */
    private EdgeKind afterPrevious(int a) {
        return isOfSameGraph(previous[a], a) ? EdgeKind.NODE : EdgeKind.STREAM;
    }

    private void inferred(int from, int a) {
        graph.edge(EdgeKind.INFERRED, rank.endVertex(from), rank.startVertex(a), latency(EdgeKind.STREAM));
        graph.counts(EdgeKind.INFERRED).inferred++;
    }

    /** Adds the edge from what seems to have held an activity up; returns that, -1 for nothing. */
    private int infer(int a, long unexplained) {
        int place = endedBy(rank.start(a));
        String device = activity.streams().get(activity.streamOf(a)).device();
        for (int i = place;
                i >= 0 && i > place - LOOK_BACK && rank.end(byEnd[i]) >= rank.start(a) - SHORTLY_BEFORE;
                i--) {
            int other = byEnd[i];
            long since = rank.start(a) - rank.end(other);
            boolean elsewhere = activity.streamOf(other) != activity.streamOf(a) && !isOfSameGraph(other, a);
            boolean near = since <= JUST_BEFORE
                    || since * UNEXPLAINED_TIMES <= unexplained
                            && since * RUNS_TIMES <= rank.end(other) - rank.start(other);
            if (other < a
                    && elsewhere
                    && near
                    && activity.streams().get(activity.streamOf(other)).device().equals(device)) {
                inferred(other, a);
                return other;
            }
        }
        return -1;
    }

    /** Of such, only the order on their streams is known. */
    private boolean isOfSameGraph(int other, int a) {
        return placeInGraph.length > 0
                && placeInGraph[a] > 0
                && links.launchOf(activity.slice(other)) == links.launchOf(activity.slice(a));
    }

    private void connectBlocking(int[] last) {
        int from = 0;
        for (int i = 0; i < last.length; i++) {
            int call = calls.blocking.get(i);
            int to = calls.awaitedEnd.get(i);
            boolean named = false;
            for (int k = from; k < to; k++) {
                named |= calls.awaited.get(k) == last[i];
                graph.edge(
                        EdgeKind.SYNC, rank.endVertex(calls.awaited.get(k)), threads.end(call), latency(EdgeKind.SYNC));
            }
            if (!named && last[i] >= 0) {
                graph.edge(EdgeKind.SYNC, rank.endVertex(last[i]), threads.end(call), latency(EdgeKind.SYNC));
                graph.counts(EdgeKind.SYNC).inferred++;
            }
            from = to;
        }
        for (int i = 0; i < awaitedCopies.size(); i++) {
            int a = awaitedCopies.get(i);
            int call = links.launchOf(activity.slice(a));
            graph.edge(EdgeKind.SYNC, rank.endVertex(a), threads.end(call), latency(EdgeKind.SYNC));
        }
    }

    private void findEnds(HandOvers handOvers) {
        boolean[] launches = new boolean[threads.lastVertex.length];
        for (int i = 0; i < handOvers.toTrack.size(); i++) {
            launches[handOvers.fromTrack.get(i)] = true;
            launches[handOvers.toTrack.get(i)] = true;
        }
        for (int i = 0; i < calls.blocking.size(); i++) {
            launches[slices.track(calls.blocking.get(i))] = true;
        }
        for (int a = 0; a < activity.size(); a++) {
            int call = links.launchOf(activity.slice(a));
            if (call >= 0) {
                launches[slices.track(call)] = true;
            }
        }
        exchanges.tellThreads(launches);
        for (int i = 0; i < exchanges.size(); i++) {
            rank.ends.add(exchanges.endVertex(i));
        }
        for (int track = 0; track < launches.length; track++) {
            if (launches[track] && threads.lastVertex[track] >= 0) {
                rank.ends.add(threads.lastVertex[track]);
            }
        }
        int[] lastOfStream = new int[launches.length];
        Arrays.fill(lastOfStream, -1);
        for (int a : byEnd) {
            lastOfStream[slices.track(activity.slice(a))] = a;
        }
        for (int a : lastOfStream) {
            if (a >= 0) {
                rank.ends.add(rank.endVertex(a));
            }
        }
    }
}
