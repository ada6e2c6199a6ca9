// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/** Counts the messages of operations of one rank, each kind of operation once. Confined to one thread. */
public final class MessageCensus {
    private record Key(int communicator, NcclFunction kind) {}

    private record Counted(MessageCounts messages, long operations) {}

    private final RecordedRun recording;
    private final int self;
    private final ScheduleRules rules;
    private final OperationBudget budget;
    private final IdentityHashMap<Plan, Map<Key, Counted>> known = new IdentityHashMap<>();

    /**
     * @param self the rank
     * @param budget what the operations of its schedule are taken from
     */
    public MessageCensus(RecordedRun recording, int self, ScheduleRules rules, OperationBudget budget) {
        this.recording = recording;
        this.self = self;
        this.rules = rules;
        this.budget = budget;
    }

    /** The messages of an operation that has a plan; each operation is asked for once. */
    public MessageCounts of(RecordedOperation operation) throws IOException {
        Plan plan = Objects.requireNonNull(operation.plan());
        Key key = new Key(operation.communicator(), operation.kind());
        Map<Key, Counted> same = known.computeIfAbsent(plan, p -> new HashMap<>(2));
        Counted counted = same.get(key);
        if (counted == null) {
            MessageCounts counts = new MessageCounts();
            NullSchedule nowhere = new NullSchedule(budget);
            PrimitiveWriter primitives = new PrimitiveWriter(
                    self, rules.nodes(), rules.wire(), rules.costs().forRank(self), nowhere, nowhere, counts);
            new OperationWriter(self, recording.communicators(), rules, nowhere, primitives)
                    .write(operation, CpuRange.from(0), 0);
            counted = new Counted(counts, nowhere.operations());
            same.put(key, counted);
        }
        budget.spend(counted.operations);
        return counted.messages;
    }
}
