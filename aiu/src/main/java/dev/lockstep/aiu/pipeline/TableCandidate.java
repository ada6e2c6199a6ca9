// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.List;
import java.util.Set;

/**
 * A job, and a compiler's table that may be the one of its kernels.
 *
 * @param first names of the job's first kernels
 * @param distinct names of all of its kernels
 * @param kernels how many there were
 * @param us microseconds that they took
 * @param rowNames names in the first rows of the table
 * @param rows number of the table's rows
 * @param shared kernels of the job that the table has
 * @param tableUs microseconds of the table at the full rate
 * @param idealUs microseconds of the job's kernels at the full rate, as the table has them
 */
public record TableCandidate(
        List<String> first,
        Set<String> distinct,
        int kernels,
        double us,
        List<String> rowNames,
        int rows,
        long shared,
        double tableUs,
        double idealUs) {
    private static final double WEIGHT = 0.5;
    private static final double ROUNDING = 1e-9;

    /**
     * The part of the job's kernels that the table has, the part of the table's that the job has, and how much of the job's
     * time they take at the full rate, which counts against it where that is more than all of it: no kernel is faster. At most 1.5.
     */
    double likeness() {
        Set<String> names = Set.copyOf(rowNames);
        if (distinct.isEmpty() || names.isEmpty()) {
            return 0;
        }
        long met = names.stream().filter(distinct::contains).count();
        double filled = idealUs > us * (1 + ROUNDING) ? -1 : us > 0 ? Math.min(1, idealUs / us) : 0;
        return WEIGHT * shared / distinct.size() + WEIGHT * met / names.size() + WEIGHT * filled;
    }
}
