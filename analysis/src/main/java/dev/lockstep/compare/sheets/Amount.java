// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

/**
 * What one report says about one key, all rows with that key together.
 *
 * @param ns time in all
 * @param count how many; -1 when the sheet does not say
 * @param speeds averages over time, NaN where unknown; as many as the sheet's meaning has rates. Passes to the record.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Amount(long ns, long count, double[] speeds) {
    /** Time of one in ns; NaN when their number is unknown. */
    public double meanNs() {
        return count > 0 ? (double) ns / count : Double.NaN;
    }

    /** Both together. */
    public Amount plus(Amount other) {
        double[] sums = new double[speeds.length];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Double.isNaN(speeds[i])
                    ? other.speeds[i]
                    : Double.isNaN(other.speeds[i])
                            ? speeds[i]
                            : (speeds[i] * ns + other.speeds[i] * other.ns) / Math.max(1, ns + other.ns);
        }
        return new Amount(ns + other.ns, count < 0 || other.count < 0 ? -1 : count + other.count, sums);
    }
}
