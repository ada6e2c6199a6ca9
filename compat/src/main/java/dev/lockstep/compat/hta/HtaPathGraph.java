// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.Arrays;

/**
 * Moments and what leads from one to another: of each event its start (even numbers) and its end (odd ones). The longest way through
 * it is what HTA calls the critical path.
 */
final class HtaPathGraph {
    private final HtaEvents events;
    private final int[] slices;
    private final IntList from = new IntList(1024);
    private final IntList to = new IntList(1024);
    private final IntList kinds = new IntList(1024);
    private final IntList owners = new IntList(1024);
    private final LongList weights = new LongList(1024);

    /** @param slices the events; each gets two moments, in this order */
    HtaPathGraph(HtaEvents events, int[] slices) {
        this.events = events;
        this.slices = slices;
    }

    int slice(int node) {
        return slices[node >> 1];
    }

    boolean isEnd(int node) {
        return (node & 1) != 0;
    }

    long time(int node) {
        return isEnd(node) ? events.end(slice(node)) : events.start(slice(node));
    }

    int nodes() {
        return 2 * slices.length;
    }

    /**
     * Adds an edge that takes the time between its moments, or none.
     *
     * @param owner slice whose time it is
     * @param free whether it takes none
     */
    void edge(int source, int target, HtaEdge kind, int owner, boolean free) {
        from.add(source);
        to.add(target);
        kinds.add(kind.ordinal());
        owners.add(owner);
        weights.add(free ? 0 : Math.max(0, time(target) - time(source)));
    }

    int source(int edge) {
        return from.get(edge);
    }

    int target(int edge) {
        return to.get(edge);
    }

    HtaEdge kind(int edge) {
        return HtaEdge.of(kinds.get(edge));
    }

    int owner(int edge) {
        return owners.get(edge);
    }

    long weight(int edge) {
        return weights.get(edge);
    }

    /** The edges of the longest way, in order. Of ways of equal length the one whose edges were added first. */
    int[] longest() {
        int nodes = nodes();
        int[] firstOut = new int[nodes + 1];
        int[] waiting = new int[nodes];
        int edges = from.size();
        for (int e = 0; e < edges; e++) {
            firstOut[from.get(e) + 1]++;
            waiting[to.get(e)]++;
        }
        for (int n = 0; n < nodes; n++) {
            firstOut[n + 1] += firstOut[n];
        }
        int[] out = new int[edges];
        int[] next = Arrays.copyOf(firstOut, nodes);
        for (int e = 0; e < edges; e++) {
            out[next[from.get(e)]++] = e;
        }
        long[] length = new long[nodes];
        int[] best = new int[nodes];
        Arrays.fill(best, -1);
        int[] ready = new int[nodes];
        int count = 0;
        for (int n = 0; n < nodes; n++) {
            if (waiting[n] == 0) {
                ready[count++] = n;
            }
        }
        int last = -1;
        for (int i = 0; i < count; i++) {
            int node = ready[i];
            last = last < 0 || length[node] > length[last] ? node : last;
            for (int o = firstOut[node]; o < firstOut[node + 1]; o++) {
                int e = out[o];
                int target = to.get(e);
                long reached = length[node] + weights.get(e);
                boolean earlier = reached == length[target] && (best[target] < 0 || e < best[target]);
                if (reached > length[target] || earlier) {
                    length[target] = reached;
                    best[target] = e;
                }
                if (--waiting[target] == 0) {
                    ready[count++] = target;
                }
            }
        }
        return backFrom(last, best);
    }

    private int[] backFrom(int last, int[] best) {
        IntList path = new IntList(256);
        for (int node = last; node >= 0 && best[node] >= 0; node = from.get(best[node])) {
            path.add(best[node]);
        }
        int[] forward = new int[path.size()];
        for (int i = 0; i < forward.length; i++) {
            forward[i] = path.get(forward.length - 1 - i);
        }
        return forward;
    }
}
