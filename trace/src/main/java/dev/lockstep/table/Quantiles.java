// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/**
 * Medians and other quantiles of values in ascending order. A median is the mean of the two in the middle where their number is
 * even; quantiles come interpolated, as most tools give them, or as a value that occurred.
 */
public final class Quantiles {
    private static final int HUNDRED = 100;

    private Quantiles() {}

    /**
     * The median.
     *
     * @param sorted the values, ascending; further ones may follow
     * @param count how many they are, at least 1
     * @return the median
     */
    public static double median(double[] sorted, int count) {
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    }

    /**
     * The median.
     *
     * @param sorted the values, ascending; further ones may follow
     * @param count how many they are, at least 1
     * @return the median
     */
    public static double median(long[] sorted, int count) {
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + (double) sorted[count / 2]) / 2;
    }

    /**
     * The median as a whole number.
     *
     * @param sorted the values, ascending, at least one
     * @return the median, a half rounded down
     */
    public static long wholeMedian(long[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : sorted[middle - 1] + Math.floorDiv(sorted[middle] - sorted[middle - 1], 2);
    }

    /**
     * The median that occurred: of the two in the middle the lower.
     *
     * @param sorted the values, ascending
     * @param ofNone what is given where there are none
     * @return the value
     */
    public static double lowerMedian(double[] sorted, double ofNone) {
        return sorted.length == 0 ? ofNone : sorted[(sorted.length - 1) / 2];
    }

    /**
     * The median that occurred: of the two in the middle the lower.
     *
     * @param sorted the values, ascending, at least one
     * @return the value
     */
    public static long lowerMedian(long[] sorted) {
        return sorted[(sorted.length - 1) / 2];
    }

    /**
     * A quantile between the two nearest values, by their distance.
     *
     * @param sorted the values, ascending, at least one
     * @param share from 0, the least value, to 1, the largest
     * @return the quantile
     */
    public static double interpolated(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /**
     * A quantile between the two nearest values, by their distance.
     *
     * @param sorted the values, ascending, at least one
     * @param share from 0, the least value, to 1, the largest
     * @return the quantile
     */
    public static double interpolated(long[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /**
     * The least value that so many in a hundred do not exceed.
     *
     * @param sorted the values, ascending, at least one
     * @param percent from 0 to 100
     * @return the value
     */
    public static long nearestRank(long[] sorted, int percent) {
        return sorted[(int) Math.max(0, ((long) sorted.length * percent + HUNDRED - 1) / HUNDRED - 1)];
    }
}
