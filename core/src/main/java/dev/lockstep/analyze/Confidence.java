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
    private static final double TAIL = 0.025;
    private static final int HALVINGS = 80;
    private static final int MOST_TERMS = 300;
    private static final double EXACT = 1e-15;
    private static final double TINY = 1e-300;

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
        double half = quantile(n - 1) * std / Math.sqrt(n);
        return new Confidence(n, mean, std, mean - half, mean + half);
    }

    /**
     * The difference of two means, this minus the other, of values that belong to no pairs: Welch's interval, with degrees of
     * freedom rounded down.
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
        double half = quantile((int) Math.max(1, degrees)) * Math.sqrt(error);
        return new Confidence(
                Math.min(count, other.count), difference, Math.sqrt(error), difference - half, difference + half);
    }

    /** Whether the mean is told apart from 0: the interval does not hold it. */
    public boolean excludesZero() {
        return low > 0 || high < 0;
    }

    /** How many standard errors hold 95 % of Student's distribution with so many degrees of freedom. */
    static double quantile(int degrees) {
        double low = 1;
        double high = 20;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (upperTail(middle, degrees) > TAIL) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** Half of the regularised incomplete beta function at n / (n + t²), with parameters n / 2 and 1 / 2. */
    private static double upperTail(double t, int degrees) {
        double a = degrees / 2.0;
        double b = 0.5;
        double x = degrees / (degrees + t * t);
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
        return x < (a + 1) / (a + b + 2)
                ? front * fraction(a, b, x) / a / 2
                : (1 - front * fraction(b, a, 1 - x) / b) / 2;
    }

    /** The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22). */
    private static double fraction(double a, double b, double x) {
        double c = 1;
        double d = 1 / away(1 - (a + b) * x / (a + 1));
        double value = d;
        for (int m = 1; m < MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / away(1 + even * d);
            c = away(1 + even / c);
            value *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / away(1 + odd * d);
            c = away(1 + odd / c);
            value *= d * c;
            if (Math.abs(d * c - 1) < EXACT) {
                break;
            }
        }
        return value;
    }

    private static double away(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /** Of a multiple of 1/2 that is positive: by recurrence from 1 or 1/2. */
    private static double logGamma(double x) {
        double sum = x == Math.rint(x) ? 0 : Math.log(Math.PI) / 2;
        for (double y = x - 1; y > 0; y--) {
            sum += Math.log(y);
        }
        return sum;
    }
}
