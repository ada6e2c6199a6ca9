// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A line through values that follow one another, and how far its slope may be chance, in the knowledge that neighbours may be alike by
 * half.
 *
 * @param mean of the values
 * @param slope from one place to the next
 * @param reach how far from none a slope lies by chance, with 95 %; NaN with too few values
 * @param places from the first to the last value that is known
 */
public record Trend(double mean, double slope, double reach, int places) {
    private static final double CHANCE = 0.05;

    /** Two points are always on a line, and three nearly. */
    private static final int FEWEST = 4;

    /** By what neighbours that are alike by half stretch the variance of a slope. */
    private static final double STRETCH = 3;

    /**
     * {@return the line through values}
     *
     * @param values NaN where one is not known
     * @param comparisons how many slopes are looked at together
     */
    public static Trend of(double[] values, int comparisons) {
        int[] known = IntStream.range(0, values.length)
                .filter(s -> !Double.isNaN(values[s]))
                .toArray();
        int n = known.length;
        if (n < FEWEST) {
            return new Trend(Double.NaN, Double.NaN, Double.NaN, 0);
        }
        double middle = Arrays.stream(known).average().orElse(0);
        double mean = Arrays.stream(known).mapToDouble(s -> values[s]).average().orElse(0);
        double squares = Arrays.stream(known)
                .mapToDouble(s -> (s - middle) * (s - middle))
                .sum();
        double slope =
                Arrays.stream(known).mapToDouble(s -> (s - middle) * values[s]).sum() / squares;
        double rest = Arrays.stream(known)
                .mapToDouble(s -> Math.pow(values[s] - mean - slope * (s - middle), 2))
                .sum();
        double reach =
                StudentT.twoSided(1 - CHANCE / comparisons, n - 2) * Math.sqrt(rest / (n - 2) * STRETCH / squares);
        return new Trend(mean, slope, reach, known[n - 1] - known[0]);
    }

    /** Whether values rise by more than chance. */
    public boolean rises() {
        return slope > reach;
    }

    /** By how much the line is higher at the last place than at the first. */
    public double rise() {
        return slope * places;
    }
}
