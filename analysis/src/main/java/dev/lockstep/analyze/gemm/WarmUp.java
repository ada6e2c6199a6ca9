// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.model.Slices;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;

/**
 * Finds steps at the beginning of a trace in which kernels take longer because things are still warming up. The first step
 * is such a step when at least three follow and when half of the shapes take there, in the median, at least a quarter
 * longer than in all later steps; then the next one is judged likewise.
 */
final class WarmUp {
    private static final int FEWEST_AFTER = 3;
    private static final double LONGER = 1.25;

    private WarmUp() {}

    /** Number of steps at the beginning that are warm-up. */
    static int steps(GemmKernels kernels, Slices slices) {
        int last = -1;
        for (int i = 0; i < kernels.size(); i++) {
            last = Math.max(last, kernels.step(i));
        }
        int warm = 0;
        while (last - warm >= FEWEST_AFTER && ratio(kernels, slices, warm) >= LONGER) {
            warm++;
        }
        return warm;
    }

    /** Median over the shapes of their median time in the step over that in all later ones; 0 when none is in both. */
    private static double ratio(GemmKernels kernels, Slices slices, int step) {
        DoubleList ratios = new DoubleList(64);
        for (GemmKernels.Group group : kernels.groups()) {
            double here = median(kernels, slices, group.members, step, step);
            double later = median(kernels, slices, group.members, step + 1, Integer.MAX_VALUE);
            if (here > 0 && later > 0) {
                ratios.add(here / later);
            }
        }
        double[] sorted = ratios.toArray();
        Arrays.sort(sorted);
        return Quantiles.lowerMedian(sorted, 0);
    }

    private static double median(GemmKernels kernels, Slices slices, IntList members, int from, int to) {
        long[] durations = new long[members.size()];
        int n = 0;
        for (int k = 0; k < durations.length; k++) {
            int i = members.get(k);
            if (kernels.step(i) >= from && kernels.step(i) <= to) {
                durations[n++] = slices.dur(kernels.slice(i));
            }
        }
        Arrays.sort(durations, 0, n);
        return n == 0 ? 0 : Quantiles.median(durations, n);
    }
}
