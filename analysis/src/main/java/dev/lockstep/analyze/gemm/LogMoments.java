// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

/** Number, mean and squared distances of the logarithms of durations, taken one by one (Welford). */
final class LogMoments {
    private int count;
    private double mean;
    private double squares;

    /** @param duration in ns, above 0 */
    void add(long duration) {
        double value = StrictMath.log((double) duration);
        count++;
        double before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
    }

    int count() {
        return count;
    }

    double mean() {
        return mean;
    }

    /** Sum of the squared distances from the mean. */
    double squares() {
        return squares;
    }
}
