// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.algorithm.CollectiveAlgorithm;
import dev.lockstep.goal.generate.MessageCensus;
import dev.lockstep.goal.generate.OperationBudget;
import dev.lockstep.goal.generate.RankSchedule;
import dev.lockstep.goal.generate.ScheduleRules;
import dev.lockstep.goal.generate.ScheduleStyle;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.Costs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Schedules with the reference's structure: the streams of a GPU one after the other and independent of each other, each
 * a sequence of operations with the time between them, operations in nested blocks.
 */
public final class ReferenceStyle implements ScheduleStyle {
    /** Digits of message numbers and labels in the reference's tags. */
    public static final int NUMBER_DIGITS = 4;

    /** See {@link #NUMBER_DIGITS}. */
    public static final int LABEL_DIGITS = 5;

    private static final Set<NcclAlgorithm> KNOWN = EnumSet.of(NcclAlgorithm.RING, NcclAlgorithm.TREE);

    private final RecordedRun recording;
    private final ScheduleRules rules;
    private final List<ReferenceStreams> streams = new ArrayList<>();
    private final boolean merged;

    /**
     * @param merge whether the streams of a GPU become one, which happens if nowhere two operations overlap in time
     * @param parallel whether the reference reads files in parallel
     */
    public ReferenceStyle(RecordedRun recording, Costs costs, boolean merge, boolean parallel) {
        this.recording = recording;
        this.rules = ScheduleRules.of(
                recording,
                new ReferenceWire(),
                new Algorithms(Algorithms.BUILT_IN.preferring(new ReferenceRingAllReduce()).all().stream()
                        .<CollectiveAlgorithm>map(OneWorker::new)
                        .toList()),
                costs.clamped());
        recording.gpus().forEach(gpu -> streams.add(ReferenceStreams.of(gpu.operations(), parallel)));
        demandModelled();
        this.merged = merge && streams.stream().allMatch(ReferenceStreams::mergeable);
    }

    /** Whether streams became one. */
    public boolean merged() {
        return merged;
    }

    private void demandModelled() {
        recording.gpus().stream().flatMap(gpu -> gpu.operations().stream()).forEach(o -> {
            Communicator communicator = recording.communicators().get(o.communicator());
            if (o.plan() != null && !communicator.whole()) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        "communicator " + communicator.id() + ": " + communicator.missing() + " of "
                                + communicator.size() + " ranks were not recorded, without which the reference ends",
                        "Leave out --compat: then what it does is left out.");
            }
            if (o.plan() instanceof CollectivePlan plan
                    && (!KNOWN.contains(plan.algorithm())
                            || rules.algorithms().of(o.kind(), plan.algorithm()) == null)) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        o.kind().word() + " with " + plan.algorithm() + " is unknown to the reference",
                        "Leave out --compat: then it is modelled.");
            }
        });
    }

    @Override
    public RankSchedule rank(int rank, OperationBudget budget) throws IOException {
        return new ReferenceSchedule(
                recording,
                rank,
                rules,
                merged ? streams.get(rank).merged() : streams.get(rank),
                new MessageCensus(recording, rank, rules, budget));
    }
}
