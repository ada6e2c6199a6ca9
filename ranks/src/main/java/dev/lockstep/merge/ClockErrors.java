// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How precisely the clocks of units (ranks, or ranks of one node) are known relative to each other: an upper limit of the
 * error, over the whole recording.
 *
 * <p>What the collectives of one group of ranks say about a unit is right to within the spread of their residuals, and of
 * their slope over the recording; few collectives only say that nobody left before all had come. Between units that share
 * no group errors add up along the way, of which the shortest counts.
 */
final class ClockErrors {
    /** From here on the spread of the points tells the error. */
    private static final int FEWEST_FOR_SPREAD = 6;

    private static final double SMALL_SAMPLE = 6;

    /** A unit in a group of ranks, and how well it is known there, with and without what drift may do. */
    private record Edge(int unit, int group, double offsetNs, double errorNs) {}

    /** @param place a unit, or behind all units a group */
    private record Reached(int place, double errorNs) {}

    private final List<List<Edge>> ofUnit = new ArrayList<>();
    private final List<List<Edge>> ofGroup = new ArrayList<>();

    /** @param farthest by unit: ns from its center to the begin or end of its recording */
    ClockErrors(ClockLines lines, List<ClockLines.Points> points, long[] farthest) {
        int groups = Arrays.stream(lines.ends.group).max().orElse(-1) + 1;
        for (int group = 0; group < groups; group++) {
            ofGroup.add(new ArrayList<>());
        }
        for (int unit = 0; unit < farthest.length; unit++) {
            ofUnit.add(new ArrayList<>());
            if (lines.known[unit]) {
                add(lines, unit, points.get(unit), farthest[unit]);
            }
        }
    }

    private void add(ClockLines lines, int unit, ClockLines.Points points, long farthest) {
        int[] group = new int[points.point().length];
        for (int i = 0; i < group.length; i++) {
            group[i] = lines.ends.group[lines.ends.instance[points.point()[i]]];
        }
        for (int g : Arrays.stream(group).sorted().distinct().toArray()) {
            Edge edge = edge(lines, unit, g, points.where(i -> group[i] == g, lines.ends), farthest);
            ofUnit.get(unit).add(edge);
            ofGroup.get(g).add(edge);
        }
    }

    private static Edge edge(ClockLines lines, int unit, int group, ClockLines.Points points, long farthest) {
        ClockSpread spread = ClockSpread.of(lines, unit, points);
        int n = points.independent();
        RobustLine rest = RobustLine.of(points.at(), lines.residuals(unit, points), n);
        double offset = n < FEWEST_FOR_SPREAD
                ? Math.max(2 * spread.coveredNs(), bound(lines, unit, points))
                : spread.coveredNs() * (1 + SMALL_SAMPLE / n);
        return new Edge(unit, group, offset, offset + (Math.abs(rest.slope()) + rest.slopeError()) * farthest);
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

    /** By unit: the error of its clock against that of one of them; infinite where there is no way. */
    double[] against(int unit) {
        return against(unit, true);
    }

    /** The same for clocks that cannot drift against one another, since they are one. */
    double[] ofOneClock(int unit) {
        return against(unit, false);
    }

    private double[] against(int unit, boolean drifting) {
        int units = ofUnit.size();
        double[] errors = new double[units + ofGroup.size()];
        Arrays.fill(errors, Double.POSITIVE_INFINITY);
        errors[unit] = 0;
        PriorityQueue<Reached> next =
                new PriorityQueue<>(Comparator.comparingDouble(Reached::errorNs).thenComparingInt(Reached::place));
        next.add(new Reached(unit, 0));
        while (!next.isEmpty()) {
            Reached at = next.remove();
            if (at.errorNs > errors[at.place]) {
                continue;
            }
            boolean isUnit = at.place < units;
            for (Edge edge : isUnit ? ofUnit.get(at.place) : ofGroup.get(at.place - units)) {
                int to = isUnit ? units + edge.group : edge.unit;
                double error = at.errorNs + (drifting ? edge.errorNs : edge.offsetNs) + (isUnit ? 0 : 1);
                if (error < errors[to]) {
                    errors[to] = error;
                    next.add(new Reached(to, error));
                }
            }
        }
        return Arrays.copyOf(errors, units);
    }
}
