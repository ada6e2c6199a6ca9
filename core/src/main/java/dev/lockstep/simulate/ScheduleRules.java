// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.simulate;

import dev.lockstep.simulate.algorithm.Algorithms;
import dev.lockstep.simulate.nccl.Gpu;
import dev.lockstep.simulate.nccl.Recording;
import dev.lockstep.simulate.schedule.Costs;

/**
 * What all ranks have in common when schedules are made.
 *
 * @param nodes where each rank lives
 */
public record ScheduleRules(String[] nodes, WireRules wire, Algorithms algorithms, Costs costs) {
    /** Rules for a recording. */
    public static ScheduleRules of(Recording recording, WireRules wire, Algorithms algorithms, Costs costs) {
        return new ScheduleRules(
                recording.gpus().stream().map(Gpu::node).toArray(String[]::new), wire, algorithms, costs);
    }
}
