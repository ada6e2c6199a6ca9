// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * A job whose communication NCCL's Inspector records.
 *
 * @param fault what is wrong
 * @param ranks how many, a multiple of 16 or 8
 * @param steps over six hours
 * @param loss share of bandwidth that a slow link lacks, 0 to 0.9
 * @param lost share of records that are lost, 0 to 0.5
 * @param seed of everything else
 */
public record InspectorRecipe(InspectorFault fault, int ranks, int steps, double loss, double lost, long seed) {
    private static final int FEWEST = 8;
    private static final int MOST = 1 << 16;
    private static final int MOST_STEPS = 1_000_000;

    /** Checks the numbers. */
    public InspectorRecipe {
        if (ranks < FEWEST || ranks > MOST || ranks % FEWEST != 0) {
            throw new IllegalArgumentException("ranks are a multiple of " + FEWEST + ", not " + ranks);
        }
        if (steps < 1 || steps > MOST_STEPS || loss < 0 || loss > 0.9 || lost < 0 || lost > 0.5) {
            throw new IllegalArgumentException("steps are 1 to 1000000, a loss at most 0.9, lost records at most 0.5");
        }
    }
}
