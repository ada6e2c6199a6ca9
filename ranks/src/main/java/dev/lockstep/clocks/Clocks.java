// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.derive.CollectiveMatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the clocks of a run's ranks differ, from their absolute times and from what ties them ({@link Ties}): the one estimate
 * that all commands use. Ranks are named by their places. Immutable.
 *
 * <p>Clocks are taken as recorded unless one of those that are tied to one another differs by more than the error of the estimate; then
 * the estimate is the best that is known of all of them. Ranks that nothing ties, directly or through others, cannot be compared: how far
 * their clocks are apart is unknown.
 */
public final class Clocks {
    private final List<RankRecording> ranks;
    private final ClockNodes nodes;
    private final ClockLine[] lines;
    private final boolean[] shared;
    private final int reference;

    private Clocks(List<RankRecording> ranks, ClockNodes nodes, ClockFit fit) {
        this.ranks = ranks;
        this.nodes = nodes;
        lines = fit.lines().toArray(ClockLine[]::new);
        shared = fit.shared();
        reference = fit.reference();
    }

    /**
     * Estimates the clocks.
     *
     * @param match the collectives of the ranks
     * @param gpusPerNode ranks of a node, which read one clock; 0 or less to go by the names of hosts, where they are known
     */
    public static Clocks of(CollectiveMatch match, int gpusPerNode) {
        return of(match.ranks().stream().map(RankRecording::of).toList(), Ties.of(match), gpusPerNode);
    }

    /** The same from what ties ranks, in the order of the ranks. */
    public static Clocks of(List<RankRecording> ranks, Ties ties, int gpusPerNode) {
        ClockNodes nodes = ClockNodes.of(ranks, gpusPerNode);
        return new Clocks(List.copyOf(ranks), nodes, ClockFit.of(ranks, ties, nodes.nodeOf()));
    }

    /** Number of ranks. */
    public int size() {
        return lines.length;
    }

    /** The rank whose clock the others are compared with: the first of those that are tied to most others. */
    public int reference() {
        return reference;
    }

    /** What is known of a rank's clock. */
    public ClockLine line(int rank) {
        return lines[rank];
    }

    /** Whether a rank is compared with the reference, or is it. */
    public boolean isKnown(int rank) {
        return lines[rank].block() == reference;
    }

    /** Whether all ranks are compared with one another. */
    public boolean isComplete() {
        return IntStream.range(0, lines.length).allMatch(this::isKnown);
    }

    /** Whether any rank is compared with another one. */
    public boolean isAny() {
        return IntStream.range(0, lines.length).anyMatch(rank -> lines[rank].block() != rank);
    }

    /** Whether a rank is compared with the reference, or is it, where any ranks are compared. */
    public boolean isTied(int rank) {
        return isKnown(rank) && isAny();
    }

    /** Whether something says how a rank's clock lies to that of the reference. */
    public boolean isAligned(int rank) {
        return isKnown(rank) && lines[rank].basis() != ClockLine.Basis.NONE;
    }

    /** Which ranks share a host. */
    public ClockNodes nodes() {
        return nodes;
    }

    /** Whether the ranks of a node were found to have one clock; false for nodes of one rank. */
    public boolean isShared(int node) {
        return shared[node];
    }

    /** From when to when a rank was recorded. */
    public RankRecording recording(int rank) {
        return ranks.get(rank);
    }

    /** Whether a rank's clock differs from that of the first of its block by more than the error. */
    public boolean isBelieved(int rank) {
        return lines[rank].isBelieved(ranks.get(rank).first(), ranks.get(rank).last());
    }

    /** Whether any does. */
    public boolean differ() {
        return IntStream.range(0, lines.length).anyMatch(this::isBelieved);
    }

    /** How far clocks that are compared are apart at most, in ns; 0 where none differs by more than its error. */
    public long spread() {
        return Math.max(spread(true), spread(false));
    }

    private long spread(boolean first) {
        long least = 0;
        long most = 0;
        for (int rank = 0; rank < lines.length; rank++) {
            if (isKnown(rank) && isBelieved(rank)) {
                RankRecording its = ranks.get(rank);
                long beyond = lines[rank].beyond(first ? its.first() : its.last());
                least = Math.min(least, beyond);
                most = Math.max(most, beyond);
            }
        }
        return most - least;
    }

    /** The largest error of a clock that is compared with the reference, in ns. */
    public long error() {
        return IntStream.range(0, lines.length)
                .filter(this::isKnown)
                .mapToLong(rank -> lines[rank].errorNs())
                .max()
                .orElse(0);
    }

    /** How far a clock leaves its line in a part of the recording, in ns; 0 where none does as far as can be told. */
    public long unsteady() {
        return Arrays.stream(lines).mapToLong(ClockLine::unsteadyNs).max().orElse(0);
    }

    /** One clock: where any that are tied differ by more than the error, with all that was estimated of these; else as recorded. */
    public CommonClock believed() {
        BitSet differing = new BitSet();
        for (int rank = 0; rank < lines.length; rank++) {
            if (isBelieved(rank)) {
                differing.set(lines[rank].block());
            }
        }
        boolean[] corrected = new boolean[lines.length];
        for (int rank = 0; rank < corrected.length; rank++) {
            corrected[rank] = lines[rank].block() != rank && differing.get(lines[rank].block());
        }
        return clock(corrected, false);
    }

    /** One clock with all that was estimated. */
    public CommonClock estimated() {
        boolean[] corrected = new boolean[lines.length];
        for (int rank = 0; rank < corrected.length; rank++) {
            corrected[rank] = lines[rank].block() != rank;
        }
        return clock(corrected, false);
    }

    /** Times as recorded, which are taken to be on one clock. */
    public CommonClock asRecorded() {
        return clock(new boolean[lines.length], true);
    }

    private CommonClock clock(boolean[] corrected, boolean trusted) {
        long[] origin = ranks.stream().mapToLong(rank -> rank.info().originNs()).toArray();
        long[] begin = IntStream.range(0, origin.length)
                .mapToLong(rank -> ranks.get(rank).first() - origin[rank])
                .toArray();
        return new CommonClock(lines.clone(), corrected, origin, begin, trusted);
    }

    @Override
    public String toString() {
        return Arrays.toString(lines);
    }
}
