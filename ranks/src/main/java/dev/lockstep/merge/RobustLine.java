// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * A line through points, of which less than half may lie anywhere: its slope is the median of the slopes between points
 * half the points apart (Theil and Sen), its height the median of what is left.
 *
 * @param slope 0 where none can be told from none
 * @param slopeError the true slope lies within this of it
 * @param height at 0
 */
record RobustLine(double slope, double slopeError, double height) {
    static final int FEWEST_FOR_SLOPE = 8;

    /** Clocks that are no more wrong than crystals may be differ by less. */
    static final double LARGEST_UNSEEN = 200e-6;

    /** So many collectives are needed for a drift that is larger. */
    private static final int ENOUGH_FOR_ANY_SLOPE = 50;

    static final double ROBUST_SIGMA = 1.4826;
    private static final double ERROR_OF_MEDIAN = 1.2533;
    private static final double SURE = 3;
    private static final double SMALL_SAMPLE = 6;

    /**
     * The line.
     *
     * @param independent how many of the points were measured independently
     */
    static RobustLine of(long[] at, double[] values, int independent) {
        if (independent < FEWEST_FOR_SLOPE) {
            return new RobustLine(0, LARGEST_UNSEEN, median(values.clone()));
        }
        double[] slopes = slopes(at, values);
        double slope = slopes.length == 0 ? 0 : median(slopes);
        double error = slopes.length == 0 ? LARGEST_UNSEEN : errorOf(slopes, slope, independent);
        boolean implausible = Math.abs(slope) > LARGEST_UNSEEN && independent < ENOUGH_FOR_ANY_SLOPE;
        if (Math.abs(slope) <= error || implausible) {
            return new RobustLine(0, Math.min(LARGEST_UNSEEN, Math.abs(slope) + error), median(values.clone()));
        }
        double[] rest = new double[values.length];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = values[i] - slope * at[i];
        }
        return new RobustLine(slope, error, median(rest));
    }

    private static double errorOf(double[] slopes, double slope, int independent) {
        double[] far = new double[slopes.length];
        for (int i = 0; i < far.length; i++) {
            far[i] = Math.abs(slopes[i] - slope);
        }
        double pairs = Math.min(slopes.length, independent / 2.0);
        return SURE
                * (1 + SMALL_SAMPLE / independent)
                * ROBUST_SIGMA
                * median(far)
                * ERROR_OF_MEDIAN
                / Math.sqrt(pairs);
    }

    private static double[] slopes(long[] at, double[] values) {
        int[] order = new int[at.length];
        Arrays.setAll(order, i -> i);
        long[] keys = at.clone();
        LongOrder.sort(keys, order);
        int half = at.length / 2;
        double[] slopes = new double[at.length - half];
        int n = 0;
        for (int i = 0; i + half < at.length; i++) {
            long far = keys[i + half] - keys[i];
            if (far > 0) {
                slopes[n++] = (values[order[i + half]] - values[order[i]]) / far;
            }
        }
        return Arrays.copyOf(slopes, n);
    }

    /** The median, of the two in the middle the mean, 0 of nothing; sorts the values. */
    static double median(double[] values) {
        Arrays.sort(values);
        return values.length == 0 ? 0 : Quantiles.median(values, values.length);
    }
}
