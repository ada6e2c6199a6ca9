// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.Arrays;

/**
 * How well a unit's line fits its collectives.
 *
 * @param collectives how many the line rests on
 * @param outliers points that lie so far away that they do not count
 * @param residualNs half of the points lie within this of the line
 * @param errorNs the line is right to within this from the first to the last moment of the recording
 */
record ClockSpread(int collectives, int outliers, double residualNs, double errorNs) {
    /** From here on the spread of the points tells the error; before, only that nobody leaves before all have come. */
    private static final int FEWEST_FOR_SPREAD = 6;

    private static final int OUTLIER = 5;
    private static final double LEAST_OUTLIER_NS = 1000;
    private static final double COVERED = 0.95;
    private static final double SMALL_SAMPLE = 6;

    /**
     * The spread of points around the line of their unit.
     *
     * @param farthest ns from the unit's center to the begin or end of its recording
     */
    static ClockSpread of(ClockLines lines, int unit, ClockLines.Points points, long farthest) {
        int n = points.off().length;
        if (n == 0) {
            return new ClockSpread(0, 0, 0, 0);
        }
        RobustLine line = lines.line[unit];
        double[] far = new double[n];
        for (int i = 0; i < n; i++) {
            far[i] = Math.abs(points.off()[i] - line.slope() * points.at()[i] + lines.place[unit]);
        }
        Arrays.sort(far);
        double median = RobustLine.median(far);
        double limit = Math.max(LEAST_OUTLIER_NS, OUTLIER * RobustLine.ROBUST_SIGMA * median);
        int inside = 0;
        while (inside < n && far[inside] <= limit) {
            inside++;
        }
        double covered = inside == 0 ? 0 : far[Math.min(inside - 1, (int) Math.floor(COVERED * inside))];
        double error = points.independent() < FEWEST_FOR_SPREAD
                ? Math.max(2 * covered, bound(lines, unit, points))
                : covered * (1 + SMALL_SAMPLE / points.independent());
        return new ClockSpread(points.independent(), n - inside, median, error + line.slopeError() * farthest);
    }

    /** By how much the unit's times could be moved without a member leaving a collective before another one came. */
    private static double bound(ClockLines lines, int unit, ClockLines.Points points) {
        CollectiveEnds ends = lines.ends;
        double later = Double.POSITIVE_INFINITY;
        double earlier = Double.POSITIVE_INFINITY;
        for (int point : points.point()) {
            int instance = ends.instance[point];
            double start = lines.onCommon(unit, ends.start[point]);
            double end = lines.onCommon(unit, ends.end[point]);
            for (int p = ends.firstPoint[instance]; p < ends.firstPoint[instance + 1]; p++) {
                int other = lines.unitOf[ends.rank[p]];
                if (other != unit && lines.known[other]) {
                    later = Math.min(later, Math.abs(lines.onCommon(other, ends.end[p]) - start));
                    earlier = Math.min(earlier, Math.abs(end - lines.onCommon(other, ends.start[p])));
                }
            }
        }
        return Math.max(later, earlier);
    }
}
