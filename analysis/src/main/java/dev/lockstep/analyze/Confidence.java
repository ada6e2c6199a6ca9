// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/**
 * A mean, or a difference of two, and where the truth lies with a probability of 95 %. {@link LongRunMeans} makes them.
 *
 * @param count number of values
 * @param mean NaN when there are none
 * @param error standard error of the mean, NaN for fewer than two values
 * @param low lower end, NaN for fewer than two values
 * @param high upper end, NaN for fewer than two values
 */
public record Confidence(int count, double mean, double error, double low, double high) {
    private static final double ROUNDING = 1e-9;

    /** Nothing is known of where the truth lies. */
    public static final Confidence UNKNOWN = new Confidence(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** {@return whether there is an interval} */
    public boolean isKnown() {
        return !Double.isNaN(low);
    }

    /** {@return whether the mean is told apart from 0: the interval is known and does not hold it} */
    public boolean excludesZero() {
        return low > 0 || high < 0;
    }

    /** {@return half of the width of the interval} */
    public double reach() {
        return (high - low) / 2;
    }

    /**
     * {@return the interval of another mean} It is one that this mean stands for, as the steps of a run stand for the whole of it. By how much
     * the two means differ, the interval is wider: nobody knows how that scatters.
     *
     * @param middle the other mean
     * @param factor by which this mean makes the other, as the number of steps
     */
    public Confidence about(double middle, double factor) {
        double half = reach() * Math.abs(factor) + Math.abs(middle - mean * factor) * (1 + ROUNDING);
        return new Confidence(count, middle, error * Math.abs(factor), middle - half, middle + half);
    }
}
