// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * When nodes begin: as recorded, and where no time is recorded, once what they depend on is done. Then the host, the device and the
 * network carry out one node each at a time, as simulators have it.
 */
final class NodeTimes {
    /** A node that waits for nothing any more. */
    private record Ready(long from, int node) implements Comparable<Ready> {
        @Override
        public int compareTo(Ready other) {
            return from != other.from ? Long.compare(from, other.from) : Integer.compare(node, other.node);
        }
    }

    private static final int LANES = 3;

    private final NodeTable nodes;
    private final int[][] before;
    private final long[] start;

    NodeTimes(NodeTable nodes, int[][] before, Diagnostics diagnostics) {
        this.nodes = nodes;
        this.before = before;
        start = new long[nodes.size()];
        boolean recorded = false;
        for (int i = 0; i < start.length; i++) {
            start[i] = nodes.start.get(i);
            recorded |= start[i] >= 0;
        }
        if (recorded) {
            fill();
        } else {
            place(diagnostics);
        }
    }

    long start(int node) {
        return start[node];
    }

    private void fill() {
        for (int i = 0; i < start.length; i++) {
            start[i] = start[i] >= 0 ? start[i] : ready(i);
        }
    }

    private long ready(int node) {
        long from = 0;
        for (int other : before[node]) {
            from = Math.max(from, start[other] + nodes.duration.get(other));
        }
        return from;
    }

    private void place(Diagnostics diagnostics) {
        int[] open = new int[start.length];
        int[] first = new int[start.length + 1];
        for (int i = 0; i < start.length; i++) {
            open[i] = before[i].length;
            for (int other : before[i]) {
                first[other + 1]++;
            }
        }
        for (int i = 0; i < start.length; i++) {
            first[i + 1] += first[i];
        }
        int[] after = new int[first[start.length]];
        int[] next = first.clone();
        PriorityQueue<Ready> queue = new PriorityQueue<>();
        for (int i = 0; i < start.length; i++) {
            for (int other : before[i]) {
                after[next[other]++] = i;
            }
            if (open[i] == 0) {
                queue.add(new Ready(0, i));
            }
        }
        long[] free = new long[LANES];
        int placed = 0;
        for (Ready ready = queue.poll(); ready != null; ready = queue.poll()) {
            int node = ready.node;
            put(node, ready.from, free);
            placed++;
            for (int i = first[node]; i < first[node + 1]; i++) {
                if (--open[after[i]] == 0) {
                    queue.add(new Ready(ready(after[i]), after[i]));
                }
            }
        }
        if (placed < start.length) {
            long end = Arrays.stream(free).max().orElse(0);
            for (int i = 0; i < start.length; i++) {
                if (start[i] < 0) {
                    put(i, end, free);
                }
            }
            diagnostics.add(
                    Weight.REPAIRED,
                    "circular",
                    (start.length - placed) + " nodes wait for each other in a circle; they stand at the end",
                    -1);
        }
    }

    private void put(int node, long from, long[] free) {
        int lane = nodes.isOnHost(node) ? 0 : nodes.communicates(node) ? 1 : 2;
        start[node] = Math.max(from, free[lane]);
        free[lane] = start[node] + nodes.duration.get(node);
    }
}
