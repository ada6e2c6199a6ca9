// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import java.util.Arrays;

/**
 * What one report says about one key, all rows with that key together.
 *
 * @param ns time in all
 * @param count how many; -1 when the sheet does not say
 * @param speeds averages over time, NaN where unknown; as many as the sheet's meaning has rates. Passes to the record.
 * @param weights the time in ns over which each speed is an average, 0 where it is unknown. Passes to the record.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Amount(long ns, long count, double[] speeds, long[] weights) {
    /** What a single row says: its speeds are averages over all of its time. */
    public Amount(long ns, long count, double[] speeds) {
        this(
                ns,
                count,
                speeds,
                Arrays.stream(speeds)
                        .mapToLong(speed -> Double.isNaN(speed) ? 0 : ns)
                        .toArray());
    }

    /** Time of one in ns; NaN when their number is unknown. */
    public double meanNs() {
        return count > 0 ? (double) ns / count : Double.NaN;
    }

    /** Both together. */
    public Amount plus(Amount other) {
        double[] means = new double[speeds.length];
        long[] sums = new long[speeds.length];
        for (int i = 0; i < means.length; i++) {
            sums[i] = weights[i] + other.weights[i];
            means[i] = mean(speeds[i], weights[i], other.speeds[i], other.weights[i]);
        }
        return new Amount(ns + other.ns, count < 0 || other.count < 0 ? -1 : count + other.count, means, sums);
    }

    private static double mean(double a, long weightOfA, double b, long weightOfB) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) ? b : a;
        }
        long weight = weightOfA + weightOfB;
        return weight == 0 ? (a + b) / 2 : (a * weightOfA + b * weightOfB) / weight;
    }
}
