// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.table.Quantiles;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * What each rank took in each step, in ns. Arrays are by rank, then step, and pass to the record; NaN stands for a step that a
 * rank does not have.
 *
 * @param ranks numbers of the ranks, ascending
 * @param kinds ranks that do the same work are of one kind, and compared ({@link RankKinds})
 * @param steps numbers of the steps
 * @param period from the first device activity of the step to that of the next, in the last step to the end
 * @param own the period without communication that nothing hid: what the others wait for
 * @param computation time with any computation
 * @param copies time with copies and no computation or communication
 */
@SuppressWarnings("ArrayRecordComponent")
public record FleetSteps(
        int[] ranks,
        int[] kinds,
        long[] steps,
        double[][] period,
        double[][] own,
        double[][] computation,
        double[][] copies)
        implements Serializable {
    /** Number of kinds of ranks. */
    public int kindCount() {
        return Arrays.stream(kinds).max().orElse(-1) + 1;
    }

    /** Places of the ranks of a kind. */
    int[] places(int kind) {
        int[] places = new int[ranks.length];
        int n = 0;
        for (int r = 0; r < ranks.length; r++) {
            if (kinds[r] == kind) {
                places[n++] = r;
            }
        }
        return Arrays.copyOf(places, n);
    }

    /** Each value less the median of the ranks of its kind in that step. */
    public double[][] aboveMedian(double[][] values) {
        double[][] above = new double[ranks.length][steps.length];
        for (int kind = 0; kind < kindCount(); kind++) {
            int[] places = places(kind);
            for (int s = 0; s < steps.length; s++) {
                int step = s;
                double middle = median(Arrays.stream(places).mapToDouble(r -> values[r][step]));
                for (int r : places) {
                    above[r][s] = values[r][s] - middle;
                }
            }
        }
        return above;
    }

    /** The median of those that are numbers, the lower of two; NaN of none. */
    public static double median(DoubleStream values) {
        return Quantiles.lowerMedian(
                values.filter(value -> !Double.isNaN(value)).sorted().toArray(), Double.NaN);
    }
}
