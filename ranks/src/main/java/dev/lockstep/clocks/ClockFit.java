// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.clocks.ClockLine.Basis;
import dev.lockstep.clocks.UnitErrors.Limit;
import dev.lockstep.clocks.UnitLines.Points;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Offset and drift of each rank's clock against that of the first rank of its block. Each rank is fitted on its own first;
 * where the clocks of a node's ranks then agree within their errors, they are one clock, which is fitted again by the
 * collectives that the node shares with others.
 *
 * <p>The reference is the first rank of the largest block.
 */
final class ClockFit {
    private final List<RankRecording> ranks;
    private final Ties ties;
    private final int[] nodes;
    private final boolean[] shared;
    private final ClockLine[] lines;
    private int reference;

    private ClockFit(List<RankRecording> ranks, Ties ties, int[] nodes) {
        this.ranks = ranks;
        this.ties = ties;
        this.nodes = nodes;
        this.shared = new boolean[Arrays.stream(nodes).max().orElse(-1) + 1];
        this.lines = new ClockLine[ranks.size()];
    }

    /**
     * Fits the clocks.
     *
     * @param nodes by rank: the number of its node, -1 when unknown
     */
    static ClockFit of(List<RankRecording> ranks, Ties ties, int[] nodes) {
        ClockFit fit = new ClockFit(ranks, ties, nodes);
        int[] each = new int[ranks.size()];
        Arrays.setAll(each, rank -> rank);
        Fitted alone = fit.fitted(each, ranks.size());
        fit.judgeNodes(alone);
        int[] unitOf = new int[ranks.size()];
        int units = fit.units(unitOf);
        fit.conclude(alone, units == ranks.size() ? alone : fit.fitted(unitOf, units));
        return fit;
    }

    /** The clocks, by place of the rank. */
    List<ClockLine> lines() {
        return List.of(lines);
    }

    /** Place of the reference among the ranks; 0 where there are none. */
    int reference() {
        return reference;
    }

    /** By node: whether its ranks were found to have one clock; false for those of one rank. */
    boolean[] shared() {
        return shared;
    }

    /**
     * Lines of units and how well they fit.
     *
     * @param ranksOf by unit
     * @param spreads by rank: its own points around the line of its unit
     * @param unsteady by unit: how far its clock leaves its line in a part of the recording
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one owner to the next
    private record Fitted(
            UnitLines lines, IntList[] ranksOf, UnitErrors errors, PointSpread[] spreads, double[] unsteady) {
        boolean knows(int rank) {
            return lines.isKnown(lines.unitOf[rank]) && spreads[rank].collectives() > 0;
        }
    }

    private Fitted fitted(int[] unitOf, int units) {
        UnitLines of = new UnitLines(ties, unitOf, units);
        IntList[] ranksOf = new IntList[units];
        Arrays.setAll(ranksOf, unit -> new IntList(1));
        for (int rank = 0; rank < unitOf.length; rank++) {
            ranksOf[unitOf[rank]].add(rank);
        }
        List<Points> points = new ArrayList<>();
        PointSpread[] spreads = new PointSpread[unitOf.length];
        double[] unsteady = new double[units];
        long[] farthest = new long[units];
        for (int unit = 0; unit < units; unit++) {
            Points all = of.pointsOf(unit);
            points.add(all);
            unsteady[unit] = PointSpread.of(of, unit, all).unsteadyNs();
            for (int rank : ranksOf[unit].toArray()) {
                Points own = ranksOf[unit].size() == 1 ? all : all.where(i -> ties.rank[all.point()[i]] == rank, ties);
                spreads[rank] = PointSpread.of(of, unit, own);
                farthest[unit] = Math.max(farthest[unit], farthest(of.center[unit], rank));
            }
        }
        return new Fitted(of, ranksOf, new UnitErrors(of, points, farthest), spreads, unsteady);
    }

    private long farthest(long center, int rank) {
        return ties.pointsOf[rank].length == 0
                ? 0
                : Math.max(
                        Math.abs(center - ranks.get(rank).first()),
                        Math.abs(ranks.get(rank).last() - center));
    }

    /** Nodes whose ranks have one clock as far as can be told. */
    private void judgeNodes(Fitted alone) {
        IntList[] members = new IntList[shared.length];
        Arrays.setAll(members, node -> new IntList(8));
        for (int rank = 0; rank < nodes.length; rank++) {
            if (nodes[rank] >= 0) {
                members[nodes[rank]].add(rank);
            }
        }
        for (int node = 0; node < shared.length; node++) {
            int[] known =
                    Arrays.stream(members[node].toArray()).filter(alone::knows).toArray();
            shared[node] = members[node].size() > 1 && known.length > 0 && agree(alone, known);
        }
    }

    /** Whether ranks that are compared with one another have clocks that agree. */
    private boolean agree(Fitted alone, int[] known) {
        int[] block = alone.lines.block;
        for (int first : known) {
            int[] like = Arrays.stream(known)
                    .filter(rank -> block[rank] == block[first])
                    .toArray();
            if (like[0] != first || like.length == 1) {
                continue;
            }
            int best = best(alone, like);
            Limit[] errors = alone.errors.against(best, true, like);
            for (int rank : like) {
                if (apart(alone.lines, rank, best, rank) > errors[rank].totalNs()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The rank that the others of its block are known best against. */
    private static int best(Fitted alone, int[] like) {
        Limit[] errors = alone.errors.against(alone.lines.block[like[0]], true, like);
        int best = like[0];
        for (int rank : like) {
            best = errors[rank].totalNs() < errors[best].totalNs() ? rank : best;
        }
        return best;
    }

    /** How far the line of a unit lies from that of another, at most, while a rank was recorded. */
    private double apart(UnitLines of, int unit, int other, int rank) {
        return Math.max(
                Math.abs(ahead(of, unit, other, ranks.get(rank).first())),
                Math.abs(ahead(of, unit, other, ranks.get(rank).last())));
    }

    private static double ahead(UnitLines of, int unit, int other, long time) {
        return of.aheadAtCenter(unit, other) + of.driftAgainst(unit, other) * (time - of.center[unit]);
    }

    private int units(int[] unitOf) {
        int[] unitOfNode = new int[shared.length];
        Arrays.fill(unitOfNode, -1);
        int units = 0;
        for (int rank = 0; rank < unitOf.length; rank++) {
            int node = nodes[rank];
            if (!isOfNode(rank)) {
                unitOf[rank] = units++;
            } else {
                unitOfNode[node] = unitOfNode[node] < 0 ? units++ : unitOfNode[node];
                unitOf[rank] = unitOfNode[node];
            }
        }
        return units;
    }

    private boolean isOfNode(int rank) {
        return nodes[rank] >= 0 && shared[nodes[rank]];
    }

    private void conclude(Fitted alone, Fitted together) {
        UnitLines of = together.lines;
        Limit[] errors = together.errors.ofBlocks();
        int units = together.ranksOf.length;
        int[] first = new int[units];
        Limit[][] ofFirst = new Limit[units][];
        int[] size = new int[units];
        for (int unit = 0; unit < units; unit++) {
            int block = of.isKnown(unit) ? of.block[unit] : unit;
            if (block == unit) {
                int[] members = together.ranksOf[unit].toArray();
                first[unit] =
                        Arrays.stream(members).filter(alone::knows).findFirst().orElse(members[0]);
                ofFirst[unit] = alone.errors.against(first[unit], false, members);
            }
            first[unit] = first[block];
            size[block] += together.ranksOf[unit].size();
            for (int rank : together.ranksOf[unit].toArray()) {
                if (block == unit) {
                    lines[rank] = besideReference(
                            alone, rank, first[unit], ofFirst[unit], together.ranksOf[unit], together.unsteady[unit]);
                } else {
                    double more = isOfNode(rank) ? disagreement(alone, of, rank, first[unit]) : 0;
                    double uneven = together.unsteady[unit] + together.unsteady[block];
                    Limit error = errors[unit].plusNs(more + uneven);
                    lines[rank] = line(together, rank, of.unitOf[first[unit]], first[unit], error);
                }
            }
        }
        int largest = 0;
        for (int unit = 0; unit < units; unit++) {
            largest = size[unit] > size[largest] ? unit : largest;
        }
        reference = units == 0 ? 0 : first[largest];
    }

    /** The line of a rank whose clock is that of the first rank of its block, as far as can be told. */
    private static ClockLine besideReference(
            Fitted alone, int rank, int first, Limit[] errors, IntList members, double unsteady) {
        if (members.size() == 1 && !alone.knows(rank)) {
            return ClockLine.alone(rank);
        }
        PointSpread spread = alone.spreads[rank];
        Limit error = rank == first ? Limit.NONE : errors[rank];
        if (Double.isInfinite(error.totalNs())) {
            error = worst(errors, members);
        }
        return new ClockLine(
                rank == first ? Basis.REFERENCE : Basis.NODE,
                first,
                spread.collectives(),
                spread.outliers(),
                alone.lines.center[rank],
                0,
                0,
                0,
                Math.round(spread.residualNs()),
                (long) Math.ceil(error.totalNs()),
                (long) Math.ceil(unsteady),
                0);
    }

    private static Limit worst(Limit[] errors, IntList members) {
        Limit worst = Limit.NONE;
        for (int rank : members.toArray()) {
            boolean finite = !Double.isInfinite(errors[rank].totalNs());
            worst = finite && errors[rank].totalNs() > worst.totalNs() ? errors[rank] : worst;
        }
        return worst;
    }

    private ClockLine line(Fitted fitted, int rank, int firstUnit, int first, Limit error) {
        UnitLines of = fitted.lines;
        int unit = of.unitOf[rank];
        PointSpread spread = fitted.spreads[rank];
        long offset = of.aheadAtCenter(unit, firstUnit);
        boolean elsewhere = Math.abs(offset) > ClockLine.FARTHEST_NS;
        return new ClockLine(
                isOfNode(rank) ? Basis.NODE : Basis.RANK,
                first,
                spread.collectives(),
                spread.outliers(),
                of.center[unit],
                elsewhere ? 0 : offset,
                of.driftAgainst(unit, firstUnit),
                error.drift(),
                Math.round(spread.residualNs()),
                (long) Math.ceil(error.totalNs()),
                (long) Math.ceil(fitted.unsteady[unit]),
                elsewhere ? offset : 0);
    }

    /** How far a rank's own line lies from that of its node. */
    private double disagreement(Fitted alone, UnitLines of, int rank, int first) {
        boolean told = alone.knows(rank)
                && alone.lines.block[rank] == alone.lines.block[first]
                && alone.spreads[rank].collectives() >= RobustLine.FEWEST_FOR_SLOPE;
        if (!told) {
            return 0;
        }
        int unit = of.unitOf[rank];
        int firstUnit = of.unitOf[first];
        double most = 0;
        for (long time : new long[] {ranks.get(rank).first(), ranks.get(rank).last()}) {
            most = Math.max(most, Math.abs(ahead(alone.lines, rank, first, time) - ahead(of, unit, firstUnit, time)));
        }
        return most;
    }
}
