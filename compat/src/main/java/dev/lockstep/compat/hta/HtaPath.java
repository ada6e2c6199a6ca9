// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The critical path as HTA defines it: the longest way through starts and ends of operators, calls and device events of a stretch of
 * time. Calls that only wait take no time of their own; what they waited for is known where the trace has synchronisation events
 * ({@code cuda_sync}).
 */
final class HtaPath {
    private static final long LONGEST_GAP_NS = 1_500_000;
    private static final Pattern INSTANCE = Pattern.compile("(.+)#(\\d{1,9})");
    private static final String STEP = "ProfilerStep";
    private static final String BACKWARD = "autograd::engine::evaluate_function";
    private static final Set<String> WAITS = Set.of(
            "cudaDeviceSynchronize",
            "cudaStreamSynchronize",
            "cudaEventQuery",
            "cudaEventSynchronize",
            "cudaMemcpy",
            "cudaMemcpyAsync");
    private static final Set<String> LOCKED = Set.of("cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync");

    private final HtaEvents events;
    private final Trace trace;
    private final Slices slices;
    private final HtaPathGraph graph;
    private final int[] path;
    private final String window;
    /** By slice: the number of the event in the graph, -1 outside of the window. */
    private final int[] numberOf;

    private final boolean knowsWaits;
    private final byte[] waits;

    private HtaPath(HtaEvents events, String window, int annotation) {
        this.events = events;
        this.trace = events.trace();
        this.slices = trace.slices();
        this.window = window;
        numberOf = new int[slices.size()];
        Arrays.fill(numberOf, -1);
        waits = new byte[trace.strings().size()];
        int[] members = members(annotation);
        graph = new HtaPathGraph(events, members);
        for (int i = 0; i < members.length; i++) {
            numberOf[members[i]] = i;
        }
        hostEdges(members, annotation);
        lockEdges(members);
        knowsWaits = new DeviceEdges().add();
        path = graph.longest();
    }

    /**
     * The path of a window; null where the trace has no such annotation, or none that takes part.
     *
     * @param asked {@code all}, {@code step} for the first step, or the beginning of an annotation's name, with {@code #N} the N-th
     *     from 0
     */
    static @Nullable HtaPath of(HtaEvents events, String asked) {
        if (asked.equals(ReportOptions.Paths.WHOLE)) {
            return new HtaPath(events, asked, -1);
        }
        String wanted = asked.equals(ReportOptions.Paths.STEP) ? STEP : asked;
        Matcher instance = INSTANCE.matcher(wanted);
        String name = instance.matches() ? instance.group(1) : wanted;
        int left = instance.matches() ? Integer.parseInt(instance.group(2)) : 0;
        Trace trace = events.trace();
        for (int i = 0; i < trace.slices().size(); i++) {
            boolean fits = events.isHost(i) && trace.slices().kind(i) == SliceKind.ANNOTATION;
            if (fits && trace.name(i).startsWith(name) && left-- == 0) {
                return new HtaPath(events, trace.name(i), i);
            }
        }
        return null;
    }

    HtaPathGraph graph() {
        return graph;
    }

    /** The edges of the path, in order. */
    int[] edges() {
        return path;
    }

    /** What the path is of. */
    String window() {
        return window;
    }

    /** Whether the trace says what calls waited for. */
    boolean knowsWaits() {
        return knowsWaits;
    }

    /** What an edge of the path is bound by. */
    String boundBy(int edge) {
        int owner = graph.owner(edge);
        switch (graph.kind(edge)) {
            case LAUNCH -> {
                return "gpu_kernel_launch_overhead";
            }
            case KERNEL -> {
                return "gpu_kernel_kernel_overhead";
            }
            case OPERATOR, DEPENDENCY, SYNCHRONISATION -> {
                if (!events.isDevice(owner)) {
                    return isDataLoading(owner) ? "data_loading" : "cpu_bound";
                }
                boolean communicates = HtaKind.named(trace.name(owner)) == HtaKind.COMMUNICATION;
                return communicates ? "gpu_communication_bound" : "gpu_compute_bound";
            }
        }
        throw new IllegalStateException();
    }

    private boolean isDataLoading(int slice) {
        return slices.kind(slice) != SliceKind.RUNTIME_CALL
                && trace.name(slice).toLowerCase(Locale.ROOT).contains("dataloader");
    }

    // ---- what takes part
    // ----------------------------------------------------------------------------------------------

    private int[] members(int annotation) {
        long from = annotation < 0 ? Long.MIN_VALUE : events.start(annotation);
        long to = annotation < 0 ? Long.MAX_VALUE : events.end(annotation);
        boolean[] inside = new boolean[slices.size()];
        IntList members = new IntList(1024);
        for (int slice : HtaNesting.order(events)) {
            long start = events.start(slice);
            if (start >= from && start <= to && events.duration(slice) > 0) {
                inside[slice] = true;
                if (isOperation(slice)) {
                    members.add(slice);
                }
            }
        }
        for (int e = 0; e < events.devices(); e++) {
            if (events.launch(e) >= 0 && inside[events.launch(e)]) {
                members.add(events.slice(e));
            }
        }
        return members.toArray();
    }

    private boolean isOperation(int slice) {
        SliceKind kind = slices.kind(slice);
        return kind == SliceKind.CPU_OP || kind.isLaunchCall() || kind == SliceKind.ANNOTATION && isDataLoading(slice);
    }

    private boolean waits(int slice) {
        int name = slices.name(slice);
        if (waits[name] == 0) {
            waits[name] = (byte) (WAITS.contains(trace.name(slice)) ? 1 : 2);
        }
        return waits[name] == 1;
    }

    // ---- the host
    // -----------------------------------------------------------------------------------------------------

    /** Goes through the calls of each thread, into each and out of it. */
    private final class CallStack {
        private final int[] joined;
        private final int[] open;
        private final int[] parent;
        private final int[] last;

        private CallStack(int members, int[] joined) {
            this.joined = joined;
            open = new int[joined.length];
            last = new int[joined.length];
            parent = new int[members];
            Arrays.fill(open, -1);
            Arrays.fill(last, -1);
        }

        private void enter(int number, int slice) {
            int track = slices.track(slice);
            leave(track, events.start(slice));
            parent[number] = open[track];
            int list = open[track] < 0 ? joined[track] : track;
            step(list, 2 * number, open[track]);
            open[track] = number;
            last[track] = 2 * number;
        }

        private void leave(int track, long ns) {
            while (open[track] >= 0 && events.end(graph.slice(2 * open[track])) <= ns) {
                int number = open[track];
                step(track, 2 * number + 1, number);
                open[track] = parent[number];
                last[track] = 2 * number + 1;
                if (open[track] < 0) {
                    last[joined[track]] = 2 * number + 1;
                }
            }
        }

        private void step(int list, int node, int owner) {
            if (last[list] >= 0) {
                boolean free = owner < 0 || waits(graph.slice(2 * owner));
                int of = graph.slice(owner < 0 ? node : 2 * owner);
                graph.edge(last[list], node, owner < 0 ? HtaEdge.DEPENDENCY : HtaEdge.OPERATOR, of, free);
            }
        }
    }

    private void hostEdges(int[] members, int annotation) {
        CallStack stack = new CallStack(members.length, joined(members, annotation));
        for (int i = 0; i < members.length && !events.isDevice(members[i]); i++) {
            stack.enter(i, members[i]);
        }
        for (int track = 0; track < trace.tracks().size(); track++) {
            stack.leave(track, Long.MAX_VALUE);
        }
    }

    /** By thread, the one whose list of outermost calls it shares: where there is one thread of each kind, backward with forward. */
    private int[] joined(int[] members, int annotation) {
        int[] joined = new int[trace.tracks().size()];
        boolean[] backward = new boolean[joined.length];
        boolean[] forward = new boolean[joined.length];
        for (int track = 0; track < joined.length; track++) {
            joined[track] = track;
        }
        for (int slice : members) {
            if (!events.isDevice(slice)) {
                int track = slices.track(slice);
                backward[track] |= slices.kind(slice) == SliceKind.CPU_OP
                        && trace.name(slice).startsWith(BACKWARD);
                forward[track] |= annotation >= 0 && track == slices.track(annotation);
            }
        }
        int one = only(backward);
        int other = only(forward);
        if (one >= 0 && other >= 0) {
            joined[one] = other;
        }
        return joined;
    }

    private static int only(boolean[] tracks) {
        int found = -1;
        for (int track = 0; track < tracks.length; track++) {
            if (tracks[track]) {
                if (found >= 0) {
                    return -1;
                }
                found = track;
            }
        }
        return found;
    }

    /** Calls that cannot run at the same time, though they overlap. One that waits for no other takes its own time. */
    private void lockEdges(int[] members) {
        IntList locked = new IntList(64);
        for (int i = 0; i < members.length && !events.isDevice(members[i]); i++) {
            if (LOCKED.contains(trace.name(members[i]))) {
                locked.add(2 * i);
                locked.add(2 * i + 1);
            }
        }
        int[] nodes = locked.toArray();
        long[] times = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            times[i] = 2 * graph.time(nodes[i]) + (graph.isEnd(nodes[i]) ? 0 : 1);
        }
        LongOrder.sort(times, nodes);
        IntList open = new IntList(16);
        int before = -1;
        for (int node : nodes) {
            if (!graph.isEnd(node)) {
                open.add(node);
                continue;
            }
            if (before >= 0) {
                graph.edge(before, node, HtaEdge.DEPENDENCY, graph.slice(node), false);
            }
            for (int i = open.size() - 1; i >= 0 && before < 0; i--) {
                boolean own = open.get(i) == node - 1;
                HtaEdge kind = own ? HtaEdge.OPERATOR : HtaEdge.DEPENDENCY;
                graph.edge(open.get(i), node, kind, graph.slice(node), !own);
            }
            remove(open, node - 1);
            before = open.size() == 0 ? -1 : node;
        }
    }

    private static void remove(IntList open, int node) {
        int last = open.removeLast();
        for (int i = 0; i < open.size() && last != node; i++) {
            if (open.get(i) == node) {
                open.set(i, last);
                last = node;
            }
        }
    }

    // ---- the devices
    // ----------------------------------------------------------------------------------------------------

    /** Launches, the order on streams, and what synchronises them. */
    private final class DeviceEdges {
        private final HtaEvents.Streams streams = events.streams();
        private final Map<Long, Integer> streamOf = new HashMap<>();
        /** By stream: device events by the start of their launch, and these starts. */
        private final int[][] launched = new int[streams.size()][];

        private final long[][] launchTimes = new long[streams.size()][];
        private final int[] lengthAtLaunch = new int[events.devices()];
        private final int[] lengthAtStart = new int[events.devices()];
        /** By device event: the last of its waits for another stream, or -1; by wait: the one before, and the event waited for. */
        private final int[] lastWait = new int[events.devices()];

        private final IntList beforeWait = new IntList(16);
        private final IntList waitSource = new IntList(16);

        /** Adds the edges; says whether the trace knows of synchronisations. */
        private boolean add() {
            Arrays.fill(lastWait, -1);
            for (int s = 0; s < streams.size(); s++) {
                streamOf.put(streams.numbers()[s], s);
                queue(s);
            }
            boolean found = synchronise();
            for (int s = 0; s < streams.size(); s++) {
                int previous = -1;
                for (int i = 0; i < streams.events()[s].size(); i++) {
                    int event = streams.events()[s].get(i);
                    if (numberOf[events.slice(event)] >= 0) {
                        device(event, previous);
                        previous = event;
                    }
                }
            }
            return found;
        }

        private void queue(int s) {
            IntList all = streams.events()[s];
            IntList known = new IntList(all.size());
            for (int i = 0; i < all.size(); i++) {
                if (events.launch(all.get(i)) >= 0) {
                    known.add(all.get(i));
                }
            }
            int[] started = known.toArray();
            int[] order = started.clone();
            long[] times = new long[order.length];
            for (int i = 0; i < order.length; i++) {
                times[i] = events.start(events.launch(order[i]));
            }
            LongOrder.sort(times, order);
            launched[s] = order;
            launchTimes[s] = times;
            int level = 0;
            int l = 0;
            for (int event : started) {
                for (; l < order.length && times[l] <= events.start(events.slice(event)); l++) {
                    lengthAtLaunch[order[l]] = ++level;
                }
                lengthAtStart[event] = --level;
            }
            for (; l < order.length; l++) {
                lengthAtLaunch[order[l]] = ++level;
            }
        }

        private void device(int event, int previous) {
            int slice = events.slice(event);
            int node = 2 * numberOf[slice];
            int launch = events.launch(event);
            graph.edge(node, node + 1, HtaEdge.OPERATOR, slice, false);
            boolean late = lengthAtLaunch[event] == 1 && lengthAtStart[event] == 0 && endedBefore(previous, launch);
            int before = previous < 0 ? -1 : 2 * numberOf[events.slice(previous)] + 1;
            long ended = before < 0 ? Long.MIN_VALUE : graph.time(before);
            boolean outlasted = false;
            for (int w = lastWait[event]; w >= 0; w = beforeWait.get(w)) {
                int source = numberOf[events.slice(waitSource.get(w))];
                late &= endedBefore(waitSource.get(w), launch);
                if (source >= 0) {
                    graph.edge(2 * source + 1, node, HtaEdge.SYNCHRONISATION, slice, true);
                    outlasted |= graph.time(2 * source + 1) > ended;
                }
            }
            boolean near = before >= 0 && graph.time(node) - ended < LONGEST_GAP_NS;
            if (!late && near && !outlasted) {
                graph.edge(before, node, HtaEdge.KERNEL, slice, false);
            }
            if (numberOf[launch] >= 0 && (late || !near)) {
                graph.edge(2 * numberOf[launch], node, HtaEdge.LAUNCH, slice, !late);
            }
        }

        private boolean endedBefore(int event, int launch) {
            return event < 0 || events.end(events.slice(event)) <= events.start(launch);
        }

        // ---- synchronisations
        // -----------------------------------------------------------------------------------------

        private boolean synchronise() {
            LongIntMap calls = new LongIntMap(256);
            boolean found = false;
            for (int i = 0; i < slices.size(); i++) {
                if (events.isHost(i) && slices.kind(i).isLaunchCall() && slices.correlation(i) > 0) {
                    calls.put(slices.correlation(i), i);
                }
            }
            SyncDetails details = trace.view(SyncDetails.KEY);
            for (int i = 0; i < slices.size(); i++) {
                if (slices.kind(i) != SliceKind.DEVICE_SYNC || !events.takesPart(i)) {
                    continue;
                }
                found = true;
                int call = slices.correlation(i) <= 0 ? -1 : calls.get(slices.correlation(i));
                if (call >= 0) {
                    synchronise(i, call, recorded(details, i, calls));
                }
            }
            return found;
        }

        /** @param recorded the last device event before the mark that is waited for, or -1 */
        private void synchronise(int sync, int call, int recorded) {
            switch (trace.name(sync)) {
                case "Stream Wait Event" -> {
                    int target = next(DeviceActivity.streamOf(trace, sync).stream(), events.start(call));
                    if (recorded >= 0 && target >= 0) {
                        beforeWait.add(lastWait[target]);
                        lastWait[target] = waitSource.size();
                        waitSource.add(recorded);
                    }
                }
                case "Event Sync" -> end(recorded, call);
                case "Stream Sync" ->
                    end(last(DeviceActivity.streamOf(trace, sync).stream(), events.start(call)), call);
                case "Context Sync" -> {
                    for (int s = 0; s < streams.size(); s++) {
                        end(last(s, events.start(call)), call);
                    }
                }
                default -> {
                    // a kind that says nothing about order
                }
            }
        }

        private void end(int event, int call) {
            int source = event < 0 ? -1 : numberOf[events.slice(event)];
            if (source >= 0 && numberOf[call] >= 0) {
                graph.edge(2 * source + 1, 2 * numberOf[call] + 1, HtaEdge.SYNCHRONISATION, call, true);
            }
        }

        private int recorded(@Nullable SyncDetails details, int sync, LongIntMap calls) {
            int row = details == null ? -1 : details.of(sync);
            long recorded = details == null || row < 0 ? -1 : details.record(row, slices.correlation(sync));
            if (details == null || recorded <= 0) {
                return -1;
            }
            int record = calls.get(recorded);
            return record < 0 ? -1 : last(Long.toString(details.stream(row)), events.start(record));
        }

        private @Nullable Integer stream(String number) {
            return number.matches("\\d{1,18}") ? streamOf.get(Long.parseLong(number)) : null;
        }

        /** The device event launched last on a stream before this time, or -1. */
        private int last(String stream, long ns) {
            Integer s = stream(stream);
            return s == null ? -1 : last(s, ns);
        }

        private int last(int s, long ns) {
            int after = firstAfter(s, ns);
            return after == 0 ? -1 : launched[s][after - 1];
        }

        /** The device event launched first on a stream after this time, or -1. */
        private int next(String stream, long ns) {
            Integer s = stream(stream);
            int after = s == null ? 0 : firstAfter(s, ns);
            return s == null || after == launched[s].length ? -1 : launched[Objects.requireNonNull(s)][after];
        }

        private int firstAfter(int s, long ns) {
            int place = Arrays.binarySearch(launchTimes[s], ns);
            if (place < 0) {
                return -place - 1;
            }
            while (place < launchTimes[s].length && launchTimes[s][place] == ns) {
                place++;
            }
            return place;
        }
    }
}
