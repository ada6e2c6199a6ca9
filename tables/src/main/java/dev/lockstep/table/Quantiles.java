// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.Arrays;

/**
 * Medians and other quantiles of values in ascending order, and how far values scatter. A median is the mean of the two in the
 * middle where their number is even; quantiles come interpolated, as most tools give them, or as a value that occurred.
 */
public final class Quantiles {
    /** The median absolute deviation of normally distributed values, times this, is their standard deviation. */
    public static final double OF_MEDIAN_DEVIATION = 1.4826;

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
     * The median that occurred: of the two in the middle the lower.
     *
     * @param sorted the values, ascending
     * @param ofNone what is given where there are none
     * @return the value
     */
    public static long lowerMedian(long[] sorted, long ofNone) {
        return sorted.length == 0 ? ofNone : lowerMedian(sorted);
    }

    /**
     * The median that occurred: of the two in the middle the higher.
     *
     * @param sorted the values, ascending
     * @param ofNone what is given where there are none
     * @return the value
     */
    public static long upperMedian(long[] sorted, long ofNone) {
        return sorted.length == 0 ? ofNone : sorted[sorted.length / 2];
    }

    /**
     * The median that occurred: of the two in the middle the higher.
     *
     * @param sorted the values, ascending
     * @param ofNone what is given where there are none
     * @return the value
     */
    public static double upperMedian(double[] sorted, double ofNone) {
        return sorted.length == 0 ? ofNone : sorted[sorted.length / 2];
    }

    /**
     * The median of values in any order.
     *
     * @param values the values, which get sorted
     * @param ofNone what is given where there are none
     * @return the median
     */
    public static double medianOf(double[] values, double ofNone) {
        Arrays.sort(values);
        return values.length == 0 ? ofNone : median(values, values.length);
    }

    /**
     * {@return the least value up to which half of the weight lies; NaN where nothing has weight}
     *
     * @param values none negative, in any order
     * @param weights of each, none negative
     */
    public static double weightedMedian(double[] values, double[] weights) {
        int[] order = new int[values.length];
        long[] keys = new long[values.length];
        double all = 0;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            keys[i] = Double.doubleToLongBits(values[i]); // of one sign, so that bits are in the order of values
            all += weights[i];
        }
        LongOrder.sort(keys, order);
        double sum = 0;
        for (int i : order) {
            sum += weights[i];
            if (sum * 2 >= all && all > 0) {
                return values[i];
            }
        }
        return Double.NaN;
    }

    /**
     * The median that occurred, of values in any order: of the two in the middle the lower.
     *
     * @param values the values, which get sorted; at least one
     * @return the value
     */
    public static long lowerMedianOf(long[] values) {
        Arrays.sort(values);
        return lowerMedian(values);
    }

    /**
     * The value that so large a part of the others precedes.
     *
     * @param sorted the values, ascending
     * @param share from 0, the least value, to less than 1
     * @param ofNone what is given where there are none
     * @return the value
     */
    public static long at(long[] sorted, double share, long ofNone) {
        return sorted.length == 0 ? ofNone : sorted[(int) (share * sorted.length)];
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

    /**
     * The standard deviation of a sample.
     *
     * @param values in any order; further ones may follow
     * @param count how many they are
     * @param mean their mean
     * @return the deviation; NaN of fewer than two
     */
    public static double deviation(double[] values, int count, double mean) {
        return deviation(squares(values, count, mean), count);
    }

    /**
     * The standard deviation of a sample.
     *
     * @param values in any order
     * @param mean their mean
     * @return the deviation; NaN of fewer than two
     */
    public static double deviation(long[] values, double mean) {
        return deviation(squares(values, mean), values.length);
    }

    /**
     * How far values lie from their mean.
     *
     * @param values in the order in which they are added up; further ones may follow
     * @param count how many they are
     * @param mean their mean
     * @return the sum of the squares of the distances
     */
    public static double squares(double[] values, int count, double mean) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        return squares;
    }

    /**
     * How far values lie from their mean.
     *
     * @param values in any order
     * @param mean their mean
     * @return the sum of the squares of the distances
     */
    public static double squares(long[] values, double mean) {
        double squares = 0;
        for (long value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares;
    }

    private static double deviation(double squares, int count) {
        return count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
    }
}
