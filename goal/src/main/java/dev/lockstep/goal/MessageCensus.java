// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.goal.nccl.Collective;
import dev.lockstep.goal.nccl.Operation;
import dev.lockstep.goal.nccl.Plan;
import dev.lockstep.goal.nccl.Recording;
import java.io.IOException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/** Counts the messages of operations of one rank, each kind of operation once. Confined to one thread. */
public final class MessageCensus {
    private record Key(int communicator, Collective kind) {}

    private final Recording recording;
    private final int self;
    private final ScheduleRules rules;
    private final IdentityHashMap<Plan, Map<Key, MessageCounts>> known = new IdentityHashMap<>();

    public MessageCensus(Recording recording, int self, ScheduleRules rules) {
        this.recording = recording;
        this.self = self;
        this.rules = rules;
    }

    /** The messages of an operation that has a plan. */
    public MessageCounts of(Operation operation) throws IOException {
        Plan plan = Objects.requireNonNull(operation.plan());
        Key key = new Key(operation.communicator(), operation.kind());
        Map<Key, MessageCounts> same = known.computeIfAbsent(plan, p -> new HashMap<>(2));
        MessageCounts counts = same.get(key);
        if (counts == null) {
            counts = new MessageCounts();
            Dry nowhere = new Dry();
            PrimitiveWriter primitives = new PrimitiveWriter(
                    self, rules.nodes(), rules.wire(), rules.costs().forRank(self), nowhere, nowhere, counts);
            new OperationWriter(self, recording.communicators(), rules, nowhere, primitives)
                    .write(operation, CpuRange.from(0), 0);
            same.put(key, counts);
        }
        return counts;
    }
}
