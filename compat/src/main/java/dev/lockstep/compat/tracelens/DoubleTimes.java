// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.derive.MicrosecondDoubles;
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
    public double between(long from, long to) {
        return (MicrosecondDoubles.of(to) - MicrosecondDoubles.of(from)) * NS_PER_US;
    }

    @Override
    public double covered(Slices slices, int activity, int[] others) {
        double start = MicrosecondDoubles.start(slices, activity);
        double end = MicrosecondDoubles.end(slices, activity);
        DoubleSpans spans = new DoubleSpans();
        for (int other : others) {
            spans.add(
                    Math.max(start, MicrosecondDoubles.start(slices, other)),
                    Math.min(end, MicrosecondDoubles.end(slices, other)));
        }
        return spans.total() * NS_PER_US;
    }

    @Override
    public double shortMeanMicroseconds(LongList durations) {
        return Math.rint(sum(durations, 0, durations.size()) / durations.size() * 100) / 100;
    }

    /** In the order in which numpy adds: eight sums side by side, of long series each half by itself. */
    static double sum(LongList durations, int from, int n) {
        if (n > BLOCK) {
            int half = n / 2 - n / 2 % LANES;
            return sum(durations, from, half) + sum(durations, from + half, n - half);
        }
        int whole = n - n % LANES;
        double total = 0;
        if (whole > 0) {
            double[] lane = new double[LANES];
            for (int i = 0; i < whole; i++) {
                lane[i % LANES] += MicrosecondDoubles.of(durations.get(from + i));
            }
            total = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
        }
        for (int i = whole; i < n; i++) {
            total += MicrosecondDoubles.of(durations.get(from + i));
        }
        return total;
    }

    private static double microseconds(Slices slices, int[] activities) {
        DoubleSpans spans = new DoubleSpans();
        for (int slice : activities) {
            spans.add(MicrosecondDoubles.start(slices, slice), MicrosecondDoubles.end(slices, slice));
        }
        return spans.total();
    }
}
