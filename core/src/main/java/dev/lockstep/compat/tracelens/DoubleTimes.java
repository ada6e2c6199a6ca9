// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.model.Slices;

/**
 * Times as differences of timestamps that are doubles of microseconds, which are coarse where the clock counts from long
 * ago: an end is the rounded sum of start and duration.
 */
final class DoubleTimes implements KernelSeconds {
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_S = 1e6;

    @Override
    public double of(Slices slices, int[] activities, long ns) {
        return microseconds(slices, activities) / US_PER_S;
    }

    @Override
    public double nanoseconds(Slices slices, int[] activities, long ns) {
        return microseconds(slices, activities) * NS_PER_US;
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
