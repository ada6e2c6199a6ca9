// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.simulate;

import dev.lockstep.simulate.algorithm.Algorithms;
import dev.lockstep.simulate.nccl.Gpu;
import dev.lockstep.simulate.nccl.Operation;
import dev.lockstep.simulate.nccl.Plan.CollectivePlan;
import dev.lockstep.simulate.nccl.Recording;
import dev.lockstep.simulate.schedule.Costs;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What all ranks have in common when schedules are made.
 *
 * @param nodes where each rank lives
 */
public record ScheduleRules(List<String> nodes, WireRules wire, Algorithms algorithms, Costs costs) {
    /** Rules for a recording. */
    public static ScheduleRules of(Recording recording, WireRules wire, Algorithms algorithms, Costs costs) {
        return new ScheduleRules(recording.gpus().stream().map(Gpu::node).toList(), wire, algorithms, costs);
    }

    /** The same, where collectives whose algorithm is not modelled go around rings; that is noted. */
    ScheduleRules modelling(Recording recording) {
        Set<String> missing = new TreeSet<>();
        for (Gpu gpu : recording.gpus()) {
            for (Operation o : gpu.operations()) {
                if (o.plan() instanceof CollectivePlan plan && algorithms.of(o.kind(), plan.algorithm()) == null) {
                    missing.add(o.kind().word() + " with " + plan.algorithm());
                }
            }
        }
        if (missing.isEmpty()) {
            return this;
        }
        recording
                .notes()
                .assumed("algorithm_assumed", String.join(", ", missing) + ": not modelled; rings are taken for it");
        return new ScheduleRules(nodes, wire, algorithms.orRings(), costs);
    }
}
