// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.HostCollectives.Wait;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The collectives of a rank's host in its graph. The thread that issues one hands it over to a thread of the library; there it gets
 * ready, exchanges data, and hands over what it got. The exchange is an activity like a kernel, on a lane of its own: over several
 * ranks it lasts from when the last is there. Threads that wait for a collective go on when the library is through with it.
 */
final class HostExchanges {
    private final HostCollectives collectives;
    private final Slices slices;
    private final Trace trace;
    private final GraphBuilder graph;
    private final HostChains threads;
    /** By collective, -1 for none: when it is issued, when its thread begins it and is through with it. */
    private final int[] issued;

    private final int[] begun;
    private final int[] through;
    /** When its thread is ready for the exchange, and has what was exchanged. */
    private final int[] ready;

    private final int[] got;
    /** By wait: when the thread goes on. */
    private final int[] goesOn;

    private int firstVertex;

    HostExchanges(HostCollectives collectives, Trace trace, GraphBuilder graph, HostChains threads) {
        this.collectives = collectives;
        this.trace = trace;
        this.graph = graph;
        this.threads = threads;
        slices = trace.slices();
        issued = none(collectives.size());
        begun = none(collectives.size());
        ready = none(collectives.size());
        got = none(collectives.size());
        through = none(collectives.size());
        goesOn = none(collectives.waits().size());
    }

    private static int[] none(int count) {
        int[] none = new int[count];
        Arrays.fill(none, -1);
        return none;
    }

    int size() {
        return collectives.size();
    }

    /** Adds the moments of threads. */
    void cut(Latencies latencies) {
        long[] free = new long[trace.tracks().size()];
        Arrays.fill(free, Long.MIN_VALUE);
        for (int i = 0; i < issued.length; i++) {
            int slice = collectives.slice(i);
            int issue = collectives.issue(i);
            if (issue >= 0) {
                issued[i] = threads.point(slices.track(issue), Math.min(slices.end(issue), slices.ts(slice)));
                graph.issues.add(issued[i]);
            }
            if (!collectives.isApart(i)) {
                continue;
            }
            int track = slices.track(slice);
            begun[i] = threads.awakening(track, slices.ts(slice));
            ready[i] = threads.point(track, collectives.start(i));
            got[i] = threads.awakening(track, collectives.end(i));
            through[i] = threads.point(track, slices.end(slice));
            if (issue >= 0 && free[track] <= graph.time(issued[i])) {
                latencies.saw(EdgeKind.HAND_OVER, slices.ts(slice) - graph.time(issued[i]));
            }
            free[track] = slices.end(slice);
        }
        List<Wait> waits = collectives.waits();
        for (int i = 0; i < goesOn.length; i++) {
            Wait wait = waits.get(i);
            threads.point(wait.track(), wait.from());
            goesOn[i] = threads.awakening(wait.track(), wait.until());
            latencies.saw(
                    EdgeKind.HAND_OVER,
                    wait.until() - slices.end(collectives.slice(wait.ended().getLast())));
        }
    }

    /** Adds when each exchange starts and ends. */
    void place(NamesOfPieces names, int rank) {
        firstVertex = graph.size();
        Map<Integer, Integer> pieces = new TreeMap<>();
        for (int i = 0; i < issued.length; i++) {
            int slice = collectives.slice(i);
            int piece = pieces.computeIfAbsent(slices.track(slice), track -> {
                String name = HostChains.nameOf(trace.tracks().get(track)) + " exchange";
                return graph.pieces.of(graph.track(new PathTrack(rank, name, null)), PathClass.COMMUNICATION);
            });
            graph.vertex(collectives.start(i), piece);
            graph.vertex(collectives.end(i), piece);
            graph.name(startVertex(i), names.of(slices.name(slice)), -1, -1, 0);
        }
    }

    /** Adds what each had to wait for. */
    void connect() {
        long latency = graph.counts(EdgeKind.HAND_OVER).latency;
        for (int i = 0; i < issued.length; i++) {
            if (issued[i] >= 0) {
                graph.edge(EdgeKind.HAND_OVER, issued[i], begun[i] < 0 ? startVertex(i) : begun[i], latency);
            }
            if (ready[i] >= 0) {
                graph.edge(EdgeKind.HAND_OVER, ready[i], startVertex(i), 0);
                graph.edge(EdgeKind.HAND_OVER, endVertex(i), got[i], 0);
            }
            graph.edge(EdgeKind.RUN, startVertex(i), endVertex(i), collectives.end(i) - collectives.start(i));
        }
        for (int i = 0; i < goesOn.length; i++) {
            for (int ended : collectives.waits().get(i).ended()) {
                int last = through[ended] < 0 ? endVertex(ended) : through[ended];
                graph.edge(EdgeKind.HAND_OVER, last, goesOn[i], latency);
            }
        }
    }

    /** Says which threads issue collectives, or carry them out. */
    void tellThreads(boolean[] takePart) {
        for (int i = 0; i < issued.length; i++) {
            takePart[slices.track(collectives.slice(i))] = true;
            if (collectives.issue(i) >= 0) {
                takePart[slices.track(collectives.issue(i))] = true;
            }
        }
        for (Wait wait : collectives.waits()) {
            takePart[wait.track()] = true;
        }
    }

    /** The place of its slice in the file. */
    int event(int i) {
        return slices.index(collectives.slice(i));
    }

    int startVertex(int i) {
        return firstVertex + 2 * i;
    }

    int endVertex(int i) {
        return firstVertex + 2 * i + 1;
    }
}
