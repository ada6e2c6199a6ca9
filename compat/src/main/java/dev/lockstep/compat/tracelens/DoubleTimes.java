// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;

/**
 * Times as differences of timestamps that are doubles of microseconds, which are coarse where the clock counts from long
 * ago: an end is the rounded sum of start and duration.
 */
final class DoubleTimes implements KernelSeconds {
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_S = 1e6;
    private static final int LANES = 8;
    private static final int BLOCK = 128;

    @Override
    public double of(Slices slices, int[] activities, long ns) {
        return microseconds(slices, activities) / US_PER_S;
    }

    @Override
    public double nanoseconds(Slices slices, int[] activities, long ns) {
        return microseconds(slices, activities) * NS_PER_US;
    }

    @Override
    public double shortMeanMicroseconds(LongList durations) {
        return Math.rint(sum(durations, 0, durations.size()) / durations.size() * 100) / 100;
    }

    /** In the order in which numpy adds: eight sums side by side, of long series each half by itself. */
    private static double sum(LongList durations, int from, int n) {
        if (n > BLOCK) {
            int half = n / 2 - n / 2 % LANES;
            return sum(durations, from, half) + sum(durations, from + half, n - half);
        }
        int whole = n - n % LANES;
        double total = 0;
        if (whole > 0) {
            double[] lane = new double[LANES];
            for (int i = 0; i < whole; i++) {
                lane[i % LANES] += durations.get(from + i) / NS_PER_US;
            }
            total = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
        }
        for (int i = whole; i < n; i++) {
            total += durations.get(from + i) / NS_PER_US;
        }
        return total;
    }

    private static double microseconds(Slices slices, int[] activities) {
        double total = 0;
        double start = 0;
        double reached = Double.NEGATIVE_INFINITY;
        for (int slice : activities) {
            double from = slices.ts(slice) / NS_PER_US;
            double to = from + slices.dur(slice) / NS_PER_US;
            if (from <= reached) {
                reached = Math.max(reached, to);
            } else {
                total += reached > start ? reached - start : 0;
                start = from;
                reached = to;
            }
        }
        total += reached > start ? reached - start : 0;
        return total;
    }
}
