// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param pausedNanosByStep how long the host paused in each step
 * @param passes of micro-batches through the rank's stage of a pipeline, in order
 * @param memory what the allocator allocated, null where that is not recorded
 */
public record RankTruth(
        int rank,
        String path,
        long bytes,
        RankClock clock,
        List<CategoryTotal> totals,
        List<Long> computeNanosByStep,
        List<Long> excessNanosByStep,
        List<Long> pausedNanosByStep,
        List<Pass> passes,
        @Nullable MemoryTruth memory) {

    public RankTruth {
        totals = List.copyOf(totals);
        computeNanosByStep = List.copyOf(computeNanosByStep);
        excessNanosByStep = List.copyOf(excessNanosByStep);
        pausedNanosByStep = List.copyOf(pausedNanosByStep);
        passes = List.copyOf(passes);
    }

    /**
     * A pass of a micro-batch, from its first kernel to its last.
     *
     * @param step from 1
     * @param pass {@code forward}, {@code backward} or {@code weights}
     * @param chunk part of the stage's model
     * @param microBatch from 0
     * @param startNanos true ns since the start of the run
     * @param endNanos likewise
     */
    public record Pass(int step, String pass, int chunk, int microBatch, long startNanos, long endNanos) {}

    /**
     * @param category as in the trace
     * @param count of complete events
     * @param nanos sum of their durations, nanoseconds of the rank's clock
     */
    public record CategoryTotal(String category, long count, long nanos) {}
}
