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

/**
 * The host threads of a rank as chains of moments: where calls that launch or block begin and end, where work changes
 * hands, and whatever else is asked for. Between two moments a thread was busy for the whole time, unless it slept until
 * work was handed to it, or a call waited for the device.
 */
final class HostChains {
    private static final long WHOLE = -1;

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
    private final long[] cutUntil;
    private final int[] lastCut;

    /** The host slices of each track, in order. */
    final int[][] rowsOf;

    /** The last vertex of each track of the trace that is a thread, else -1. */
    final int[] lastVertex;

    HostChains(Trace trace, GraphBuilder graph) {
        this.trace = trace;
        this.graph = graph;
        slices = trace.slices();
        rank = Math.max(0, trace.info().rank().index());
        int tracks = trace.tracks().size();
        rowsOf = hostRows(tracks);
        pieceOf = new int[tracks];
        lastVertex = new int[tracks];
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
                point(track, slices.ts(rowsOf[track][0]), WHOLE);
            }
        }
    }

    /** The thread as people know it. */
    static String nameOf(Track track) {
        String name = track.threadName();
        String number = "thread " + track.thread();
        return name == null || name.isBlank() || name.startsWith("thread ") ? number : number + " (" + name + ")";
    }

    private int[][] hostRows(int tracks) {
        IntList[] lists = new IntList[tracks];
        for (int track = 0; track < tracks; track++) {
            lists[track] = new IntList(16);
        }
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isHost()) {
                lists[slices.track(i)].add(i);
            }
        }
        int[][] rows = new int[tracks][];
        for (int track = 0; track < tracks; track++) {
            rows[track] = lists[track].toArray();
        }
        return rows;
    }

    /** Adds a moment of a thread. */
    int point(int track, long time) {
        return point(track, time, WHOLE);
    }

    /** Adds a moment until which the thread slept. */
    int awakening(int track, long time) {
        return point(track, time, 0);
    }

    private int point(int track, long time, long cost) {
        int vertex = graph.vertex(time, pieceOf[track]);
        times.add(time);
        vertices.add(vertex);
        tracksOfPoints.add(track);
        costs.add(cost);
        return vertex;
    }

    /** Cuts a thread where a call begins and ends; a call inside one that is cut shares its moments. */
    void cut(int call) {
        int track = slices.track(call);
        if (slices.ts(call) < cutUntil[track]) {
            cutOf[call] = lastCut[track];
            return;
        }
        cutUntil[track] = slices.end(call);
        lastCut[track] = cutBegin.size();
        cutOf[call] = cutBegin.size();
        cutBegin.add(point(track, slices.ts(call), WHOLE));
        cutPoint.add(vertices.size());
        cutEnd.add(point(track, slices.end(call), WHOLE));
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

    /** Says that a call which was cut waited; besides, it takes so long by itself. */
    void waited(int call, long ownCost) {
        costs.set(cutPoint.get(cutOf[call]), ownCost);
    }

    /** Adds the last moments of all threads, and chains what each has. */
    void chain(NamesOfPieces names, HostNesting nesting) {
        for (int track = 0; track < rowsOf.length; track++) {
            if (rowsOf[track].length > 0) {
                long end = Long.MIN_VALUE;
                for (int row : rowsOf[track]) {
                    end = Math.max(end, slices.end(row));
                }
                lastVertex[track] = point(track, end, WHOLE);
            }
        }
        int[] order = new int[vertices.size()];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(times.toArray(), order);
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
                owners[track] = new HostOwners(slices, rowsOf[track], nesting, operators, modules);
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
}
