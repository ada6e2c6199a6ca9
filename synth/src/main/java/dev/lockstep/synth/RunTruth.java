// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;

/**
 * What is in the traces of a run.
 *
 * @param recipe that made it
 * @param steps recorded
 * @param stepNanos duration of each step, mean over the ranks, true nanoseconds
 * @param ranks those that were written, ascending
 * @param collectives by kind and group
 */
public record RunTruth(
        TraceRecipe recipe, int steps, List<Long> stepNanos, List<RankTruth> ranks, List<CollectiveTotal> collectives) {

    public RunTruth {
        stepNanos = List.copyOf(stepNanos);
        ranks = List.copyOf(ranks);
        collectives = List.copyOf(collectives);
    }

    /**
     * Collectives of a kind in the groups of one purpose.
     *
     * @param name of the collective, as recorded
     * @param group description of the process groups
     * @param groupSize ranks of each group
     * @param countPerRank kernels in each rank's trace
     * @param bytesPerRank sum of the full messages' sizes in each rank's trace
     */
    public record CollectiveTotal(String name, String group, int groupSize, long countPerRank, long bytesPerRank) {}

    /** Mean duration of a step, nanoseconds. */
    public long meanStepNanos() {
        return Math.round(
                stepNanos.stream().mapToLong(Long::longValue).average().orElse(0));
    }
}
