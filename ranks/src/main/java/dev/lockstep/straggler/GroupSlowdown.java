// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.straggler.JobGraph.Times;

/**
 * What one group of operations costs: with its own durations, and typical ones everywhere else. The array passes to the record.
 *
 * @param label the group: a type, a stage, a rank
 * @param times of every step with the group as recorded
 * @param price the quotient of the mean of {@code times} and the mean without the group
 */
@SuppressWarnings("ArrayRecordComponent")
public record GroupSlowdown(String label, double[] times, double price) {
    static GroupSlowdown of(String label, Times with, Times without) {
        return new GroupSlowdown(label, with.steps(), with.step() / without.step());
    }
}
