// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * A job that hangs, and how its dumps look. What is not said follows from the seed.
 *
 * @param fault what keeps it from going on
 * @param ranks how many, at least 8
 * @param entries about how many calls a ring buffer holds
 * @param missing share of the ranks without a fault that leave no dump, 0 to 1
 * @param mixed whether versions and formats differ between ranks
 * @param seed of everything else
 */
public record HangRecipe(HangFault fault, int ranks, int entries, double missing, boolean mixed, long seed) {
    private static final int FEWEST = 8;
    private static final int MOST = 1 << 20;

    /** Checks the numbers. */
    public HangRecipe {
        if (ranks < FEWEST || ranks > MOST) {
            throw new IllegalArgumentException("a job that hangs has at least " + FEWEST + " ranks, not " + ranks);
        }
        if (entries < 100 || missing < 0 || missing > 0.5) {
            throw new IllegalArgumentException("at least 100 entries, and at most half of the dumps missing");
        }
    }
}
