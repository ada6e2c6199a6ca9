// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of a series whose values lie apart from the others: of all parts the one that explains most.
 *
 * @param from the first place
 * @param to the place behind the last
 * @param inside mean of its values
 * @param outside mean of the others
 */
record SlowPart(int from, int to, double inside, double outside) {
    private static final int SHORTEST = 8;

    /** The part that leaves the least squares inside and outside; null where there are too few values. NaN is no value. */
    static @Nullable SlowPart of(double[] values) {
        int n = values.length;
        double[] sums = new double[n + 1];
        int[] counts = new int[n + 1];
        double middle = mean(values, 0, n);
        for (int i = 0; i < n; i++) {
            boolean isKnown = !Double.isNaN(values[i]);
            sums[i + 1] = sums[i] + (isKnown ? values[i] - middle : 0);
            counts[i + 1] = counts[i] + (isKnown ? 1 : 0);
        }
        int known = counts[n];
        double best = 0;
        int first = -1;
        int beyond = -1;
        for (int from = 0; from < n; from++) {
            for (int to = from + SHORTEST; to <= n; to++) {
                int inside = counts[to] - counts[from];
                if (inside >= SHORTEST && known - inside >= SHORTEST) {
                    double sum = sums[to] - sums[from];
                    double explained = sum * sum / inside + sum * sum / (known - inside);
                    if (explained > best) {
                        best = explained;
                        first = from;
                        beyond = to;
                    }
                }
            }
        }
        if (first < 0) {
            return null;
        }
        double sum = sums[beyond] - sums[first];
        int inside = counts[beyond] - counts[first];
        return new SlowPart(first, beyond, middle + sum / inside, middle - sum / (known - inside));
    }

    /** How many parts there are to choose from, at most. */
    static int choices(int values) {
        return (int) Math.min(Integer.MAX_VALUE, (long) values * values / 2 + 1);
    }

    /** The values inside. */
    double[] inside(double[] values) {
        return known(values, from, to);
    }

    /** The values outside. */
    double[] outside(double[] values) {
        double[] before = known(values, 0, from);
        double[] behind = known(values, to, values.length);
        double[] both = Arrays.copyOf(before, before.length + behind.length);
        System.arraycopy(behind, 0, both, before.length, behind.length);
        return both;
    }

    /** Where values are lower: inside, or the longer part outside. */
    int[] lower(int values) {
        if (inside < outside) {
            return new int[] {from, to};
        }
        return from >= values - to ? new int[] {0, from} : new int[] {to, values};
    }

    private static double[] known(double[] values, int from, int to) {
        return Arrays.stream(values, from, to)
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }

    /** The mean of the values that are known; NaN for none. */
    static double mean(double[] values, int from, int to) {
        return Arrays.stream(known(values, from, to)).average().orElse(Double.NaN);
    }
}
