// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Tells ranks that take longer throughout a run from those that take turns. */
public final class Throughout {
    /** Fewer repetitions tell no scatter. */
    private static final int FEWEST_REPETITIONS = 3;

    /** Up to so many steps the scatter is taken as of neighbours that are alike by half, which few parts do not tell. */
    private static final int FEW_PARTS = 30;

    private static final double CHANCE = 0.05;

    /** What such neighbours stretch the variance of a mean by: (1 + 0.5) / (1 - 0.5). */
    private static final double STRETCH = 3;

    /** Of two ranks either may be the longer one. */
    private static final int FEWEST_COMPARISONS = 2;

    private Throughout() {}

    /**
     * By rank: whether it takes longer than a rank in the middle by more than chance. Two parts and fewer do not tell.
     *
     * @param courses by rank, what it takes in each part of the run; NaN for parts that it does not have
     * @param steps whether parts are steps
     */
    public static boolean[] of(List<double[]> courses, boolean steps) {
        int n = courses.size();
        List<Integer> order = new ArrayList<>();
        for (int r = 0; r < n; r++) {
            order.add(r);
        }
        order.sort(
                Comparator.comparingDouble((Integer r) -> sum(courses.get(r))).thenComparing(r -> r));
        boolean[] throughout = new boolean[n];
        int middle = n == 0 ? 0 : order.get((n - 1) / 2);
        for (int r = 0; r < n; r++) {
            throughout[r] = isLonger(courses.get(r), courses.get(middle), Math.max(FEWEST_COMPARISONS, n - 1), steps);
        }
        return throughout;
    }

    /** The sum over all parts, where some are missing at the mean of the others. */
    private static double sum(double[] course) {
        double[] known =
                Arrays.stream(course).filter(value -> !Double.isNaN(value)).toArray();
        return Arrays.stream(known).sum() * (course.length / (double) Math.max(1, known.length));
    }

    /**
     * Whether the values of one are above those of the other beside the scatter of their differences over the parts. Of few
     * steps it is assumed how alike neighbours are; {@link LongRunMeans} would have to find it out.
     */
    private static boolean isLonger(double[] ofOne, double[] ofOther, int comparisons, boolean steps) {
        int[] both = IntStream.range(0, ofOne.length)
                .filter(i -> !Double.isNaN(ofOne[i]) && !Double.isNaN(ofOther[i]))
                .toArray();
        double[] own = Arrays.stream(both).mapToDouble(i -> ofOne[i]).toArray();
        double[] other = Arrays.stream(both).mapToDouble(i -> ofOther[i]).toArray();
        int n = own.length;
        if (n < FEWEST_REPETITIONS) {
            return false;
        }
        if (LongRunMeans.of(List.of(other, own)).difference(1, 0, comparisons).low() > 0) {
            return true;
        }
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            sum += own[i] - other[i];
        }
        for (int i = 0; i < n; i++) {
            squares += Math.pow(own[i] - other[i] - sum / n, 2);
        }
        double reach = StudentT.twoSided(1 - CHANCE / comparisons, n - 1) * Math.sqrt(squares / (n - 1) * STRETCH / n);
        return steps && n <= FEW_PARTS && sum / n > reach;
    }
}
