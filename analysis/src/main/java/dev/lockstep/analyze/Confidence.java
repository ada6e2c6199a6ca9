// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/**
 * Where the mean of what was sampled lies with a probability of 95 %: Student's interval, for values that scatter about
 * evenly around their mean.
 *
 * @param count number of values; what is NaN is left out
 * @param mean NaN when there are none
 * @param std sample standard deviation (n - 1), NaN for fewer than two
 * @param low lower end, NaN for fewer than two values
 * @param high upper end, NaN for fewer than two values
 */
public record Confidence(int count, double mean, double std, double low, double high) {
    private static final double SHARE = 0.95;

    /** The interval of these values. */
    public static Confidence of(double[] values) {
        int n = 0;
        double sum = 0;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                n++;
                sum += value;
            }
        }
        if (n < 2) {
            return new Confidence(n, n == 0 ? Double.NaN : sum, Double.NaN, Double.NaN, Double.NaN);
        }
        double mean = sum / n;
        double squares = 0;
        for (double value : values) {
            squares += Double.isNaN(value) ? 0 : (value - mean) * (value - mean);
        }
        double std = Math.sqrt(squares / (n - 1));
        double half = StudentT.twoSided(SHARE, n - 1) * std / Math.sqrt(n);
        return new Confidence(n, mean, std, mean - half, mean + half);
    }

    /**
     * The difference of two means, this minus the other, of values that belong to no pairs: Welch's interval, with the
     * degrees of freedom of Welch and Satterthwaite.
     */
    public Confidence minus(Confidence other) {
        double difference = mean - other.mean;
        double own = std * std / count;
        double theirs = other.std * other.std / other.count;
        double error = own + theirs;
        if (!(error >= 0)) {
            return new Confidence(Math.min(count, other.count), difference, Double.NaN, Double.NaN, Double.NaN);
        }
        if (error == 0) {
            return new Confidence(Math.min(count, other.count), difference, 0, difference, difference);
        }
        double degrees = error * error / (own * own / (count - 1) + theirs * theirs / (other.count - 1));
        double half = StudentT.twoSided(SHARE, Math.max(1, degrees)) * Math.sqrt(error);
        return new Confidence(
                Math.min(count, other.count), difference, Math.sqrt(error), difference - half, difference + half);
    }

    /** Whether the mean is told apart from 0: the interval does not hold it. */
    public boolean excludesZero() {
        return low > 0 || high < 0;
    }
}
