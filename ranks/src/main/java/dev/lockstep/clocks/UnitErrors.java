// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.clocks.UnitLines.Points;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * How precisely the clocks of units (ranks, or ranks of one node) are known relative to each other: an upper limit of the
 * error, over the whole recording.
 *
 * <p>What the collectives of one group of ranks say about a unit is right to within the spread of their residuals, and of
 * their slope over the recording. Of few collectives the spread is known badly, so that the error is a multiple of it; one alone
 * only says that nobody left before all had come. Between units that share no group errors add up along the way, of which the
 * shortest counts.
 */
final class UnitErrors {
    /** From here on most of the points tell the spread; of fewer, all do. */
    private static final int FEWEST_FOR_SPREAD = 6;

    /**
     * By number of collectives: so many times the distance of the farthest is the error. By chance the median of normal numbers lies
     * beyond that in less than one of a hundred samples.
     */
    private static final double[] FAR = {0, 0, 64, 6, 4, 3};

    /** Ends of few collectives may agree more closely than times are written. */
    private static final double LEAST_OF_FEW_NS = 1000;

    private static final double SMALL_SAMPLE = 6;

    /**
     * An error.
     *
     * @param offsetNs of the offset, without what drift may do
     * @param drift of the drift
     * @param totalNs of both over the whole recording
     */
    record Limit(double offsetNs, double drift, double totalNs) {
        static final Limit NONE = new Limit(0, 0, 0);

        /** No way leads there. */
        static final Limit UNKNOWN =
                new Limit(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        Limit plus(Limit other) {
            return new Limit(offsetNs + other.offsetNs, drift + other.drift, totalNs + other.totalNs);
        }

        Limit plusNs(double more) {
            return new Limit(offsetNs + more, drift, totalNs + more);
        }
    }

    /** A unit in a group of ranks, and how well it is known there. */
    private record Edge(int unit, int group, Limit limit) {}

    /** @param place a unit, or behind all units a group */
    private record Reached(int place, Limit limit) {}

    private final UnitLines lines;
    private final List<List<Edge>> ofUnit = new ArrayList<>();
    private final List<List<Edge>> ofGroup = new ArrayList<>();

    /** @param farthest by unit: ns from its center to the begin or end of its recording */
    UnitErrors(UnitLines lines, List<Points> points, long[] farthest) {
        this.lines = lines;
        int groups = Arrays.stream(lines.ties.group).max().orElse(-1) + 1;
        for (int group = 0; group < groups; group++) {
            ofGroup.add(new ArrayList<>());
        }
        for (int unit = 0; unit < farthest.length; unit++) {
            ofUnit.add(new ArrayList<>());
            if (lines.isKnown(unit)) {
                add(unit, points.get(unit), farthest[unit]);
            }
        }
    }

    private void add(int unit, Points points, long farthest) {
        int[] group = new int[points.point().length];
        for (int i = 0; i < group.length; i++) {
            group[i] = lines.ties.group[lines.ties.instance[points.point()[i]]];
        }
        for (int g : Arrays.stream(group).sorted().distinct().toArray()) {
            Limit limit = limit(unit, points.where(i -> group[i] == g, lines.ties), farthest);
            Edge edge = new Edge(unit, g, limit);
            ofUnit.get(unit).add(edge);
            ofGroup.get(g).add(edge);
        }
    }

    private Limit limit(int unit, Points points, long farthest) {
        PointSpread spread = PointSpread.of(lines, unit, points);
        int n = points.independent();
        RobustLine rest = RobustLine.of(points.at(), lines.residuals(unit, points), n);
        double offset = n < FEWEST_FOR_SPREAD ? ofFew(unit, points, n) : spread.coveredNs() * (1 + SMALL_SAMPLE / n);
        double drift = Math.abs(rest.slope()) + rest.slopeError();
        return new Limit(offset, drift, offset + drift * farthest);
    }

    private double ofFew(int unit, Points points, int independent) {
        double farthest = 0;
        for (double far : lines.residuals(unit, points)) {
            farthest = Math.max(farthest, Math.abs(far));
        }
        double bound = Math.max(2 * farthest, bound(unit, points));
        return independent < 2 ? bound : Math.min(bound, LEAST_OF_FEW_NS + FAR[independent] * farthest);
    }

    /** By how much the unit's times could be moved without a member leaving a collective before another one came. */
    private double bound(int unit, Points points) {
        Ties ties = lines.ties;
        double later = Double.POSITIVE_INFINITY;
        double earlier = Double.POSITIVE_INFINITY;
        for (int point : points.point()) {
            int instance = ties.instance[point];
            double start = lines.onCommon(unit, ties.start[point]);
            double end = lines.onCommon(unit, ties.end[point]);
            for (int p = ties.firstPoint[instance]; p < ties.firstPoint[instance + 1]; p++) {
                int other = lines.unitOf[ties.rank[p]];
                if (other != unit) {
                    later = Math.min(later, Math.abs(lines.onCommon(other, ties.end[p]) - start));
                    earlier = Math.min(earlier, Math.abs(end - lines.onCommon(other, ties.start[p])));
                }
            }
        }
        return Math.max(later, earlier);
    }

    /** By unit: the error of its clock against that of the first unit of its block. */
    Limit[] ofBlocks() {
        int[] all = IntStream.range(0, ofUnit.size()).toArray();
        return reach(Arrays.stream(lines.block).filter(block -> block >= 0).distinct(), true, all);
    }

    /**
     * By unit: the error of its clock against that of one of them; known only of those that are wanted, as far as something
     * ties them.
     *
     * @param drifting false for clocks that cannot drift against one another, since they are one
     */
    Limit[] against(int unit, boolean drifting, int[] wanted) {
        return reach(IntStream.of(unit), drifting, wanted);
    }

    private Limit[] reach(IntStream from, boolean drifting, int[] wanted) {
        int units = ofUnit.size();
        Limit[] limits = new Limit[units + ofGroup.size()];
        Arrays.fill(limits, Limit.UNKNOWN);
        PriorityQueue<Reached> next = new PriorityQueue<>(
                Comparator.comparingDouble((Reached at) -> at.limit.totalNs).thenComparingInt(Reached::place));
        from.forEach(unit -> {
            limits[unit] = Limit.NONE;
            next.add(new Reached(unit, Limit.NONE));
        });
        BitSet left = new BitSet();
        Arrays.stream(wanted).forEach(left::set);
        while (!next.isEmpty() && !left.isEmpty()) {
            Reached at = next.remove();
            if (at.limit.totalNs > limits[at.place].totalNs) {
                continue;
            }
            left.clear(at.place);
            boolean isUnit = at.place < units;
            for (Edge edge : isUnit ? ofUnit.get(at.place) : ofGroup.get(at.place - units)) {
                int to = isUnit ? units + edge.group : edge.unit;
                Limit own = edge.limit;
                Limit step = drifting ? own : new Limit(own.offsetNs, 0, own.offsetNs);
                Limit limit = at.limit.plus(step).plusNs(isUnit ? 0 : 1);
                if (limit.totalNs < limits[to].totalNs) {
                    limits[to] = limit;
                    next.add(new Reached(to, limit));
                }
            }
        }
        return Arrays.copyOf(limits, units);
    }
}
