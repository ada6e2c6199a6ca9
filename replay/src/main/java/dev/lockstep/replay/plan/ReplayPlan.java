// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What to run again: the operators of a recording that do the work, without those that only call others.
 *
 * @param source where it comes from
 * @param steps the iterations that were found
 * @param operators in order of first calls
 * @param containers names whose work is done by recorded calls inside them, most calls first
 * @param unattributedNs device time that belongs to no recorded operator
 * @param order ids of the operators as one step calls them: the middle one; of all calls where there are no steps
 */
public record ReplayPlan(
        Source source,
        StepCount steps,
        List<PlannedOperator> operators,
        List<Container> containers,
        long unattributedNs,
        List<Integer> order) {
    /** The version of the file format. */
    public static final int VERSION = 1;

    public ReplayPlan {
        operators = List.copyOf(operators);
        containers = List.copyOf(containers);
        order = List.copyOf(order);
    }

    /**
     * @param trace name of the Kineto trace, null when there is none
     * @param executionTrace name of the execution trace, null when there is none
     * @param joined how many operators of the execution trace were found in the Kineto trace, -1 when there is but one
     * @param basis the times that count for coverage
     */
    public record Source(@Nullable String trace, @Nullable String executionTrace, long joined, TimeBasis basis) {}

    /** Which recorded times weigh operators. */
    public enum TimeBasis {
        /** Time of device work. */
        DEVICE,
        /** Time on the host; the recording holds no device work. */
        CPU,
        /** The recording holds no times. */
        NONE;

        /** The word for it in plans and results. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The weight of an operator in ns. */
        public long of(PlannedOperator.Recorded recorded) {
            return switch (this) {
                case DEVICE -> Math.max(0, recorded.deviceNs());
                case CPU -> Math.max(0, recorded.cpuNs());
                case NONE -> 0;
            };
        }
    }

    /**
     * @param count number of steps, 0 when none were found
     * @param source how they were found: {@code annotation}, {@code inferred} or {@code none}
     */
    public record StepCount(int count, String source) {}

    /** A name that only calls others. */
    public record Container(String name, long calls) {}
}
