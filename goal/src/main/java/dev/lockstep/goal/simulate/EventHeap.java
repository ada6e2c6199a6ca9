// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import java.util.Arrays;

/**
 * Events by time. Which of several at the same time comes first is defined by how the heap moves them, as in LogGOPSim,
 * whose results depend on it: the hole that the first leaves wanders down to the end by way of the earlier child, the
 * right one where both are at the same time, and what was last wanders up from there.
 */
final class EventHeap {
    private long[] times = new long[1024];
    private long[] events = new long[1024];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The time of the first event. */
    long time() {
        return times[0];
    }

    void push(long time, long event) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            events = Arrays.copyOf(events, size * 2);
        }
        up(size++, time, event);
    }

    /** Takes the first event. */
    long pop() {
        long first = events[0];
        int n = --size;
        if (n > 0) {
            long[] t = times;
            long[] e = events;
            int at = 0;
            int right = 2;
            while (right < n) {
                int child = t[right] > t[right - 1] ? right - 1 : right;
                t[at] = t[child];
                e[at] = e[child];
                at = child;
                right = 2 * at + 2;
            }
            if (right == n) {
                t[at] = t[right - 1];
                e[at] = e[right - 1];
                at = right - 1;
            }
            up(at, t[n], e[n]);
        }
        return first;
    }

    private void up(int hole, long time, long event) {
        int at = hole;
        while (at > 0) {
            int parent = at - 1 >> 1;
            if (times[parent] <= time) {
                break;
            }
            times[at] = times[parent];
            events[at] = events[parent];
            at = parent;
        }
        times[at] = time;
        events[at] = event;
    }
}
