// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.Arrays;

/**
 * How far points lie from the line of their unit.
 *
 * @param collectives how many collectives the points belong to
 * @param outliers points that lie so far away that they do not count
 * @param residualNs half of the points lie within this of the line
 * @param coveredNs 95 of 100 of those that count do
 */
record ClockSpread(int collectives, int outliers, double residualNs, double coveredNs) {
    private static final int OUTLIER = 5;
    private static final double LEAST_OUTLIER_NS = 1000;
    private static final double COVERED = 0.95;

    static ClockSpread of(ClockLines lines, int unit, ClockLines.Points points) {
        double[] far = lines.residuals(unit, points);
        int n = far.length;
        for (int i = 0; i < n; i++) {
            far[i] = Math.abs(far[i]);
        }
        double median = RobustLine.median(far);
        double limit = Math.max(LEAST_OUTLIER_NS, OUTLIER * RobustLine.ROBUST_SIGMA * median);
        int inside = (int) Arrays.stream(far).takeWhile(f -> f <= limit).count();
        double covered = inside == 0 ? 0 : far[Math.min(inside - 1, (int) Math.floor(COVERED * inside))];
        return new ClockSpread(points.independent(), n - inside, median, covered);
    }
}
