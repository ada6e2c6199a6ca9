// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import java.io.IOException;
import java.io.Serial;

/**
 * What a check of a {@link StatedAlgorithm} may still cost: statements, characters of formulas, parts moved, and steps
 * compared with each other count one each. Confined to one thread.
 */
final class StepBudget {
    /** A few seconds. */
    private static final long MOST = 100_000_000;

    private long left;

    private StepBudget(long left) {
        this.left = left;
    }

    /** For so many checks of ordinary size. */
    static StepBudget checks(int checks) {
        return new StepBudget(MOST * Math.max(1, checks));
    }

    /** For what is not checked but done. */
    static StepBudget unlimited() {
        return new StepBudget(Long.MAX_VALUE);
    }

    /** @throws Spent when nothing is left */
    void spend(long work) throws Spent {
        left -= work;
        if (left < 0) {
            throw new Spent();
        }
    }

    /** A check costs too much. */
    static final class Spent extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        Spent() {
            super("too many steps to check");
        }
    }
}
