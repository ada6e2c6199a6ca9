// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * By how much the clocks of ranks differ, estimated from collectives that nobody can leave before all have come: their
 * ends lie close together in truth, so that what separates them again and again is the clocks.
 *
 * <p>The estimate alternates between two medians: when each collective ended, over its members, and how far each rank is
 * off, over its collectives. Ranks that meet often among themselves and seldom with others, as those that share each layer of
 * a model do, all stay where they are in this; they are moved together by what the others say. Ranks that share no
 * collective, directly or through others, cannot be compared.
 */
public final class ClockOffsets {
    private static final int MOST_MEMBERS = 200_000;
    private static final int ROUNDS = 8;

    /** Below this, clocks of one host may differ by nothing but the order in which kernels end. */
    private static final long NOTICEABLE_NS = 20_000;

    private static final int CLEAR = 10;

    private static final int FEWEST_FOR_SCATTER = 6;
    private static final double SMALL_SAMPLE = 6;
    static final double OUTLIER = 5 * 1.4826;
    static final double LEAST_OUTLIER_NS = 1000;

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

    /** Collectives that an estimate rests on, with the places of their members among the ranks. Confined to one thread. */
    public static final class Sample {
        private final IntList first = new IntList(256);
        private final IntList ranks = new IntList(1024);
        private final LongList starts = new LongList(1024);
        private final LongList ends = new LongList(1024);

        /** Begins a collective, whose members follow. */
        public void collective() {
            first.add(ranks.size());
        }

        /** Adds a member with the start and end of its kernel, in ns on the clock of its rank; members come by rank. */
        public void member(int rank, long start, long end) {
            ranks.add(rank);
            starts.add(start);
            ends.add(end);
        }

        int size() {
            return first.size();
        }

        int from(int collective) {
            return first.get(collective);
        }

        int to(int collective) {
            return collective + 1 < first.size() ? first.get(collective + 1) : ranks.size();
        }

        int rank(int member) {
            return ranks.get(member);
        }

        long end(int member) {
            return ends.get(member);
        }
    }

    /** The estimate from these collectives; offsets are against the first rank. */
    public static ClockOffsets of(CollectiveMatch match) {
        Sample sample = new Sample();
        for (int instance : choose(match)) {
            sample.collective();
            for (int m = 0; m < match.members(instance); m++) {
                int rank = match.rank(instance, m);
                int row = match.row(instance, m);
                sample.member(
                        rank,
                        match.ranks().get(rank).ts(row),
                        match.ranks().get(rank).end(row));
            }
        }
        return of(sample, match.ranks().size());
    }

    /**
     * The estimate from a sample; offsets are against the first rank.
     *
     * @param ranks number of ranks
     */
    public static ClockOffsets of(Sample sample, int ranks) {
        ClockOffsets clocks = new ClockOffsets(ranks);
        if (sample.size() > 0) {
            clocks.estimate(sample);
        }
        return clocks;
    }

    /** Of collectives with so many members in all, every how manieth is enough. */
    public static int stride(long members) {
        return (int) Math.max(1, members / MOST_MEMBERS);
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
        int stride = stride(members);
        IntList chosen = new IntList(256);
        for (int i = 0; i < good.size(); i += stride) {
            chosen.add(good.get(i));
        }
        return chosen.toArray();
    }

    private void estimate(Sample sample) {
        for (int m = 0; m < sample.ranks.size(); m++) {
            used[sample.ranks.get(m)]++;
        }
        long[] ended = new long[sample.size()];
        long[][] differences = new long[offset.length][];
        for (int rank = 0; rank < offset.length; rank++) {
            differences[rank] = new long[used[rank]];
        }
        alternate(sample, ended, differences);
        long[] linked = new long[offset.length];
        if (new ClockBlocks(sample, offset, linked).move()) {
            alternate(sample, ended, differences);
        }
        for (int rank = 0; rank < offset.length; rank++) {
            long[] far = differences[rank];
            for (int i = 0; i < far.length; i++) {
                far[i] = Math.abs(far[i] - offset[rank]);
            }
            scatter[rank] = median(far, 0);
            error[rank] = covered(far, scatter[rank]);
            if (far.length > 0 && far.length < FEWEST_FOR_SCATTER) {
                error[rank] = Math.max(2 * covered(far, scatter[rank]), bound(sample, rank));
            }
        }
        long reference = offset[0];
        long errorOfFirst = error[0];
        for (int rank = 0; rank < offset.length; rank++) {
            error[rank] = rank == 0 || used[rank] == 0 ? 0 : error[rank] + errorOfFirst + linked[rank];
            offset[rank] = used[rank] == 0 ? 0 : offset[rank] - reference;
        }
    }

    private void alternate(Sample sample, long[] ended, long[][] differences) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int c = 0; c < ended.length; c++) {
                ended[c] = end(sample, c);
            }
            collect(sample, ended, differences);
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
    }

    /** @param far distances of ends from the estimate, ascending */
    static long covered(long[] far, long median) {
        double limit = Math.max(LEAST_OUTLIER_NS, OUTLIER * median);
        long covered = Arrays.stream(far).takeWhile(f -> f <= limit).max().orElse(0);
        return far.length < FEWEST_FOR_SCATTER ? covered : Math.round(covered * (1 + SMALL_SAMPLE / far.length));
    }

    /** By how much the rank's times could be moved without anybody leaving a collective before all had come. */
    private long bound(Sample sample, int rank) {
        long later = Long.MAX_VALUE;
        long earlier = Long.MAX_VALUE;
        for (int c = 0; c < sample.size(); c++) {
            for (int own = sample.from(c); own < sample.to(c); own++) {
                for (int other = sample.from(c); sample.ranks.get(own) == rank && other < sample.to(c); other++) {
                    if (sample.ranks.get(other) != rank) {
                        later = Math.min(later, Math.abs(moment(sample, other, true) - moment(sample, own, false)));
                        earlier = Math.min(earlier, Math.abs(moment(sample, own, true) - moment(sample, other, false)));
                    }
                }
            }
        }
        return later == Long.MAX_VALUE ? 0 : Math.max(later, earlier);
    }

    /** When the kernel of a member began or ended, on the common clock. */
    private long moment(Sample sample, int member, boolean ended) {
        return (ended ? sample.ends : sample.starts).get(member) - offset[sample.ranks.get(member)];
    }

    private long end(Sample sample, int collective) {
        int from = sample.from(collective);
        long[] ends = new long[sample.to(collective) - from];
        for (int m = 0; m < ends.length; m++) {
            ends[m] = moment(sample, from + m, true);
        }
        return median(ends, 0);
    }

    private static void collect(Sample sample, long[] ended, long[][] differences) {
        int[] next = new int[differences.length];
        for (int c = 0; c < ended.length; c++) {
            for (int m = sample.from(c); m < sample.to(c); m++) {
                int rank = sample.ranks.get(m);
                differences[rank][next[rank]++] = sample.ends.get(m) - ended[c];
            }
        }
    }

    /** The median, of the two in the middle the mean; sorts the values. */
    static long median(long[] values, long none) {
        if (values.length == 0) {
            return none;
        }
        Arrays.sort(values);
        return Quantiles.wholeMedian(values);
    }
}
