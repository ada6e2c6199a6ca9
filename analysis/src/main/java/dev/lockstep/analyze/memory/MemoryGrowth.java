// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.StudentT;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * By how much a series grows from each value to the next: the median of the slopes of all pairs (H. Theil, 1950; P. Sen,
 * <i>J. American Statistical Association</i> 63, 1968), which a few outliers do not move. So is its interval,
 * which is Sen's: from how many of all pairs rise by chance (M. Kendall). It is stretched where neighbours are alike, by the
 * correlation of a first-order autoregression with the bias of its estimate taken off. Where the values are too few for that,
 * it is Student's, from the scatter about the line. Of many values {@link #MOST} are looked at, equally far apart: the pairs of all
 * would not fit into memory.
 */
public final class MemoryGrowth {
    /** Fewer values have no interval. */
    public static final int FEWEST = 3;

    /** Of more values not all are looked at. */
    static final int MOST = 1_000;

    private static final double SHARE = 0.95;
    private static final double NORMAL = 1.959963984540054;
    private static final int FEWEST_FOR_RANKS = 5;
    private static final double MOST_ALIKE = 0.95;
    private static final double EXACT = 1e-9;

    private MemoryGrowth() {}

    /** The slope with its interval; without one for fewer than {@link #FEWEST} values. */
    public static Confidence of(long[] values) {
        if (values.length < FEWEST) {
            return Confidence.UNKNOWN;
        }
        int stride = (values.length + MOST - 1) / MOST;
        Confidence apart = ofAll(IntStream.range(0, values.length / stride)
                .mapToLong(i -> values[i * stride])
                .toArray());
        return new Confidence(
                apart.count(),
                apart.mean() / stride,
                apart.error() / stride,
                apart.low() / stride,
                apart.high() / stride);
    }

    private static Confidence ofAll(long[] values) {
        int n = values.length;
        double[] slopes = new double[n * (n - 1) / 2];
        int pair = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[pair++] = (double) (values[j] - values[i]) / (j - i);
            }
        }
        Arrays.sort(slopes);
        double slope = Quantiles.median(slopes, slopes.length);
        double[] rest = residuals(values, slope);
        double stretch = stretch(rest);
        double squares = Arrays.stream(rest).map(r -> r * r).sum();
        double spread = n * ((double) n * n - 1) / 12;
        double error = Math.sqrt(squares / (n - 2) / spread * stretch);
        double free = Math.max(1, (n - 2) / stretch);
        double half = error == 0 ? 0 : StudentT.twoSided(SHARE, free) * error;
        int reach = rankReach(n, slopes.length, stretch);
        return reach < 0
                ? new Confidence(n, slope, error, slope - half, slope + half)
                : new Confidence(n, slope, error, slopes[reach], slopes[slopes.length - 1 - reach]);
    }

    /** The values less the line, and less their mean. */
    private static double[] residuals(long[] values, double slope) {
        double[] rest = new double[values.length];
        double most = 0;
        for (int i = 0; i < rest.length; i++) {
            rest[i] = values[i] - values[0] - slope * i;
            most = Math.max(most, Math.abs((double) values[i]));
        }
        double mean = Arrays.stream(rest).average().orElse(0);
        for (int i = 0; i < rest.length; i++) {
            rest[i] -= mean;
            rest[i] = Math.abs(rest[i]) <= EXACT * most ? 0 : rest[i];
        }
        return rest;
    }

    /** By how much the variance of a sum of such neighbours is larger than of as many independent values; at least 1. */
    private static double stretch(double[] rest) {
        double squares = 0;
        double neighbours = 0;
        for (int i = 0; i < rest.length; i++) {
            squares += rest[i] * rest[i];
            neighbours += i == 0 ? 0 : rest[i] * rest[i - 1];
        }
        if (squares == 0) {
            return 1;
        }
        double alike = neighbours / squares;
        double corrected = Math.clamp(alike + (2 + 4 * alike) / rest.length, 0, MOST_ALIKE);
        return (1 + corrected) / (1 - corrected);
    }

    /** The place of the interval's lower end among the sorted slopes, -1 when not even all of them are enough. */
    private static int rankReach(int n, int pairs, double stretch) {
        if (n < FEWEST_FOR_RANKS) {
            return -1;
        }
        double reach = NORMAL * Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18 * stretch);
        return reach > pairs ? -1 : Math.max(0, (int) Math.floor((pairs - reach) / 2) - 1);
    }
}
