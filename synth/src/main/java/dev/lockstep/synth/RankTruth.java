// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;

/**
 * What is in one rank's trace.
 *
 * @param rank in the job
 * @param path of the trace, relative to the run's directory, with {@code /}
 * @param bytes of its text, uncompressed
 * @param clock how the rank's clock reads; subtracting its error gives the true time
 * @param totals complete events by category, durations as written
 * @param computeNanosByStep sum of the durations of compute kernels in each step, true nanoseconds
 * @param excessNanosByStep how much of that the rank's slowness caused
 */
public record RankTruth(
        int rank,
        String path,
        long bytes,
        RankClock clock,
        List<CategoryTotal> totals,
        List<Long> computeNanosByStep,
        List<Long> excessNanosByStep) {

    public RankTruth {
        totals = List.copyOf(totals);
        computeNanosByStep = List.copyOf(computeNanosByStep);
        excessNanosByStep = List.copyOf(excessNanosByStep);
    }

    /**
     * @param category as in the trace
     * @param count of complete events
     * @param nanos sum of their durations, nanoseconds of the rank's clock
     */
    public record CategoryTotal(String category, long count, long nanos) {}
}
