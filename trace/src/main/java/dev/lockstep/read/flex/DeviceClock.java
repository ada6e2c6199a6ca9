// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;

/**
 * How fast the counters of a device run, told by the events themselves: each says how many cycles a step took, and the host
 * says how long that was. The median, by duration, of all these ratios is taken, so that neither short events, which are
 * measured badly, nor a few wrong ones matter.
 */
final class DeviceClock {
    /** Ratios within this distance of the median agree with it. */
    private static final double AGREEING = 0.05;

    private final LongList cycles = new LongList(1024);
    private final LongList nanoseconds = new LongList(1024);

    /** Adds an event; what has no duration tells nothing. */
    void add(long cycleCount, long ns) {
        if (cycleCount > 0 && ns > 0) {
            cycles.add(cycleCount);
            nanoseconds.add(ns);
        }
    }

    /** Cycles per nanosecond; NaN when unknown: no event tells, or less than half of the time agrees. */
    double frequency() {
        int n = cycles.size();
        if (n == 0) {
            return Double.NaN;
        }
        long[] keys = new long[n];
        int[] order = new int[n];
        long total = 0;
        for (int i = 0; i < n; i++) {
            keys[i] = Double.doubleToLongBits(ratio(i)); // positive, so that bits are in the order of values
            order[i] = i;
            total += nanoseconds.get(i);
        }
        LongOrder.sort(keys, order);
        long before = 0;
        int middle = 0;
        for (; middle < n - 1; middle++) {
            before += nanoseconds.get(order[middle]);
            if (before * 2 >= total) {
                break;
            }
        }
        double median = ratio(order[middle]);
        return agreeing(median) * 2 >= total ? median : Double.NaN;
    }

    private long agreeing(double median) {
        long sum = 0;
        for (int i = 0; i < cycles.size(); i++) {
            if (Math.abs(ratio(i) - median) <= AGREEING * median) {
                sum += nanoseconds.get(i);
            }
        }
        return sum;
    }

    private double ratio(int i) {
        return (double) cycles.get(i) / nanoseconds.get(i);
    }
}
