// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.KernelRooflines;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Slices;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one rank did as tasks that wait for one another: an activity of a device each, an exchange of its host, and a stretch of time in
 * which a thread of the host was busy. Tasks have numbers from 0; each stands behind those that it waits for. What an edge of the graph
 * takes besides, a latency, is no task. Immutable.
 */
public final class RankTasks {
    private static final int[] NONE = {};

    private final StringPool names;
    private final List<PathTrack> tracks;
    private final int[] name;
    private final int[] track;
    private final PathClass[] pathClass;
    private final int[] event;
    private final long[] start;
    private final long[] duration;
    private final int[][] before;
    private final long[] flops;
    private final long[] bytes;

    /** The tasks of a rank, with their work by these definitions. */
    public static RankTasks of(DerivedCache trace, WorkRules rules) {
        RankPart part = RankPart.withSlices(trace, rules.base(), ReportOptions.Paths.WHOLE);
        RankTasks tasks = new RankTasks(part, part.take().build());
        tasks.tell(trace.trace().slices(), trace.get(new KernelRooflines.Key(rules)));
        return tasks;
    }

    private void tell(Slices slices, KernelRooflines work) {
        LongIntMap tasks = new LongIntMap(size());
        for (int t = 0; t < size(); t++) {
            if (event[t] >= 0) {
                tasks.put(event[t], t);
            }
        }
        for (int i = 0; i < slices.size(); i++) {
            int task = slices.kind(i).isDeviceActivity() ? tasks.get(slices.index(i)) : -1;
            if (task >= 0) {
                flops[task] = work.flops(i);
                bytes[task] = work.bytes(i);
            }
        }
    }

    private RankTasks(RankPart part, DependencyGraph graph) {
        names = graph.names;
        tracks = graph.tracks;
        IntList ends = new IntList(graph.size());
        IntList edges = new IntList(graph.size());
        List<int[]> awaited = awaited(graph, ends, edges);
        int[] order = inOrderOfTime(graph, ends, edges, awaited);
        int[] place = new int[order.length];
        for (int t = 0; t < order.length; t++) {
            place[order[t]] = t;
        }
        name = new int[order.length];
        track = new int[order.length];
        pathClass = new PathClass[order.length];
        event = new int[order.length];
        start = new long[order.length];
        duration = new long[order.length];
        before = new int[order.length][];
        flops = new long[order.length];
        bytes = new long[order.length];
        for (int t = 0; t < order.length; t++) {
            int end = ends.get(order[t]);
            int edge = edges.get(order[t]);
            name[t] = graph.label(end);
            track[t] = graph.trackOf(end);
            pathClass[t] = graph.pathClass(end);
            event[t] = runs(graph, edge) ? part.event(end) : -1;
            duration[t] = graph.weight[edge];
            start[t] = graph.time[end] - duration[t];
            before[t] = Arrays.stream(awaited.get(order[t]))
                    .map(one -> place[one])
                    .sorted()
                    .toArray();
        }
    }

    private static boolean runs(DependencyGraph graph, int edge) {
        return graph.kind[edge] == EdgeKind.RUN.ordinal();
    }

    private static boolean isTask(DependencyGraph graph, int edge) {
        return runs(graph, edge) || graph.kind[edge] == EdgeKind.THREAD.ordinal() && graph.weight[edge] > 0;
    }

    /** For each task, in an order of the graph, those that it waits for; adds its last vertex and its edge. */
    private static List<int[]> awaited(DependencyGraph graph, IntList ends, IntList edges) {
        List<int[]> awaited = new ArrayList<>();
        int[][] ofVertex = new int[graph.size()][];
        IntList found = new IntList(16);
        for (int v : graph.order) {
            found.clear();
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                int from = graph.source[e];
                if (isTask(graph, e)) {
                    awaited.add(ofVertex[from]);
                    ends.add(v);
                    edges.add(e);
                    add(graph, edges, found, awaited.size() - 1);
                    continue;
                }
                for (int task : ofVertex[graph.isOverlap(e) ? from - 1 : from]) {
                    add(graph, edges, found, task);
                }
            }
            ofVertex[v] = found.size() == 0 ? NONE : found.toArray();
        }
        return awaited;
    }

    /** Of a thread, whose tasks follow each other, the last stands for all before. */
    private static void add(DependencyGraph graph, IntList edges, IntList found, int task) {
        int thread = threadOf(graph, edges.get(task));
        for (int i = 0; i < found.size(); i++) {
            int other = found.get(i);
            if (other == task || thread >= 0 && thread == threadOf(graph, edges.get(other))) {
                found.set(i, Math.max(task, other));
                return;
            }
        }
        found.add(task);
    }

    /** The thread whose time an edge is, -1 for none. */
    private static int threadOf(DependencyGraph graph, int edge) {
        return runs(graph, edge) ? -1 : graph.trackOf(graph.source[edge]);
    }

    /** By start, but behind all that is awaited: clocks of host and device may say otherwise. */
    private static int[] inOrderOfTime(DependencyGraph graph, IntList ends, IntList edges, List<int[]> awaited) {
        long[] keys = new long[awaited.size()];
        int[] order = new int[keys.length];
        for (int t = 0; t < keys.length; t++) {
            order[t] = t;
            keys[t] = graph.time[ends.get(t)] - graph.weight[edges.get(t)];
            for (int other : awaited.get(t)) {
                keys[t] = Math.max(keys[t], keys[other]);
            }
        }
        LongOrder.sort(keys, order);
        return order;
    }

    /** Number of tasks. */
    public int size() {
        return name.length;
    }

    /** What it is called: the activity, the call or operator, or else its thread. */
    public String name(int task) {
        return name[task] < 0 ? track(task) : names.get(name[task]);
    }

    /** The stream or thread. */
    public String track(int task) {
        return tracks.get(track[task]).name();
    }

    /** Number of the stream or thread, from 0. */
    public int trackNumber(int task) {
        return track[task];
    }

    /** How many streams and threads there are. */
    public int tracks() {
        return tracks.size();
    }

    /** Whether a device carries it out. */
    public boolean onDevice(int task) {
        return tracks.get(track[task]).onDevice();
    }

    /** What the time goes into. */
    public PathClass pathClass(int task) {
        return pathClass[task];
    }

    /** The place in the file of the activity or exchange, -1 for time of a thread. */
    public int event(int task) {
        return event[task];
    }

    /** When it began, in ns on the clock of the trace. */
    public long start(int task) {
        return start[task];
    }

    /** How long it takes, in ns. */
    public long duration(int task) {
        return duration[task];
    }

    /** Its operations on numbers, 0 where they are not known. */
    public long flops(int task) {
        return flops[task];
    }

    /** The bytes that it must move, 0 where they are not known. */
    public long bytes(int task) {
        return bytes[task];
    }

    /** The tasks that it waits for, ascending; all have smaller numbers. The caller does not change them. */
    public int[] before(int task) {
        return before[task];
    }

    /** When all is done if each task begins as soon as it may, in ns from the start of the first. */
    public long shortest() {
        LongList ends = new LongList(size());
        long last = 0;
        for (int t = 0; t < size(); t++) {
            long begin = 0;
            for (int other : before[t]) {
                begin = Math.max(begin, ends.get(other));
            }
            ends.add(begin + duration[t]);
            last = Math.max(last, begin + duration[t]);
        }
        return last;
    }
}
