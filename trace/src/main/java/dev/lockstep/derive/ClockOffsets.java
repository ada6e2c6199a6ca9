// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.table.IntList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * By how much the clocks of ranks differ, estimated from collectives that nobody can leave before all have come: their
 * ends lie close together in truth, so that what separates them again and again is the clocks.
 *
 * <p>The estimate alternates between two medians: when each collective ended, over its members, and how far each rank is
 * off, over its collectives. Ranks that share no collective, directly or through others, cannot be compared.
 */
public final class ClockOffsets {
    private static final int MOST_MEMBERS = 200_000;
    private static final int ROUNDS = 8;

    /** Below this, clocks of one host may differ by nothing but the order in which kernels end. */
    private static final long NOTICEABLE_NS = 20_000;

    private static final int CLEAR = 10;

    private static final int FEWEST_FOR_SCATTER = 6;
    private static final double SMALL_SAMPLE = 6;
    private static final double OUTLIER = 5 * 1.4826;
    private static final double LEAST_OUTLIER_NS = 1000;

    private final long[] offset;
    private final long[] scatter;
    private final long[] error;
    private final int[] used;

    private ClockOffsets(int ranks) {
        offset = new long[ranks];
        scatter = new long[ranks];
        error = new long[ranks];
        used = new int[ranks];
    }

    /** The estimate from these collectives; offsets are against the first rank. */
    public static ClockOffsets of(CollectiveMatch match) {
        ClockOffsets clocks = new ClockOffsets(match.ranks().size());
        int[] chosen = choose(match);
        if (chosen.length > 0) {
            clocks.estimate(match, chosen);
        }
        return clocks;
    }

    /** No correction. */
    public static ClockOffsets none(int ranks) {
        return new ClockOffsets(ranks);
    }

    /** How far the clock of a rank is ahead of that of the first, in ns. */
    public long offset(int rank) {
        return offset[rank];
    }

    /**
     * The offset of a rank is right to within this over the whole recording, in ns, as a merge says it of its clocks: how
     * far ends of collectives lie from it on both, outliers apart, and more where there are few; of fewer than 6 it is only
     * known that nobody left before all had come. Drift is in it. What all collectives have in common, such as one rank that always
     * ends last, cannot be told from a clock.
     */
    public long error(int rank) {
        return error[rank];
    }

    /** Number of collectives that the estimate for a rank rests on; 0 where there is no estimate. */
    public int collectives(int rank) {
        return used[rank];
    }

    /** Whether some clock differs by far more than ends of collectives scatter. */
    public boolean differ() {
        for (int rank = 0; rank < offset.length; rank++) {
            if (Math.abs(offset[rank]) > Math.max(NOTICEABLE_NS, CLEAR * scatter[rank])) {
                return true;
            }
        }
        return false;
    }

    /** The largest difference between two clocks, in ns. */
    public long spread() {
        return offset.length == 0
                ? 0
                : Arrays.stream(offset).max().orElse(0)
                        - Arrays.stream(offset).min().orElse(0);
    }

    /** Collectives that count, evenly chosen where they are very many. */
    private static int[] choose(CollectiveMatch match) {
        long members = 0;
        IntList good = new IntList(256);
        for (int i = 0; i < match.size(); i++) {
            if (match.members(i) > 1 && match.call(i).kind().synchronising()) {
                good.add(i);
                members += match.members(i);
            }
        }
        int stride = (int) Math.max(1, members / MOST_MEMBERS);
        IntList chosen = new IntList(256);
        for (int i = 0; i < good.size(); i += stride) {
            chosen.add(good.get(i));
        }
        return chosen.toArray();
    }

    private void estimate(CollectiveMatch match, int[] chosen) {
        for (int instance : chosen) {
            for (int m = 0; m < match.members(instance); m++) {
                used[match.rank(instance, m)]++;
            }
        }
        long[] ended = new long[chosen.length];
        long[][] differences = new long[offset.length][];
        for (int rank = 0; rank < offset.length; rank++) {
            differences[rank] = new long[used[rank]];
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int c = 0; c < chosen.length; c++) {
                ended[c] = end(match, chosen[c]);
            }
            collect(match, chosen, ended, differences);
            long changed = 0;
            for (int rank = 0; rank < offset.length; rank++) {
                long next = median(differences[rank], offset[rank]);
                changed = Math.max(changed, Math.abs(next - offset[rank]));
                offset[rank] = next;
            }
            if (changed <= 1) {
                break;
            }
        }
        for (int rank = 0; rank < offset.length; rank++) {
            long[] far = differences[rank];
            for (int i = 0; i < far.length; i++) {
                far[i] = Math.abs(far[i] - offset[rank]);
            }
            scatter[rank] = median(far, 0);
            error[rank] = covered(far, scatter[rank]);
            if (far.length > 0 && far.length < FEWEST_FOR_SCATTER) {
                error[rank] = Math.max(2 * covered(far, scatter[rank]), bound(match, chosen, rank));
            }
        }
        long reference = offset[0];
        long errorOfFirst = error[0];
        for (int rank = 0; rank < offset.length; rank++) {
            error[rank] = rank == 0 || used[rank] == 0 ? 0 : error[rank] + errorOfFirst;
            offset[rank] = used[rank] == 0 ? 0 : offset[rank] - reference;
        }
    }

    /** @param far distances of ends from the estimate, ascending */
    private static long covered(long[] far, long median) {
        double limit = Math.max(LEAST_OUTLIER_NS, OUTLIER * median);
        long covered = Arrays.stream(far).takeWhile(f -> f <= limit).max().orElse(0);
        return far.length < FEWEST_FOR_SCATTER ? covered : Math.round(covered * (1 + SMALL_SAMPLE / far.length));
    }

    /** By how much the rank's times could be moved without anybody leaving a collective before all had come. */
    private long bound(CollectiveMatch match, int[] chosen, int rank) {
        long later = Long.MAX_VALUE;
        long earlier = Long.MAX_VALUE;
        for (int instance : chosen) {
            for (int own = 0; own < match.members(instance); own++) {
                for (int other = 0; other < match.members(instance); other++) {
                    if (match.rank(instance, own) == rank && match.rank(instance, other) != rank) {
                        later = Math.min(
                                later,
                                Math.abs(moment(match, instance, other, true) - moment(match, instance, own, false)));
                        earlier = Math.min(
                                earlier,
                                Math.abs(moment(match, instance, own, true) - moment(match, instance, other, false)));
                    }
                }
            }
        }
        return later == Long.MAX_VALUE ? 0 : Math.max(later, earlier);
    }

    /** When the kernel of a member began or ended, on the common clock. */
    private long moment(CollectiveMatch match, int instance, int member, boolean ended) {
        int rank = match.rank(instance, member);
        int row = match.row(instance, member);
        var kernels = match.ranks().get(rank);
        return (ended ? kernels.end(row) : kernels.ts(row)) - offset[rank];
    }

    private long end(CollectiveMatch match, int instance) {
        long[] ends = new long[match.members(instance)];
        for (int m = 0; m < ends.length; m++) {
            int rank = match.rank(instance, m);
            ends[m] = match.ranks().get(rank).end(match.row(instance, m)) - offset[rank];
        }
        return median(ends, 0);
    }

    private static void collect(CollectiveMatch match, int[] chosen, long[] ended, long[][] differences) {
        int[] next = new int[differences.length];
        for (int c = 0; c < chosen.length; c++) {
            for (int m = 0; m < match.members(chosen[c]); m++) {
                int rank = match.rank(chosen[c], m);
                differences[rank][next[rank]++] = match.ranks().get(rank).end(match.row(chosen[c], m)) - ended[c];
            }
        }
    }

    /** The median, of the two in the middle the mean; sorts the values. */
    private static long median(long[] values, long none) {
        if (values.length == 0) {
            return none;
        }
        Arrays.sort(values);
        return Quantiles.wholeMedian(values);
    }
}
