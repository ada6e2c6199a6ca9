// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The clocks of a run as lines, each of one unit: a rank, or ranks of a node. What a unit's clock showed at the end of a
 * collective is held against when the others saw it end, by the median of their corrected ends; members of the unit
 * itself say nothing about its clock.
 *
 * <p>Units that are tied, directly or through others, form a block with a common clock. Units are attached one after the
 * other to those of their block that are known, first those that share most with them, so that clocks far apart are found
 * however many collectives stay inside a group. Then each is fitted again against all others, a few times over.
 */
final class UnitLines {
    private static final int ROUNDS = 4;

    /** So many other members speak for all of a large collective. */
    private static final int WITNESSES = 16;

    final Ties ties;
    final int[] unitOf;

    /** By unit: the first unit of its block, -1 where nothing ties it to another one. */
    final int[] block;

    /** By unit: a moment in the middle of its collectives on its own clock. */
    final long[] center;

    /** By unit: {@link #center} on the common clock of its block, whose 0 is the center of the block's first unit. */
    final double[] place;

    /** By unit: the line, against the common clock. */
    final RobustLine[] line;

    private final int[][] pointsOf;
    private final double[] witnesses = new double[2 * WITNESSES + 1];

    /** By collective: the last question about a unit's points that counted it. */
    private final int[] counted;

    private int questions;

    /** A unit with the number of its collectives that known units share. */
    private record Candidate(int shared, int unit) {}

    /**
     * @param unitOf by rank
     * @param units number of units
     */
    UnitLines(Ties ties, int[] unitOf, int units) {
        this.ties = ties;
        this.unitOf = unitOf;
        block = new int[units];
        Arrays.fill(block, -1);
        center = new long[units];
        place = new double[units];
        line = new RobustLine[units];
        Arrays.fill(line, new RobustLine(0, 0, 0));
        counted = new int[ties.instances];
        pointsOf = points(ties, unitOf, units);
        for (int unit = 0; unit < units; unit++) {
            center[unit] = center(pointsOf[unit]);
        }
        int[] shared = new int[units];
        boolean[] seen = new boolean[ties.instances];
        for (int unit = 0; unit < units; unit++) {
            if (block[unit] < 0) {
                attach(unit, shared, seen);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int unit = 0; unit < units; unit++) {
                if (isKnown(unit)) {
                    fit(unit);
                }
            }
        }
    }

    /** Whether a unit is tied to others. */
    boolean isKnown(int unit) {
        return block[unit] >= 0;
    }

    private static int[][] points(Ties ties, int[] unitOf, int units) {
        IntList[] all = new IntList[units];
        Arrays.setAll(all, unit -> new IntList(16));
        for (int rank = 0; rank < unitOf.length; rank++) {
            for (int point : ties.pointsOf[rank]) {
                all[unitOf[rank]].add(point);
            }
        }
        return Arrays.stream(all).map(IntList::toArray).toArray(int[][]::new);
    }

    private long center(int[] points) {
        long[] times =
                Arrays.stream(points).mapToLong(p -> ties.end[p]).sorted().toArray();
        return Quantiles.upperMedian(times, 0);
    }

    /** Makes the block of a unit, if something ties it to another. */
    private void attach(int first, int[] shared, boolean[] seen) {
        PriorityQueue<Candidate> next = new PriorityQueue<>(
                Comparator.comparingInt((Candidate c) -> -c.shared).thenComparingInt(Candidate::unit));
        block[first] = first;
        share(first, shared, seen, next);
        block[first] = next.isEmpty() ? -1 : first;
        while (!next.isEmpty()) {
            Candidate candidate = next.remove();
            int unit = candidate.unit;
            if (block[unit] < 0 && candidate.shared == shared[unit]) {
                block[unit] = first;
                fit(unit);
                share(unit, shared, seen, next);
            }
        }
    }

    /** Counts the collectives of a unit for all others in them. */
    private void share(int unit, int[] shared, boolean[] seen, PriorityQueue<Candidate> next) {
        IntList changed = new IntList(16);
        for (int point : pointsOf[unit]) {
            int instance = ties.instance[point];
            if (!seen[instance]) {
                seen[instance] = true;
                for (int p = ties.firstPoint[instance]; p < ties.firstPoint[instance + 1]; p++) {
                    int other = unitOf[ties.rank[p]];
                    shared[other]++;
                    changed.add(other);
                }
            }
        }
        Arrays.stream(changed.toArray())
                .distinct()
                .filter(other -> block[other] < 0)
                .forEach(other -> next.add(new Candidate(shared[other], other)));
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
     * @param point numbers among {@link Ties}
     * @param at when each ended on the unit's clock, from its center
     * @param off by how much more this is than when the others saw it end
     * @param independent number of collectives
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one owner to the next
    record Points(int[] point, long[] at, double[] off, int independent) {
        /** Some of them, by their places; those of one rank or of one group. */
        Points where(IntPredicate wanted, Ties ties) {
            int[] some = IntStream.range(0, point.length).filter(wanted).toArray();
            int[] points = Arrays.stream(some).map(i -> point[i]).toArray();
            return new Points(
                    points,
                    Arrays.stream(some).mapToLong(i -> at[i]).toArray(),
                    Arrays.stream(some).mapToDouble(i -> off[i]).toArray(),
                    (int) Arrays.stream(points)
                            .map(p -> ties.instance[p])
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

    /** The collectives that a unit shares with others of its block that are known. */
    Points pointsOf(int unit) {
        int[] points = new int[pointsOf[unit].length];
        LongList at = new LongList(points.length);
        double[] off = new double[points.length];
        int n = 0;
        int independent = 0;
        questions++;
        for (int point : pointsOf[unit]) {
            int instance = ties.instance[point];
            double seen = seenByOthers(unit, instance);
            if (!Double.isNaN(seen)) {
                long far = ties.end[point] - center[unit];
                at.add(far);
                off[n] = far - seen;
                points[n++] = point;
                independent += counted[instance] == questions ? 0 : 1;
                counted[instance] = questions;
            }
        }
        return new Points(Arrays.copyOf(points, n), at.toArray(), Arrays.copyOf(off, n), independent);
    }

    /** When others saw a collective end, on the common clock; NaN when nobody did. */
    private double seenByOthers(int unit, int instance) {
        int from = ties.firstPoint[instance];
        int members = ties.firstPoint[instance + 1] - from;
        int step = Math.max(1, members / WITNESSES);
        int n = 0;
        for (int phase = 0; phase < step && n == 0; phase++) {
            for (int m = (instance + phase) % step; m < members && n < witnesses.length; m += step) {
                int other = unitOf[ties.rank[from + m]];
                if (other != unit && isKnown(other)) {
                    witnesses[n++] = onCommon(other, ties.end[from + m]);
                }
            }
        }
        return n == 0 ? Double.NaN : Quantiles.medianOf(Arrays.copyOf(witnesses, n), 0);
    }

    /** A time of a unit's clock on the common clock. */
    double onCommon(int unit, long time) {
        return (time - center[unit]) * (1 - line[unit].slope()) + place[unit];
    }

    /** What the clock of a unit shows beyond that of another of its block when it shows its center. */
    long aheadAtCenter(int unit, int reference) {
        double common = (place[unit] - place[reference]) / (1 - line[reference].slope());
        return center[unit] - center[reference] - Math.round(common);
    }

    /** By how much this grows in each nanosecond of the unit's clock. */
    double driftAgainst(int unit, int reference) {
        return 1 - (1 - line[unit].slope()) / (1 - line[reference].slope());
    }
}
