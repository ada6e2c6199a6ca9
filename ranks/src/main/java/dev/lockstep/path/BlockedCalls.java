// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * For what calls of the host waited: those that ask for it, copies that return when they are done, and launches that wait for room
 * in a full queue. Of a call that waited, only what such calls take that do not wait is work of the host.
 */
final class BlockedCalls {
    /** So many of the activities that ended last are looked at for what an unknown wait was for. */
    private static final int LOOK_BACK = 64;

    /** Of the time that a copy took, the part within which its call returns: what went through a buffer is still moved on. */
    private static final int PART_OF_COPY = 4;

    private final RankGraph rank;
    private final Slices slices;
    private final LaunchLinks links;
    private final HostCalls calls;
    private final Endings endings;
    private final Map<Integer, Long> ownCost = new HashMap<>();

    /** By blocking call: the activity that it waited for last, -1 where it waited for none. */
    private final int[] last;

    /** Activities whose calls returned with them. */
    private final IntList copies = new IntList(16);

    private final FullQueues queues;

    /** Places in their waits of those that found their queue full. */
    private final BitSet queued = new BitSet();

    private final BitSet waited = new BitSet();

    /**
     * Finds out which calls waited.
     *
     * @param latencies takes note of how long they took to return
     */
    BlockedCalls(
            RankGraph rank, Slices slices, LaunchLinks links, HostCalls calls, Endings endings, Latencies latencies) {
        this.rank = rank;
        this.slices = slices;
        this.links = links;
        this.calls = calls;
        this.endings = endings;
        last = new int[calls.blocking.size()];
        queues = new FullQueues(rank, slices, links);
        findWaits(latencies);
        findCopies(latencies);
        findQueued(latencies);
    }

    private void findWaits(Latencies latencies) {
        int from = 0;
        for (int i = 0; i < last.length; i++) {
            int call = calls.blocking.get(i);
            int named = lastOf(from, calls.awaitedEnd.get(i), call);
            from = calls.awaitedEnd.get(i);
            last[i] = calls.scope.get(i) == HostCalls.KNOWN ? named : later(named, endedLast(call, i));
            if (!waits(call, last[i], latencies)) {
                last[i] = -1;
            }
        }
    }

    private void findCopies(Latencies latencies) {
        for (int a = 0; a < rank.activity.size(); a++) {
            int call = links.launchOf(rank.activity.slice(a));
            if (call >= 0
                    && rank.classOf(a) == PathClass.COPY
                    && slices.kind(call).isLaunchCall()
                    && waits(call, returnsWith(call, a) ? a : -1, latencies)) {
                copies.add(a);
            }
        }
    }

    private void findQueued(Latencies latencies) {
        for (int i = 0; i < queues.waits.size(); i += 2) {
            if (waits(queues.waits.get(i), queues.waits.get(i + 1), latencies)) {
                queued.set(i);
            }
        }
    }

    /** Takes note of whether a call waited for an activity, which is known to have ended by its return; -1 for none. */
    private boolean waits(int call, int a, Latencies latencies) {
        boolean until = a >= 0 && rank.end(a) > slices.ts(call);
        if (until) {
            latencies.saw(EdgeKind.SYNC, slices.end(call) - rank.end(a));
            waited.set(call);
        } else {
            ownCost.merge(slices.name(call), slices.dur(call), Math::min);
        }
        return until;
    }

    /** Copies through a buffer may return a little before the device is done with the last of it, or when it is moved on. */
    private boolean returnsWith(int call, int a) {
        long late = slices.end(call) - rank.end(a);
        long ran = rank.end(a) - rank.start(a);
        boolean covers = 2 * (slices.end(call) - rank.start(a)) > ran;
        return late >= 0
                ? late <= Math.max(ImplicitWaits.RETURNS_WITHIN, ran / PART_OF_COPY)
                : covers && late >= -GraphBuilder.CLOCK_ERROR;
    }

    private int lastOf(int from, int to, int call) {
        int found = -1;
        for (int i = from; i < to; i++) {
            int a = calls.awaited.get(i);
            if (rank.end(a) <= slices.end(call) + GraphBuilder.CLOCK_ERROR
                    && (found < 0 || rank.end(a) > rank.end(found))) {
                found = a;
            }
        }
        return found;
    }

    private int later(int a, int b) {
        return a < 0 || b >= 0 && rank.end(b) > rank.end(a) ? b : a;
    }

    /**
     * The activity that ended last before a call returned: of those whose launch is not in the trace, as it lies before its
     * beginning, and, where nothing says what the call waits for, of those launched before it. -1 where none is near.
     */
    private int endedLast(int call, int i) {
        int place = endings.lastBy(slices.end(call) + GraphBuilder.CLOCK_ERROR);
        for (int k = place; k >= 0 && k > place - LOOK_BACK; k--) {
            int launch = links.launchOf(rank.activity.slice(endings.at(k)));
            if (launch < 0 || calls.scope.get(i) == HostCalls.UNKNOWN && slices.ts(launch) <= slices.ts(call)) {
                return endings.at(k);
            }
        }
        return -1;
    }

    /** Whether a call waited for the device. */
    boolean waited(int call) {
        return waited.get(call);
    }

    /** Of calls that waited, only their own cost is the host's. */
    void tell(HostChains threads) {
        for (int call = waited.nextSetBit(0); call >= 0; call = waited.nextSetBit(call + 1)) {
            threads.waited(call, ownCost.getOrDefault(slices.name(call), 0L));
        }
        for (int i = queued.nextSetBit(0); i >= 0; i = queued.nextSetBit(i + 1)) {
            threads.waited(queues.waits.get(i), queues.usual.get(i / 2));
        }
    }

    /** Adds the edges. */
    void connect(GraphBuilder graph, HostChains threads) {
        long latency = graph.counts(EdgeKind.SYNC).latency;
        int from = 0;
        for (int i = 0; i < last.length; i++) {
            int returns = threads.end(calls.blocking.get(i));
            int to = calls.awaitedEnd.get(i);
            boolean named = false;
            for (int k = from; k < to; k++) {
                named |= calls.awaited.get(k) == last[i];
                graph.edge(EdgeKind.SYNC, rank.endVertex(calls.awaited.get(k)), returns, latency);
            }
            if (!named && last[i] >= 0) {
                graph.edge(EdgeKind.SYNC, rank.endVertex(last[i]), returns, latency);
                graph.counts(EdgeKind.SYNC).inferred++;
            }
            from = to;
        }
        for (int i = 0; i < copies.size(); i++) {
            int a = copies.get(i);
            int call = links.launchOf(rank.activity.slice(a));
            graph.edge(EdgeKind.SYNC, rank.endVertex(a), threads.end(call), latency);
        }
        for (int i = 0; i < queues.waits.size(); i += 2) {
            int returns = threads.end(queues.waits.get(i));
            graph.edge(EdgeKind.SYNC, rank.endVertex(queues.waits.get(i + 1)), returns, latency);
        }
    }
}
