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

    private final RecordedRun recording;
    private final int self;
    private final ScheduleRules rules;
    private final IdentityHashMap<Plan, Map<Key, MessageCounts>> known = new IdentityHashMap<>();

    public MessageCensus(RecordedRun recording, int self, ScheduleRules rules) {
        this.recording = recording;
        this.self = self;
        this.rules = rules;
    }

    /** The messages of an operation that has a plan. */
    public MessageCounts of(RecordedOperation operation) throws IOException {
        Plan plan = Objects.requireNonNull(operation.plan());
        Key key = new Key(operation.communicator(), operation.kind());
        Map<Key, MessageCounts> same = known.computeIfAbsent(plan, p -> new HashMap<>(2));
        MessageCounts counts = same.get(key);
        if (counts == null) {
            counts = new MessageCounts();
            NullSchedule nowhere = new NullSchedule();
            PrimitiveWriter primitives = new PrimitiveWriter(
                    self, rules.nodes(), rules.wire(), rules.costs().forRank(self), nowhere, nowhere, counts);
            new OperationWriter(self, recording.communicators(), rules, nowhere, primitives)
                    .write(operation, CpuRange.from(0), 0);
            same.put(key, counts);
        }
        return counts;
    }
}
