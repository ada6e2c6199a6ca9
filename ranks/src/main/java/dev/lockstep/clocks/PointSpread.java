// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.clocks.UnitLines.Points;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * How far points lie from the line of their unit.
 *
 * @param collectives how many collectives the points belong to
 * @param outliers points that lie so far away that they do not count
 * @param residualNs half of the points lie within this of the line
 * @param coveredNs 95 of 100 of those that count do
 * @param unsteadyNs how far collectives lie away that are outliers and follow each other in time, as they do where a clock is
 *     set anew; 0 where outliers lie about as chance has them
 */
record PointSpread(int collectives, int outliers, double residualNs, double coveredNs, double unsteadyNs) {
    private static final int OUTLIER = 5;
    private static final double LEAST_OUTLIER_NS = 1000;
    private static final double COVERED = 0.95;

    /** Outliers follow each other no more often by chance. */
    private static final double CHANCE = 0.01;

    static PointSpread of(UnitLines lines, int unit, Points points) {
        double[] residuals = lines.residuals(unit, points);
        int n = residuals.length;
        double[] far = new double[n];
        for (int i = 0; i < n; i++) {
            residuals[i] = Math.abs(residuals[i]);
            far[i] = residuals[i];
        }
        double median = Quantiles.medianOf(far, 0);
        double limit = Math.max(LEAST_OUTLIER_NS, OUTLIER * Quantiles.OF_MEDIAN_DEVIATION * median);
        int inside = (int) Arrays.stream(far).takeWhile(f -> f <= limit).count();
        double covered = inside == 0 ? 0 : far[Math.min(inside - 1, (int) Math.floor(COVERED * inside))];
        double unsteady = inside == n ? 0 : unsteady(lines.ties, points, residuals, limit);
        return new PointSpread(points.independent(), n - inside, median, covered, unsteady);
    }

    /** The largest median of collectives that follow each other as outliers more often than chance has it. */
    private static double unsteady(Ties ties, Points points, double[] far, double limit) {
        double[] inTime = inTime(ties, points, far);
        int outliers = (int) Arrays.stream(inTime).filter(f -> f > limit).count();
        double most = 0;
        for (int i = 0; i < inTime.length; i++) {
            int from = i;
            while (i < inTime.length && inTime[i] > limit) {
                i++;
            }
            if (i > from && byChance(inTime.length, outliers, i - from) < CHANCE) {
                most = Math.max(most, Quantiles.medianOf(Arrays.copyOfRange(inTime, from, i), 0));
            }
        }
        return most;
    }

    /** By collective, in order of time: how far half of its points lie away. */
    private static double[] inTime(Ties ties, Points points, double[] far) {
        int n = far.length;
        long[] instance = new long[n];
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            instance[i] = ties.instance[points.point()[i]];
            order[i] = i;
        }
        LongOrder.sort(instance, order);
        double[] medians = new double[points.independent()];
        long[] at = new long[medians.length];
        int[] places = new int[medians.length];
        int found = 0;
        for (int to = 0; to < n; found++) {
            int from = to;
            for (to++; to < n && instance[to] == instance[from]; to++) {}
            double[] some = new double[to - from];
            for (int i = from; i < to; i++) {
                some[i - from] = far[order[i]];
            }
            medians[found] = Quantiles.medianOf(some, 0);
            at[found] = Math.round(points.at()[order[from]] - points.off()[order[from]]);
            places[found] = found;
        }
        LongOrder.sort(at, places);
        return Arrays.stream(places).mapToDouble(place -> medians[place]).toArray();
    }

    /** How many runs of so many outliers there are on average, if the outliers are any of so many collectives. */
    private static double byChance(int collectives, int outliers, int run) {
        double chance = collectives - run + 1;
        for (int i = 0; i < run; i++) {
            chance *= (double) (outliers - i) / (collectives - i);
        }
        return chance;
    }
}
