// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.StudentT;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Tells ranks that fall behind more and more over a run, as a device that throttles does. */
final class RisingExcess {
    private static final double CHANCE = 0.05;

    /** Two points are always on a line, and three nearly. */
    private static final int FEWEST_STEPS = 4;

    /** By what neighbouring steps that are alike by half stretch the variance of a slope. */
    private static final double STRETCH = 3;

    private RisingExcess() {}

    /**
     * {@return whether what a rank takes longer grows over the run by more than chance, and at least doubles from begin to end}
     *
     * @param excess what it takes longer in each step; NaN for steps in which it is not compared
     * @param ranks among so many this is one that might rise
     */
    static boolean rises(double[] excess, int ranks) {
        int[] known = IntStream.range(0, excess.length)
                .filter(s -> !Double.isNaN(excess[s]))
                .toArray();
        int n = known.length;
        if (n < FEWEST_STEPS) {
            return false;
        }
        double middle = Arrays.stream(known).average().orElse(0);
        double mean = Arrays.stream(known).mapToDouble(s -> excess[s]).average().orElse(0);
        double squares = Arrays.stream(known)
                .mapToDouble(s -> (s - middle) * (s - middle))
                .sum();
        double slope =
                Arrays.stream(known).mapToDouble(s -> (s - middle) * excess[s]).sum() / squares;
        double rest = Arrays.stream(known)
                .mapToDouble(s -> Math.pow(excess[s] - mean - slope * (s - middle), 2))
                .sum();
        double rise = slope * (known[n - 1] - known[0]);
        double reach = StudentT.twoSided(1 - CHANCE / Math.max(2, ranks), n - 2)
                * Math.sqrt(rest / (n - 2) * STRETCH / squares);
        return slope > reach && rise > mean;
    }
}
