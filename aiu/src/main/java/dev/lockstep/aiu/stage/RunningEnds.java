// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/** When what is still running on a row ends: distinct times, the latest first. */
final class RunningEnds {
    private double[] ends = new double[4];
    private int size;

    /** Whether something ends while an event runs, having begun before it. */
    boolean conflicts(double ts, double end) {
        return next(ts) < end;
    }

    /** The first end behind a time; infinity if there is none. */
    double next(double ts) {
        for (int i = size - 1; i >= 0; i--) {
            if (ends[i] > ts) {
                return ends[i];
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Something runs from a time on. */
    void add(double ts, double end) {
        advance(ts);
        if (!(end >= ts)) {
            return;
        }
        int at = size;
        while (at > 0 && ends[at - 1] < end) {
            at--;
        }
        if (at > 0 && ends[at - 1] == end) {
            return;
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size * 2);
        }
        System.arraycopy(ends, at, ends, at + 1, size - at);
        ends[at] = end;
        size++;
    }

    /** Forgets what has ended before a time. */
    void advance(double ts) {
        while (size > 0 && !(ends[size - 1] >= ts)) {
            size--;
        }
    }

    /** How far an event would have to move to begin behind all that ends while it runs. */
    double needed(double ts, double end) {
        int from = LongOrder.leading(size, place -> !(ends[place] <= end));
        return from < size ? ends[from] - ts : Double.NEGATIVE_INFINITY;
    }
}
