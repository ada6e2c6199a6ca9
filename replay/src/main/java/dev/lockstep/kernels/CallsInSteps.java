// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.kernels.UniqueKernel.StepCalls;
import dev.lockstep.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/** Counts how often each group of calls was called in each step. */
final class CallsInSteps {
    private final int steps;
    private final LongIntMap calls = new LongIntMap(1024);

    /** @param steps number of steps, which may be 0 */
    CallsInSteps(int steps) {
        this.steps = steps;
    }

    /** Counts a call; {@code step} is -1 for one outside of steps. */
    void add(int group, int step) {
        if (step >= 0) {
            long pair = pair(group, step);
            calls.put(pair, Math.max(0, calls.get(pair)) + 1);
        }
    }

    /** Calls of a group by step; null when there are no steps. */
    @Nullable
    StepCalls of(int group) {
        if (steps == 0) {
            return null;
        }
        long sum = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int step = 0; step < steps; step++) {
            long here = Math.max(0, calls.get(pair(group, step)));
            sum += here;
            least = Math.min(least, here);
            most = Math.max(most, here);
        }
        return new StepCalls((double) sum / steps, least, most);
    }

    private long pair(int group, int step) {
        return (long) group * steps + step;
    }
}
