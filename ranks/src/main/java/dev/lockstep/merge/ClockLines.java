// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.table.LongList;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The clocks of a run as lines, each of one unit: a rank, or ranks of a node. What a unit's clock showed at the end of a
 * collective is held against when the others saw it end, by the median of their corrected ends; members of the unit
 * itself say nothing about its clock.
 *
 * <p>Units are attached one after the other to those that are known, first those that share most with them, so that
 * clocks far apart are found however many collectives stay inside a group. Then each is fitted again against all others,
 * a few times over.
 */
final class ClockLines {
    private static final int ROUNDS = 4;

    /** So many other members speak for all of a large collective. */
    private static final int WITNESSES = 16;

    final CollectiveEnds ends;
    final int[] unitOf;

    /** By unit. */
    final boolean[] known;

    /** By unit: a moment in the middle of its collectives on its own clock. */
    final long[] center;

    /** By unit: {@link #center} on the common clock, whose 0 is the center of the first unit. */
    final double[] place;

    /** By unit: the line, against the common clock. */
    final RobustLine[] line;

    private final int[][] pointsOf;
    private final double[] witnesses = new double[2 * WITNESSES + 1];

    /**
     * @param unitOf by rank
     * @param reference the unit that is known first
     */
    ClockLines(CollectiveEnds ends, int[] unitOf, int units, int reference) {
        this.ends = ends;
        this.unitOf = unitOf;
        known = new boolean[units];
        center = new long[units];
        place = new double[units];
        line = new RobustLine[units];
        Arrays.fill(line, new RobustLine(0, 0, 0));
        pointsOf = new int[units][];
        for (int unit = 0; unit < units; unit++) {
            pointsOf[unit] = points(unit);
            center[unit] = center(pointsOf[unit]);
        }
        known[reference] = true;
        attach(reference);
        for (int round = 0; round < ROUNDS; round++) {
            for (int unit = 0; unit < units; unit++) {
                if (known[unit]) {
                    fit(unit);
                }
            }
        }
    }

    private int[] points(int unit) {
        int[] all = new int[0];
        for (int rank = 0; rank < unitOf.length; rank++) {
            if (unitOf[rank] == unit) {
                int[] more = ends.pointsOf[rank];
                all = Arrays.copyOf(all, all.length + more.length);
                System.arraycopy(more, 0, all, all.length - more.length, more.length);
            }
        }
        return all;
    }

    private long center(int[] points) {
        long[] times =
                Arrays.stream(points).mapToLong(p -> ends.end[p]).sorted().toArray();
        return times.length == 0 ? 0 : times[times.length / 2];
    }

    private void attach(int reference) {
        int[] shared = new int[known.length];
        boolean[] seen = new boolean[ends.instances];
        int next = reference;
        while (next >= 0) {
            if (next != reference) {
                fit(next);
                known[next] = true;
            }
            for (int point : pointsOf[next]) {
                int instance = ends.instance[point];
                if (!seen[instance]) {
                    seen[instance] = true;
                    for (int p = ends.firstPoint[instance]; p < ends.firstPoint[instance + 1]; p++) {
                        shared[unitOf[ends.rank[p]]]++;
                    }
                }
            }
            next = -1;
            for (int unit = 0; unit < known.length; unit++) {
                if (!known[unit] && shared[unit] > 0 && (next < 0 || shared[unit] > shared[next])) {
                    next = unit;
                }
            }
        }
    }

    private void fit(int unit) {
        Points p = pointsOf(unit);
        if (p.at.length > 0) {
            line[unit] = RobustLine.of(p.at, p.off, p.independent);
            place[unit] = -line[unit].height();
        }
    }

    /**
     * What a unit's collectives say about its clock.
     *
     * @param point numbers among {@link CollectiveEnds}
     * @param at when each ended on the unit's clock, from its center
     * @param off by how much more this is than when the others saw it end
     * @param independent number of collectives
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one owner to the next
    record Points(int[] point, long[] at, double[] off, int independent) {
        /** Some of them, by their places; those of one rank or of one group. */
        Points where(IntPredicate wanted, CollectiveEnds ends) {
            int[] some = IntStream.range(0, point.length).filter(wanted).toArray();
            int[] points = Arrays.stream(some).map(i -> point[i]).toArray();
            return new Points(
                    points,
                    Arrays.stream(some).mapToLong(i -> at[i]).toArray(),
                    Arrays.stream(some).mapToDouble(i -> off[i]).toArray(),
                    (int) Arrays.stream(points)
                            .map(p -> ends.instance[p])
                            .distinct()
                            .count());
        }
    }

    /** How far points lie from the line of their unit. */
    double[] residuals(int unit, Points points) {
        double[] far = new double[points.off.length];
        for (int i = 0; i < far.length; i++) {
            far[i] = points.off[i] - line[unit].slope() * points.at[i] + place[unit];
        }
        return far;
    }

    /** The collectives that a unit shares with others that are known. */
    Points pointsOf(int unit) {
        int[] points = new int[pointsOf[unit].length];
        LongList at = new LongList(points.length);
        double[] off = new double[points.length];
        int n = 0;
        int independent = 0;
        boolean[] counted = new boolean[ends.instances];
        for (int point : pointsOf[unit]) {
            int instance = ends.instance[point];
            double seen = seenByOthers(unit, instance);
            if (!Double.isNaN(seen)) {
                long far = ends.end[point] - center[unit];
                at.add(far);
                off[n] = far - seen;
                points[n++] = point;
                independent += counted[instance] ? 0 : 1;
                counted[instance] = true;
            }
        }
        return new Points(Arrays.copyOf(points, n), at.toArray(), Arrays.copyOf(off, n), independent);
    }

    /** When others saw a collective end, on the common clock; NaN when nobody did. */
    private double seenByOthers(int unit, int instance) {
        int from = ends.firstPoint[instance];
        int members = ends.firstPoint[instance + 1] - from;
        int step = Math.max(1, members / WITNESSES);
        int n = 0;
        for (int phase = 0; phase < step && n == 0; phase++) {
            for (int m = (instance + phase) % step; m < members && n < witnesses.length; m += step) {
                int other = unitOf[ends.rank[from + m]];
                if (other != unit && known[other]) {
                    witnesses[n++] = onCommon(other, ends.end[from + m]);
                }
            }
        }
        return n == 0 ? Double.NaN : RobustLine.median(Arrays.copyOf(witnesses, n));
    }

    /** A time of a unit's clock on the common clock. */
    double onCommon(int unit, long time) {
        return (time - center[unit]) * (1 - line[unit].slope()) + place[unit];
    }

    /** What the clock of a unit shows beyond that of another when it shows its center. */
    long aheadAtCenter(int unit, int reference) {
        double common = (place[unit] - place[reference]) / (1 - line[reference].slope());
        return center[unit] - center[reference] - Math.round(common);
    }

    /** By how much this grows in each nanosecond of the unit's clock. */
    double driftAgainst(int unit, int reference) {
        return 1 - (1 - line[unit].slope()) / (1 - line[reference].slope());
    }
}
