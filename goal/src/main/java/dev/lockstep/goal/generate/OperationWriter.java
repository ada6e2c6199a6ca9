// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.ChannelJob;
import dev.lockstep.goal.algorithm.CollectiveAlgorithm;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.schedule.Composition;
import java.io.IOException;
import java.util.List;

/**
 * Writes operations of one rank: each group of warps of a channel, and each part of a message, on a cpu of its own.
 */
public final class OperationWriter {
    private final int self;
    private final List<Communicator> communicators;
    private final ScheduleRules rules;
    private final Composition blocks;
    private final PrimitiveWriter primitives;
    private int current = -1;
    private int rank;

    public OperationWriter(
            int self,
            List<Communicator> communicators,
            ScheduleRules rules,
            Composition blocks,
            PrimitiveWriter primitives) {
        this.self = self;
        this.communicators = communicators;
        this.rules = rules;
        this.blocks = blocks;
        this.primitives = primitives;
    }

    /** How many cpus an operation takes. */
    public static int cpus(RecordedOperation operation, ScheduleRules rules) {
        return switch (operation.plan()) {
            case CollectivePlan plan ->
                plan.channels().size() * algorithm(operation, plan, rules).workers();
            case PairwisePlan plan -> plan.parts().size();
            case null -> 0;
        };
    }

    /**
     * Writes an operation.
     *
     * @param cpus where it may run
     * @param first the first of them that it takes
     */
    public void write(RecordedOperation operation, CpuRange cpus, int first) throws IOException {
        if (operation.communicator() != current) {
            current = operation.communicator();
            rank = communicators.get(current).rankOf(self);
            primitives.communicator(communicators.get(current));
        }
        switch (operation.plan()) {
            case CollectivePlan plan -> collective(operation, plan, cpus, first);
            case PairwisePlan plan -> pairwise(plan.parts(), cpus, first);
            case null -> {}
        }
    }

    private void collective(RecordedOperation operation, CollectivePlan plan, CpuRange cpus, int first)
            throws IOException {
        CollectiveAlgorithm algorithm = algorithm(operation, plan, rules);
        int workers = algorithm.workers();
        blocks.parallel(cpus.of(first));
        for (int channel = 0; channel < plan.channels().size(); channel++) {
            int at = first + channel * workers;
            blocks.parallel(cpus.of(at));
            primitives.channel(plan, cpus, at, workers);
            algorithm.expand(
                    new ChannelJob(
                            communicators.get(current),
                            rules.nodes(),
                            rank,
                            channel,
                            plan,
                            plan.channels().get(channel)),
                    primitives);
            blocks.close();
        }
        blocks.close();
    }

    private static CollectiveAlgorithm algorithm(
            RecordedOperation operation, CollectivePlan plan, ScheduleRules rules) {
        CollectiveAlgorithm algorithm = rules.algorithms().of(operation.kind(), plan.algorithm());
        if (algorithm == null) {
            throw new IllegalStateException(operation.kind() + " with " + plan.algorithm());
        }
        return algorithm;
    }

    private void pairwise(List<Part> parts, CpuRange cpus, int first) throws IOException {
        if (parts.size() == 1) {
            primitives.part(parts.getFirst(), cpus.of(first));
        } else if (!parts.isEmpty()) {
            parts(parts, cpus, first);
        }
    }

    private void parts(List<Part> parts, CpuRange cpus, int first) throws IOException {
        blocks.parallel(cpus.of(first));
        for (int i = 0; i < parts.size(); i++) {
            primitives.part(parts.get(i), cpus.of(first + i));
        }
        blocks.close();
    }
}
