// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.ModuleFrames;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The host threads of a rank as chains of moments: where calls that launch or block begin and end, where work changes
 * hands, and whatever else is asked for. Between two moments a thread was busy for the whole time, unless it slept until
 * work was handed to it, or a call waited for the device.
 */
final class HostChains {
    private static final long WHOLE = -1;

    /** Recorders of Ascend write a thread's calls of the vendor's library to a process of this name. */
    private static final String CALLS_APART = "CANN";

    private final Trace trace;
    private final Slices slices;
    private final GraphBuilder graph;
    private final int rank;
    /** What is done on each track, as long as nothing else is known of it: a row of the graph's pieces. */
    private final int[] pieceOf;

    private final LongList times = new LongList(1024);
    private final IntList vertices = new IntList(1024);
    private final IntList tracksOfPoints = new IntList(1024);
    private final LongList costs = new LongList(1024);
    private final int[] cutOf;
    private final IntList cutBegin = new IntList(256);
    private final IntList cutEnd = new IntList(256);
    private final IntList cutPoint = new IntList(256);
    private final IntList cutLaunch = new IntList(256);
    private final long[] cutUntil;
    private final int[] lastCut;

    /** By track: the moment at which a thread begins. */
    private final int[] firstVertex;

    /** Tracks that begin with what they were given. */
    private final BitSet awakened = new BitSet();

    /** By track: the one that stands for its thread. */
    private final int[] threadOf;

    /** By track that stands for a thread: its calls, where they lie on a track of their own. */
    private final Map<Integer, int[]> callsApart = new HashMap<>();

    /** The host slices of each track that stands for a thread, in order. */
    final int[][] rowsOf;

    /** The last vertex of each track of the trace that is a thread, else -1. */
    final int[] lastVertex;

    HostChains(Trace trace, GraphBuilder graph) {
        this.trace = trace;
        this.graph = graph;
        slices = trace.slices();
        rank = Math.max(0, trace.info().rank().index());
        int tracks = trace.tracks().size();
        threadOf = threads(trace.tracks());
        rowsOf = hostRows(tracks);
        pieceOf = new int[tracks];
        lastVertex = new int[tracks];
        firstVertex = new int[tracks];
        cutUntil = new long[tracks];
        lastCut = new int[tracks];
        cutOf = new int[slices.size()];
        Arrays.fill(cutOf, -1);
        Arrays.fill(pieceOf, -1);
        Arrays.fill(lastVertex, -1);
        Arrays.fill(cutUntil, Long.MIN_VALUE);
        for (int track = 0; track < tracks; track++) {
            if (rowsOf[track].length > 0) {
                int number =
                        graph.track(new PathTrack(rank, nameOf(trace.tracks().get(track)), null));
                pieceOf[track] = graph.pieces.of(number, PathClass.HOST);
                firstVertex[track] = point(track, beginOf(track), WHOLE);
            }
        }
    }

    /** The thread as people know it. */
    static String nameOf(Track track) {
        String name = track.threadName();
        String number = "thread " + track.thread();
        return name == null || name.isBlank() || name.startsWith("thread ") ? number : number + " (" + name + ")";
    }

    private static int[] threads(List<Track> tracks) {
        Map<String, Integer> byThread = new HashMap<>();
        int[] threads = new int[tracks.size()];
        for (int track = 0; track < threads.length; track++) {
            threads[track] = track;
            if (!hasCallsApart(tracks.get(track))) {
                byThread.putIfAbsent(tracks.get(track).thread(), track);
            }
        }
        for (int track = 0; track < threads.length; track++) {
            if (hasCallsApart(tracks.get(track))) {
                threads[track] = byThread.getOrDefault(tracks.get(track).thread(), track);
            }
        }
        return threads;
    }

    private static boolean hasCallsApart(Track track) {
        String process = track.processName();
        return process != null && process.endsWith(CALLS_APART);
    }

    private int[][] hostRows(int tracks) {
        IntList[] lists = new IntList[tracks];
        IntList[] calls = new IntList[tracks];
        for (int track = 0; track < tracks; track++) {
            lists[track] = new IntList(16);
            calls[track] = new IntList(1);
        }
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isHost()) {
                int track = slices.track(i);
                lists[threadOf[track]].add(i);
                if (threadOf[track] != track) {
                    calls[threadOf[track]].add(i);
                }
            }
        }
        int[][] rows = new int[tracks][];
        for (int track = 0; track < tracks; track++) {
            rows[track] = lists[track].toArray();
            if (calls[track].size() > 0) {
                callsApart.put(track, calls[track].toArray());
            }
        }
        return rows;
    }

    /** What lies on the track itself that stands for a thread. */
    private int[] rowsWithoutCalls(int track) {
        IntList own = new IntList(64);
        for (int row : rowsOf[track]) {
            if (slices.track(row) == track) {
                own.add(row);
            }
        }
        return own.toArray();
    }

    /** By track of the trace: the number of its thread in the graph, -1 where it is no thread. */
    int[] graphTracks() {
        int[] tracks = new int[threadOf.length];
        for (int track = 0; track < tracks.length; track++) {
            int piece = pieceOf[threadOf[track]];
            tracks[track] = piece < 0 ? -1 : graph.pieces.track(piece);
        }
        return tracks;
    }

    /** Says of the track that stands for a thread what is said of any of its tracks. */
    void unite(boolean[] takingPart) {
        for (int track = 0; track < takingPart.length; track++) {
            takingPart[threadOf[track]] |= takingPart[track];
        }
    }

    /** Adds a moment of a thread. */
    int point(int track, long time) {
        return point(track, time, WHOLE);
    }

    /** Adds a moment until which the thread slept. */
    int awakening(int track, long time) {
        int thread = threadOf[track];
        awakened.set(thread, awakened.get(thread) || time == beginOf(thread));
        return point(track, time, 0);
    }

    private int point(int track, long time, long cost) {
        int thread = threadOf[track];
        int vertex = graph.vertex(time, pieceOf[thread]);
        times.add(time);
        vertices.add(vertex);
        tracksOfPoints.add(thread);
        costs.add(cost);
        return vertex;
    }

    /** Cuts a thread where a call begins and ends; a call inside one that is cut shares its moments. */
    void cut(int call) {
        int track = threadOf[slices.track(call)];
        boolean inside = slices.ts(call) < cutUntil[track];
        int around = lastCut[track];
        cutOf[call] = cutBegin.size();
        cutLaunch.add(-1);
        if (inside) {
            cutBegin.add(cutBegin.get(around));
            cutPoint.add(cutPoint.get(around));
            cutEnd.add(cutEnd.get(around));
            return;
        }
        cutUntil[track] = slices.end(call);
        lastCut[track] = cutBegin.size();
        cutBegin.add(point(track, slices.ts(call), WHOLE));
        cutPoint.add(vertices.size());
        cutEnd.add(point(track, slices.end(call), WHOLE));
    }

    /** Says at which moment a call that was cut hands over to the device; the first time counts. */
    void launches(int call, long time) {
        int cut = cutOf[call];
        if (cutLaunch.get(cut) < 0) {
            int begin = cutBegin.get(cut);
            int end = cutEnd.get(cut);
            boolean inside = time > graph.time(begin) && time < graph.time(end);
            int bound = time <= graph.time(begin) ? begin : end;
            cutLaunch.set(cut, inside ? point(slices.track(call), time) : bound);
        }
    }

    /** The moment at which a call that was cut hands over to the device; -1 where that was not said. */
    int launch(int call) {
        return cutLaunch.get(cutOf[call]);
    }

    boolean isCut(int call) {
        return cutOf[call] >= 0;
    }

    /** The moment when a call that was cut begins. */
    int begin(int call) {
        return cutBegin.get(cutOf[call]);
    }

    /** The moment when a call that was cut ends. */
    int end(int call) {
        return cutEnd.get(cutOf[call]);
    }

    /** Says that a call which was cut waited; besides, it takes so long by itself, of which what it takes to launch is a part. */
    void waited(int call, long ownCost) {
        int cut = cutOf[call];
        int launch = cutLaunch.get(cut);
        long toLaunch = launch < 0 ? 0 : graph.time(launch) - graph.time(cutBegin.get(cut));
        boolean atEnd = launch == cutEnd.get(cut);
        costs.set(cutPoint.get(cut), atEnd ? ownCost : Math.max(0, ownCost - toLaunch));
    }

    /**
     * Adds the last moments of all threads, and chains what each has.
     *
     * @param takingPart by track: whether the thread has a part in what the device does
     */
    void chain(NamesOfPieces names, HostNesting nesting, boolean[] takingPart) {
        for (int track = 0; track < rowsOf.length; track++) {
            if (rowsOf[track].length > 0) {
                long end = Long.MIN_VALUE;
                for (int row : rowsOf[track]) {
                    end = Math.max(end, slices.end(row));
                }
                lastVertex[track] = point(track, end, WHOLE);
            }
        }
        beginLateThreads(takingPart);
        int[] order = inOrder();
        int[] before = new int[rowsOf.length];
        Arrays.fill(before, -1);
        HostOwners[] owners = new HostOwners[rowsOf.length];
        ModuleFrames frames = new ModuleFrames(trace);
        NearestAround modules = new NearestAround(nesting, slices.size(), frames::isModule);
        NearestAround operators =
                new NearestAround(nesting, slices.size(), slice -> slices.kind(slice) == SliceKind.CPU_OP);
        for (int point : order) {
            int track = tracksOfPoints.get(point);
            int last = before[track];
            before[track] = point;
            if (last < 0) {
                int[] calls = callsApart.get(track);
                int[] rows = calls == null ? rowsOf[track] : rowsWithoutCalls(track);
                HostOwners inside =
                        calls == null ? null : new HostOwners(slices, calls, nesting, operators, modules, null);
                owners[track] = new HostOwners(slices, rows, nesting, operators, modules, inside);
                continue;
            }
            long cost = costs.get(point);
            long between = times.get(point) - times.get(last);
            boolean begins = cost == 0 && between == 0 && times.get(point) == slices.ts(rowsOf[track][0]);
            if (!begins) { // else the thread begins with what it was given
                graph.edge(EdgeKind.THREAD, vertices.get(last), vertices.get(point), cost == WHOLE ? between : cost);
            }
            owners[track].seek(times.get(last), times.get(point));
            names.name(vertices.get(point), owners[track]);
        }
    }

    /** All moments, as rows of the lists above, in order of time. */
    private int[] inOrder() {
        int[] order = new int[vertices.size()];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(times.toArray(), order);
        return order;
    }

    /**
     * A thread that takes part, and begins later than the first of these with nothing that it is known to be given, began when that one
     * had come so far.
     */
    private void beginLateThreads(boolean[] takingPart) {
        int first = -1;
        for (int track = 0; track < rowsOf.length; track++) {
            if (takingPart[track] && rowsOf[track].length > 0 && (first < 0 || beginOf(track) < beginOf(first))) {
                first = track;
            }
        }
        IntList late = new IntList(4);
        for (int track = 0; track < rowsOf.length; track++) {
            boolean begins = takingPart[track] && rowsOf[track].length > 0 && !awakened.get(track);
            if (begins && beginOf(track) > beginOf(first)) {
                late.add(track);
            }
        }
        if (late.size() > 0) {
            int[] points = pointsOf(first);
            for (int i = 0; i < late.size(); i++) {
                int from = reached(points, beginOf(late.get(i)));
                graph.edge(EdgeKind.HAND_OVER, from, firstVertex[late.get(i)], 0);
                graph.counts(EdgeKind.HAND_OVER).inferred++;
            }
        }
    }

    private long beginOf(int track) {
        return slices.ts(rowsOf[track][0]);
    }

    /** The moments of a track, as rows of the lists above, in order of time. */
    private int[] pointsOf(int track) {
        IntList points = new IntList(64);
        for (int point : inOrder()) {
            if (tracksOfPoints.get(point) == track) {
                points.add(point);
            }
        }
        return points.toArray();
    }

    /** The moment at which the thread of these moments had come so far; while it waits or sleeps, when it had come to do so. */
    private int reached(int[] points, long time) {
        int last = Math.max(0, LongOrder.leading(points.length, place -> times.get(points[place]) <= time) - 1);
        boolean works = last + 1 < points.length && costs.get(points[last + 1]) == WHOLE;
        return works && times.get(points[last]) < time
                ? point(tracksOfPoints.get(points[last]), time)
                : vertices.get(points[last]);
    }
}
