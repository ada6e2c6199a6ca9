// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.derive.ClockOffsets;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Offset and drift of each rank's clock against that of the first, from collectives that nobody can leave before all have
 * come: their ends lie close together in truth.
 *
 * <p>Starting from constant offsets, two steps alternate: when each collective ended, as the median over its members'
 * corrected ends; and for each rank a line through how far its ends are off, its slope the median of the slopes between
 * points half the recording apart, its height the median of what is left. Medians let no single late end decide. What lies
 * more than five robust deviations from the line is an outlier and does not count for the error. A drift is believed only
 * if it moves the rank by more than the error over the recording.
 */
final class ClockFit {
    private static final int ROUNDS = 6;
    private static final int FEWEST_FOR_DRIFT = 16;
    private static final double ROBUST_SIGMA = 1.4826;
    private static final int OUTLIER = 5;
    private static final double LEAST_OUTLIER_NS = 1000;
    private static final double COVERED = 0.95;

    /**
     * A rank's clock.
     *
     * @param collectives ends that the estimate rests on, 0 when there is none
     * @param outliers ends that lie too far away to count
     * @param atNs the moment on the rank's own clock at which {@code offsetNs} holds
     * @param offsetNs by how much it is ahead of the first rank's
     * @param drift by how much the offset grows with time, 0 when no drift can be told from the error
     * @param errorNs 95 of 100 ends, the first rank's included, lie within this of where the estimate puts them
     */
    record Clock(int collectives, int outliers, long atNs, long offsetNs, double drift, long errorNs) {
        /** What the clock shows beyond the first rank's when it shows this. */
        long ahead(long time) {
            return offsetNs + Math.round(drift * (time - atNs));
        }
    }

    private final CollectiveMatch match;
    private final int[] instances;
    private final long[][] ends;
    private final int[][] instanceOf;
    private final long[] center;
    private final double[] offset;
    private final double[] slope;

    private ClockFit(CollectiveMatch match) {
        this.match = match;
        int ranks = match.ranks().size();
        IntList chosen = new IntList(256);
        for (int i = 0; i < match.size(); i++) {
            if (match.members(i) > 1 && match.call(i).kind().synchronising()) {
                chosen.add(i);
            }
        }
        instances = chosen.toArray();
        int[] counts = new int[ranks];
        for (int instance : instances) {
            for (int m = 0; m < match.members(instance); m++) {
                counts[match.rank(instance, m)]++;
            }
        }
        ends = new long[ranks][];
        instanceOf = new int[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = new long[counts[rank]];
            instanceOf[rank] = new int[counts[rank]];
        }
        center = new long[ranks];
        offset = new double[ranks];
        slope = new double[ranks];
        collect();
    }

    /** The clocks of the ranks that were matched, in their order. */
    static List<Clock> of(CollectiveMatch match) {
        ClockFit fit = new ClockFit(match);
        ClockOffsets start = ClockOffsets.of(match);
        for (int rank = 0; rank < fit.offset.length; rank++) {
            fit.offset[rank] = start.offset(rank);
        }
        double[] ended = new double[fit.instances.length];
        for (int round = 0; round < ROUNDS; round++) {
            fit.consensus(ended);
            for (int rank = 0; rank < fit.offset.length; rank++) {
                fit.line(rank, ended);
            }
        }
        fit.consensus(ended);
        return fit.clocks(ended, fit.comparable());
    }

    private void collect() {
        int[] next = new int[ends.length];
        for (int c = 0; c < instances.length; c++) {
            for (int m = 0; m < match.members(instances[c]); m++) {
                int rank = match.rank(instances[c], m);
                ends[rank][next[rank]] = end(c, m);
                instanceOf[rank][next[rank]++] = c;
            }
        }
        for (int rank = 0; rank < ends.length; rank++) {
            long[] sorted = ends[rank].clone();
            Arrays.sort(sorted);
            center[rank] = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        }
    }

    private long end(int instance, int member) {
        RankCollectives rank = match.ranks().get(match.rank(instances[instance], member));
        return rank.end(match.row(instances[instance], member));
    }

    /** When each collective ended, counted from the first rank's center. */
    private void consensus(double[] ended) {
        for (int c = 0; c < instances.length; c++) {
            double[] members = new double[match.members(instances[c])];
            for (int m = 0; m < members.length; m++) {
                members[m] = corrected(match.rank(instances[c], m), end(c, m));
            }
            ended[c] = median(members);
        }
    }

    private double corrected(int rank, long end) {
        double far = end - center[rank];
        return far + (center[rank] - center[0]) - offset[rank] - slope[rank] * far;
    }

    private void line(int rank, double[] ended) {
        int n = ends[rank].length;
        if (n == 0) {
            return;
        }
        double[] off = new double[n];
        for (int i = 0; i < n; i++) {
            off[i] = ends[rank][i] - center[0] - ended[instanceOf[rank][i]];
        }
        slope[rank] = n < FEWEST_FOR_DRIFT ? 0 : slope(ends[rank], off);
        double[] rest = new double[n];
        for (int i = 0; i < n; i++) {
            rest[i] = off[i] - slope[rank] * (ends[rank][i] - center[rank]);
        }
        offset[rank] = median(rest);
    }

    private static double slope(long[] at, double[] off) {
        Integer[] order = new Integer[at.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, java.util.Comparator.comparingLong(i -> at[i]));
        int half = at.length / 2;
        double[] slopes = new double[at.length - half];
        int n = 0;
        for (int i = 0; i + half < at.length; i++) {
            long far = at[order[i + half]] - at[order[i]];
            if (far > 0) {
                slopes[n++] = (off[order[i + half]] - off[order[i]]) / far;
            }
        }
        return n == 0 ? 0 : median(Arrays.copyOf(slopes, n));
    }

    private List<Clock> clocks(double[] ended, boolean[] comparable) {
        List<Clock> clocks = new ArrayList<>();
        double firstError = ends.length == 0 ? 0 : spread(0, ended)[0];
        for (int rank = 0; rank < ends.length; rank++) {
            if (!comparable[rank]) {
                clocks.add(new Clock(0, 0, 0, 0, 0, 0));
                continue;
            }
            double[] spread = spread(rank, ended);
            long error = rank == 0 ? 0 : Math.round(Math.ceil(spread[0] + firstError)) + 1;
            // In the moment of its center the rank is off by this from the first rank, whose own line is taken away.
            double common = center[rank] - offset[rank] - center[0];
            double ahead = offset[rank] - offset[0] - slope[0] * common;
            double drift = slope[rank] - slope[0];
            long span = span(ends[rank]);
            boolean drifts = rank > 0 && Math.abs(drift) * span > error;
            clocks.add(new Clock(
                    ends[rank].length,
                    (int) spread[1],
                    center[rank],
                    rank == 0 ? 0 : Math.round(ahead),
                    drifts ? drift : 0,
                    drifts || rank == 0 ? error : error + Math.round(Math.abs(drift) * span)));
        }
        return clocks;
    }

    private static long span(long[] ends) {
        return Arrays.stream(ends).max().orElse(0) - Arrays.stream(ends).min().orElse(0);
    }

    /** How far the ends of a rank lie from its line: what covers 95 of 100, and how many outliers there are beside. */
    private double[] spread(int rank, double[] ended) {
        int n = ends[rank].length;
        double[] far = new double[n];
        for (int i = 0; i < n; i++) {
            far[i] = Math.abs(corrected(rank, ends[rank][i]) - ended[instanceOf[rank][i]]);
        }
        Arrays.sort(far);
        double limit = n == 0 ? 0 : Math.max(LEAST_OUTLIER_NS, OUTLIER * ROBUST_SIGMA * far[n / 2]);
        int inside = 0;
        while (inside < n && far[inside] <= limit) {
            inside++;
        }
        double covered = inside == 0 ? 0 : far[Math.min(inside - 1, (int) Math.floor(COVERED * inside))];
        return new double[] {covered, n - inside};
    }

    /** Ranks that share collectives with the first, directly or through others. */
    private boolean[] comparable() {
        int[] root = new int[ends.length];
        Arrays.setAll(root, i -> i);
        for (int instance : instances) {
            int first = find(root, match.rank(instance, 0));
            for (int m = 1; m < match.members(instance); m++) {
                root[find(root, match.rank(instance, m))] = first;
            }
        }
        boolean[] comparable = new boolean[ends.length];
        for (int rank = 0; rank < comparable.length; rank++) {
            comparable[rank] = find(root, rank) == find(root, 0);
        }
        return comparable;
    }

    private static int find(int[] root, int of) {
        int at = of;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }
}
