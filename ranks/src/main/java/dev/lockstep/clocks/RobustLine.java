// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * A line through points, of which less than half may lie anywhere: its slope is the median of the slopes between points
 * half the points apart (Theil and Sen), its height the median of what is left. Where the points fall into parts, as those of a
 * clock that was set anew, most of these slopes lead from one part to the other; then points closer together tell the slope of
 * the larger part.
 *
 * @param slope 0 where none can be told from none, or moves points by less than they scatter
 * @param slopeError the true slope lies within this of it
 * @param height at 0
 */
record RobustLine(double slope, double slopeError, double height) {
    static final int FEWEST_FOR_SLOPE = 8;

    /** Clocks that are no more wrong than crystals may be differ by less. */
    static final double LARGEST_UNSEEN = 200e-6;

    /** So many collectives are needed for a drift that is larger. */
    private static final int ENOUGH_FOR_ANY_SLOPE = 50;

    private static final double ERROR_OF_MEDIAN = 1.2533;
    private static final double SURE = 3;
    private static final double SMALL_SAMPLE = 6;

    /** Times are whole nanoseconds. */
    private static final double RESOLUTION_NS = 1;

    /** Points that count lie within so many deviations of a line. */
    private static final double INSIDE = 5 * Quantiles.OF_MEDIAN_DEVIATION;

    private static final int CLOSE = 8;
    private static final int FEWEST_FOR_PARTS = 3 * CLOSE;

    /** A line is clearly better if half of the points lie this many times closer to it. */
    private static final double CLEARLY = 2;

    /** So many times closer they must lie to a line that no crystal explains. */
    private static final double BY_FAR = 10;

    /** So many points show well enough how close points lie to a line. */
    private static final int ENOUGH_TO_COMPARE = 1024;

    /**
     * Points in order of their places.
     *
     * @param at where they lie, ascending
     * @param value how high
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one owner to the next
    private record Points(long[] at, double[] value) {
        static Points of(long[] at, double[] values) {
            long[] keys = at.clone();
            int[] order = new int[at.length];
            Arrays.setAll(order, i -> i);
            LongOrder.sort(keys, order);
            return new Points(
                    keys, Arrays.stream(order).mapToDouble(i -> values[i]).toArray());
        }

        int size() {
            return at.length;
        }

        /** The slopes between points so many places apart. */
        double[] slopes(int apart) {
            double[] slopes = new double[Math.max(0, at.length - apart)];
            int n = 0;
            for (int i = 0; i + apart < at.length; i++) {
                long far = at[i + apart] - at[i];
                if (far > 0) {
                    slopes[n++] = (value[i + apart] - value[i]) / far;
                }
            }
            return Arrays.copyOf(slopes, n);
        }

        double[] less(double slope) {
            double[] rest = new double[value.length];
            for (int i = 0; i < rest.length; i++) {
                rest[i] = value[i] - slope * at[i];
            }
            return rest;
        }

        /** Half of the points lie within this of a line of a slope. */
        double distance(double slope) {
            int step = Math.max(1, at.length / ENOUGH_TO_COMPARE);
            double[] rest = new double[(at.length + step - 1) / step];
            for (int i = 0; i < rest.length; i++) {
                rest[i] = value[i * step] - slope * at[i * step];
            }
            double height = Quantiles.medianOf(rest.clone(), 0);
            for (int i = 0; i < rest.length; i++) {
                rest[i] = Math.abs(rest[i] - height);
            }
            return Quantiles.medianOf(rest, 0);
        }

        /** Those that lie close to the line of a slope. */
        Points near(double slope) {
            double[] rest = less(slope);
            double height = Quantiles.medianOf(rest.clone(), 0);
            double limit = Math.max(RESOLUTION_NS, INSIDE * distance(slope));
            int n = 0;
            long[] places = new long[at.length];
            double[] values = new double[at.length];
            for (int i = 0; i < rest.length; i++) {
                if (Math.abs(rest[i] - height) <= limit) {
                    places[n] = at[i];
                    values[n++] = value[i];
                }
            }
            return new Points(Arrays.copyOf(places, n), Arrays.copyOf(values, n));
        }
    }

    /**
     * The line.
     *
     * @param independent how many of the points were measured independently
     */
    static RobustLine of(long[] at, double[] values, int independent) {
        if (independent < FEWEST_FOR_SLOPE) {
            return flat(LARGEST_UNSEEN, values);
        }
        Points all = Points.of(at, values);
        Points points = largestPart(all);
        double[] slopes = points.slopes(points.size() / 2);
        if (slopes.length == 0) {
            return flat(LARGEST_UNSEEN, values);
        }
        double slope = Quantiles.medianOf(slopes, 0);
        int counted = independent * points.size() / all.size();
        double error = errorOf(slopes, slope, Math.max(2, counted))
                + RESOLUTION_NS / (points.at[points.size() - 1] - points.at[0]);
        boolean implausible = Math.abs(slope) > LARGEST_UNSEEN
                && (independent < ENOUGH_FOR_ANY_SLOPE || BY_FAR * all.distance(slope) > all.distance(0));
        boolean unseen = Math.abs(slope) * (all.at[all.size() - 1] - all.at[0]) / 2 <= SURE * all.distance(slope);
        if (Math.abs(slope) <= error || unseen || implausible) {
            return flat(Math.min(LARGEST_UNSEEN, Math.abs(slope) + error), values);
        }
        return new RobustLine(slope, error, Quantiles.medianOf(all.less(slope), 0));
    }

    private static RobustLine flat(double error, double[] values) {
        return new RobustLine(0, error, Quantiles.medianOf(values.clone(), 0));
    }

    /** All points; where these fall into parts, those of the part that holds most. */
    private static Points largestPart(Points all) {
        if (all.size() < FEWEST_FOR_PARTS) {
            return all;
        }
        double across = Quantiles.medianOf(all.slopes(all.size() / 2), 0);
        double within = Quantiles.medianOf(all.slopes(all.size() / CLOSE), 0);
        return CLEARLY * all.distance(within) < all.distance(across) ? all.near(within) : all;
    }

    private static double errorOf(double[] slopes, double slope, int independent) {
        double[] far = new double[slopes.length];
        for (int i = 0; i < far.length; i++) {
            far[i] = Math.abs(slopes[i] - slope);
        }
        double pairs = Math.min(slopes.length, independent / 2.0);
        return SURE
                * (1 + SMALL_SAMPLE / independent)
                * Quantiles.OF_MEDIAN_DEVIATION
                * Quantiles.medianOf(far, 0)
                * ERROR_OF_MEDIAN
                / Math.sqrt(pairs);
    }
}
