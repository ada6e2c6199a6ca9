// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/** Student's t distribution, for any number of degrees of freedom. */
public final class StudentT {
    private static final double[] LANCZOS = {
        0.9999999999998099,
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-6,
        1.5056327351493116e-7
    };
    private static final double LANCZOS_G = 7;
    private static final int MOST_STEPS = 300;
    private static final double SMALLEST = 1e-300;
    private static final double PRECISE = 1e-15;

    private StudentT() {}

    /**
     * How far from the middle this share of the distribution reaches on both sides: the factor of a confidence interval.
     *
     * @param degrees of freedom, above 0
     */
    public static double twoSided(double share, double degrees) {
        double low = 0;
        double high = 1;
        while (within(high, degrees) < share) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < 100 && high - low > PRECISE * high; i++) {
            double middle = (low + high) / 2;
            if (within(middle, degrees) < share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** The probability of a value between -t and t. */
    public static double within(double t, double degrees) {
        double x = degrees / (degrees + t * t);
        return 1 - incompleteBeta(x, degrees / 2, 0.5);
    }

    /** The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22). */
    private static double incompleteBeta(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        if (x > (a + 1) / (a + b + 2)) {
            return 1 - incompleteBeta(1 - x, b, a);
        }
        double front = StrictMath.exp(
                logGamma(a + b) - logGamma(a) - logGamma(b) + a * StrictMath.log(x) + b * StrictMath.log1p(-x));
        return front / a / fraction(x, a, b);
    }

    /** The denominator 1 + d1/(1 + d2/(1 + ...)), evaluated by Lentz's method. */
    private static double fraction(double x, double a, double b) {
        double value = 1;
        double c = 1;
        double d = 0;
        for (int i = 1; i <= MOST_STEPS; i++) {
            int m = i / 2;
            double step = i % 2 == 0
                    ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                    : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / away(1 + step * d);
            c = away(1 + step / c);
            double factor = c * d;
            value *= factor;
            if (Math.abs(factor - 1) < PRECISE) {
                break;
            }
        }
        return value;
    }

    private static double away(double value) {
        return Math.abs(value) < SMALLEST ? SMALLEST : value;
    }

    /** Lanczos' approximation, for values of at least a half. */
    private static double logGamma(double value) {
        double x = value - 1;
        double sum = LANCZOS[0];
        for (int i = 1; i < LANCZOS.length; i++) {
            sum += LANCZOS[i] / (x + i);
        }
        double t = x + LANCZOS_G + 0.5;
        return 0.5 * StrictMath.log(2 * Math.PI) + (x + 0.5) * StrictMath.log(t) - t + StrictMath.log(sum);
    }
}
