// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.Costs;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What all ranks have in common when schedules are made.
 *
 * @param nodes where each rank lives
 */
public record ScheduleRules(List<String> nodes, WireRules wire, Algorithms algorithms, Costs costs) {
    /** Rules for a recording. */
    public static ScheduleRules of(RecordedRun recording, WireRules wire, Algorithms algorithms, Costs costs) {
        return new ScheduleRules(recording.gpus().stream().map(Gpu::node).toList(), wire, algorithms, costs);
    }

    private boolean oneNode(Communicator communicator) {
        return IntStream.range(0, communicator.size())
                        .map(communicator::gpu)
                        .mapToObj(gpu -> gpu < 0 ? "" : nodes.get(gpu))
                        .distinct()
                        .limit(2)
                        .count()
                == 1;
    }

    /** The same, where collectives whose algorithm is not modelled go around rings; that is noted. */
    ScheduleRules modelling(RecordedRun recording) {
        Set<String> missing = new TreeSet<>();
        Set<String> across = new TreeSet<>();
        for (Gpu gpu : recording.gpus()) {
            for (RecordedOperation o : gpu.operations()) {
                if (o.plan() instanceof CollectivePlan plan) {
                    if (algorithms.of(o.kind(), plan.algorithm()) == null) {
                        missing.add(o.kind().word() + " with " + plan.algorithm());
                    } else if (plan.algorithm() == NcclAlgorithm.NVLS
                            && !oneNode(recording.communicators().get(o.communicator()))) {
                        across.add(o.kind().word() + " with NVLS");
                    }
                }
            }
        }
        if (!across.isEmpty()) {
            recording
                    .notes()
                    .assumed(
                            "network_reduction_assumed",
                            String.join(", ", across)
                                    + ": schedules cannot say that the network between nodes adds or multiplies data; there"
                                    + " sums go up and down trees, and parts around rings");
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
