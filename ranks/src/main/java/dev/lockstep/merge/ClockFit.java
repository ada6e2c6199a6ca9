// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Offset and drift of each rank's clock against that of one of them, from collectives that nobody can leave before all
 * have come: their ends lie close together in truth. Each rank is fitted on its own first; where the clocks of a node's
 * ranks then agree within their errors, they are one clock, which is fitted again by the collectives that the node shares
 * with others.
 *
 * <p>The reference is the lowest of those ranks that share collectives with most others.
 */
final class ClockFit {
    /** How a rank's clock is known. */
    enum Basis {
        /** By collectives of its own. */
        RANK,
        /** By collectives of all ranks of its node. */
        NODE,
        /** It is the reference. */
        REFERENCE,
        /** Not at all: it shares no collective with the reference. */
        NONE
    }

    /**
     * A rank's clock.
     *
     * @param collectives on which the estimate rests, 0 when there is none
     * @param outliers ends that lie too far away to count
     * @param atNs the moment on the rank's own clock at which {@code offsetNs} holds, since the origin of all clocks
     * @param offsetNs by how much it is ahead of the reference
     * @param drift by how much the offset grows with time, 0 when no drift can be told from none
     * @param residualNs half of the ends lie within this of where the estimate puts them
     * @param errorNs the estimate is right to within this over the whole recording
     */
    record Clock(
            Basis basis,
            int collectives,
            int outliers,
            long atNs,
            long offsetNs,
            double drift,
            long residualNs,
            long errorNs) {
        static final Clock NONE = new Clock(Basis.NONE, 0, 0, 0, 0, 0, 0, 0);

        /** Whether it could be compared with the reference. */
        boolean isKnown() {
            return basis != Basis.NONE;
        }

        /** What the clock shows beyond the reference when it shows this. */
        long ahead(long time) {
            return offsetNs + Math.round(drift * (time - atNs));
        }
    }

    private final List<ClockEvidence> ranks;
    private final CollectiveEnds ends;
    private final int[] nodes;
    private final int reference;
    private final boolean[] shared;
    private final List<Clock> clocks = new ArrayList<>();

    private ClockFit(List<ClockEvidence> ranks, int[] nodes) {
        this.ranks = ranks;
        this.nodes = nodes;
        this.ends =
                CollectiveEnds.of(ranks.stream().map(ClockEvidence::collectives).toList());
        this.reference = mostConnected(ends.components());
        this.shared = new boolean[Arrays.stream(nodes).max().orElse(-1) + 1];
    }

    /**
     * Fits the clocks.
     *
     * @param ranks at least one
     * @param nodes by rank: the number of its node, -1 when unknown
     */
    static ClockFit of(List<ClockEvidence> ranks, int[] nodes) {
        ClockFit fit = new ClockFit(ranks, nodes);
        int[] each = new int[ranks.size()];
        Arrays.setAll(each, rank -> rank);
        Fitted alone = fit.fitted(each, ranks.size());
        fit.judgeNodes(alone);
        int[] unitOf = new int[ranks.size()];
        int units = fit.units(unitOf);
        fit.conclude(alone, units == ranks.size() ? alone : fit.fitted(unitOf, units));
        return fit;
    }

    /** The clocks, in the order of the ranks. */
    List<Clock> clocks() {
        return clocks;
    }

    /** Place of the reference among the ranks. */
    int reference() {
        return reference;
    }

    /** Whether the ranks of this node were found to have one clock; known for nodes with several ranks. */
    boolean isShared(int node) {
        return shared[node];
    }

    /**
     * Lines of units and how well they fit.
     *
     * @param spreads by rank: its own points around the line of its unit
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one owner to the next
    private record Fitted(ClockLines lines, ClockErrors errors, ClockSpread[] spreads) {
        boolean knows(int rank) {
            return lines.known[lines.unitOf[rank]] && spreads[rank].collectives() > 0;
        }
    }

    private Fitted fitted(int[] unitOf, int units) {
        ClockLines lines = new ClockLines(ends, unitOf, units, unitOf[reference]);
        List<ClockLines.Points> points = new ArrayList<>();
        ClockSpread[] spreads = new ClockSpread[unitOf.length];
        long[] farthest = new long[units];
        for (int unit = 0; unit < units; unit++) {
            ClockLines.Points all = lines.pointsOf(unit);
            points.add(all);
            for (int r = 0; r < unitOf.length; r++) {
                if (unitOf[r] == unit) {
                    int rank = r;
                    spreads[r] = ClockSpread.of(lines, unit, all.where(i -> ends.rank[all.point()[i]] == rank, ends));
                    farthest[unit] = Math.max(farthest[unit], farthest(lines.center[unit], rank));
                }
            }
        }
        return new Fitted(lines, new ClockErrors(lines, points, farthest), spreads);
    }

    private long farthest(long center, int rank) {
        return ends.pointsOf[rank].length == 0
                ? 0
                : Math.max(
                        Math.abs(center - ranks.get(rank).first()),
                        Math.abs(ranks.get(rank).last() - center));
    }

    /** Nodes whose ranks have one clock as far as can be told. */
    private void judgeNodes(Fitted alone) {
        double[] errors = alone.errors.against(reference);
        for (int node = 0; node < shared.length; node++) {
            int best = -1;
            int members = 0;
            for (int rank = 0; rank < nodes.length; rank++) {
                if (nodes[rank] == node) {
                    members++;
                    if (alone.knows(rank) && (best < 0 || errors[rank] < errors[best])) {
                        best = rank;
                    }
                }
            }
            shared[node] = members > 1 && best >= 0 && agree(alone, node, best);
        }
    }

    private boolean agree(Fitted alone, int node, int best) {
        double[] errors = alone.errors.against(best);
        for (int rank = 0; rank < nodes.length; rank++) {
            if (nodes[rank] == node && alone.knows(rank)) {
                if (apart(alone.lines, rank, alone.lines, best, rank) > errors[rank]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** How far two lines lie apart, at most, while a rank was recorded. */
    private double apart(ClockLines a, int unitOfA, ClockLines b, int unitOfB, int rank) {
        return Math.max(
                Math.abs(distance(a, unitOfA, b, unitOfB, ranks.get(rank).first())),
                Math.abs(distance(a, unitOfA, b, unitOfB, ranks.get(rank).last())));
    }

    private double distance(ClockLines a, int unitOfA, ClockLines b, int unitOfB, long time) {
        return ahead(a, unitOfA, time) - ahead(b, unitOfB, time);
    }

    private double ahead(ClockLines lines, int unit, long time) {
        int first = lines.unitOf[reference];
        return lines.aheadAtCenter(unit, first) + lines.driftAgainst(unit, first) * (time - lines.center[unit]);
    }

    private int units(int[] unitOf) {
        int[] unitOfNode = new int[shared.length];
        Arrays.fill(unitOfNode, -1);
        int units = 0;
        for (int rank = 0; rank < unitOf.length; rank++) {
            int node = nodes[rank];
            if (node < 0 || !shared[node]) {
                unitOf[rank] = units++;
            } else {
                unitOfNode[node] = unitOfNode[node] < 0 ? units++ : unitOfNode[node];
                unitOf[rank] = unitOfNode[node];
            }
        }
        return units;
    }

    private void conclude(Fitted alone, Fitted together) {
        int[] unitOf = together.lines.unitOf;
        int first = unitOf[reference];
        double[] ofRanks = alone.errors.ofOneClock(reference);
        double[] ofUnits = together.errors.against(first);
        for (int rank = 0; rank < unitOf.length; rank++) {
            int unit = unitOf[rank];
            boolean byNode = nodes[rank] >= 0 && shared[nodes[rank]];
            Basis basis = byNode ? Basis.NODE : Basis.RANK;
            if (rank == reference) {
                clocks.add(clock(Basis.REFERENCE, together, rank, alone.spreads[rank], 0));
            } else if (!together.lines.known[unit]) {
                clocks.add(Clock.NONE);
            } else if (unit == first) {
                double error = alone.knows(rank) ? ofRanks[rank] : worst(alone, ofRanks, nodes[rank]);
                clocks.add(clock(basis, together, rank, alone.spreads[rank], error));
            } else {
                double error = ofUnits[unit] + (byNode ? disagreement(alone, together, rank) : 0);
                clocks.add(clock(basis, together, rank, together.spreads[rank], error));
            }
        }
    }

    private Clock clock(Basis basis, Fitted fitted, int rank, ClockSpread spread, double error) {
        int unit = fitted.lines.unitOf[rank];
        int first = fitted.lines.unitOf[reference];
        return new Clock(
                basis,
                spread.collectives(),
                spread.outliers(),
                fitted.lines.center[unit],
                fitted.lines.aheadAtCenter(unit, first),
                fitted.lines.driftAgainst(unit, first),
                Math.round(spread.residualNs()),
                (long) Math.ceil(error));
    }

    private double worst(Fitted alone, double[] errors, int node) {
        double worst = 0;
        for (int rank = 0; rank < nodes.length; rank++) {
            if (nodes[rank] == node && alone.knows(rank)) {
                worst = Math.max(worst, errors[rank]);
            }
        }
        return worst;
    }

    /** How far a rank's own line lies from that of its node. */
    private double disagreement(Fitted alone, Fitted together, int rank) {
        boolean told = alone.knows(rank) && alone.spreads[rank].collectives() >= RobustLine.FEWEST_FOR_SLOPE;
        return told ? apart(alone.lines, rank, together.lines, together.lines.unitOf[rank], rank) : 0;
    }

    /** The lowest rank of those that hang together and are most. */
    private static int mostConnected(int[] components) {
        int[] sizes = new int[components.length];
        for (int component : components) {
            sizes[component]++;
        }
        int best = 0;
        for (int i = 0; i < components.length; i++) {
            best = sizes[components[i]] > sizes[components[best]] ? i : best;
        }
        return best;
    }
}
