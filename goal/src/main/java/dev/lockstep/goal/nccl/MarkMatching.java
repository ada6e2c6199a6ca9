// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.RecordedMark.PartMark;
import dev.lockstep.goal.nccl.RecordedMark.PlanMark;
import dev.lockstep.goal.nccl.Scopes.Unit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives marks to the calls that they are about. */
final class MarkMatching {
    private record PlanKey(Collective kind, String communicator, long bytes) {}

    private record PartKey(boolean sent, int peer) {}

    private final RecordedProcess process;
    private final Scopes scopes;
    private final Notes notes;
    private final Map<Unit, Map<PlanKey, Deque<RecordedCall>>> unplanned = new HashMap<>();
    private final Map<Unit, Map<PartKey, Deque<RecordedCall>>> unmoved = new HashMap<>();
    private final Map<RecordedCall, Long> moved = new HashMap<>();

    MarkMatching(RecordedProcess process, Scopes scopes, Notes notes) {
        this.process = process;
        this.scopes = scopes;
        this.notes = notes;
    }

    void run() {
        collectives();
        Map<Long, Scopes.Follower> threads = new HashMap<>();
        Marks<PartMark> parts = process.parts();
        for (int i = 0; i < parts.size(); i++) {
            RecordedCall near =
                    threads.computeIfAbsent(parts.thread(i), scopes::follow).at(parts.time(i));
            RecordedCall call = near == null ? null : mover(scopes.unitOf(near), parts.get(i));
            if (call == null) {
                stray("a part of a message");
            } else {
                call.parts().add(parts.get(i));
            }
        }
    }

    /** What channels do stands behind the plan that it belongs to. */
    private void collectives() {
        Marks<PlanMark> plans = process.plans();
        Marks<RecordedMark.WorkMark> works = process.works();
        Map<Long, Scopes.Follower> threads = new HashMap<>();
        Map<Long, RecordedCall> planned = new HashMap<>();
        int next = 0;
        for (int i = 0; i <= plans.size(); i++) {
            long until = i < plans.size() ? plans.time(i) : Long.MAX_VALUE;
            for (; next < works.size() && works.time(next) < until; next++) {
                RecordedCall near = threads.computeIfAbsent(works.thread(next), scopes::follow)
                        .at(works.time(next));
                RecordedCall call = planned.get(works.thread(next));
                if (call == null || near == null || scopes.unitOf(near) != scopes.unitOf(call)) {
                    stray("what a channel does");
                } else {
                    call.works().add(works.get(next));
                }
            }
            if (i < plans.size()) {
                RecordedCall near =
                        threads.computeIfAbsent(plans.thread(i), scopes::follow).at(plans.time(i));
                RecordedCall call = near == null ? null : planner(scopes.unitOf(near), plans.get(i));
                if (call == null) {
                    stray("a plan");
                    planned.remove(plans.thread(i));
                } else {
                    planned.put(plans.thread(i), call);
                }
            }
        }
    }

    private @Nullable RecordedCall planner(Unit unit, PlanMark mark) {
        Collective kind = Collective.ofType(mark.type());
        if (kind == null) {
            return null;
        }
        Map<PlanKey, Deque<RecordedCall>> waiting = unplanned.computeIfAbsent(unit, MarkMatching::collectives);
        Deque<RecordedCall> same = waiting.get(new PlanKey(kind, mark.communicator(), mark.bytes()));
        RecordedCall call = same == null ? null : same.peekFirst();
        if (call == null) {
            for (RecordedCall other : unit.calls) {
                if (other.kind() == kind && other.communicator().equals(mark.communicator())) {
                    call = call == null || call.plan() != null ? other : call;
                }
            }
        }
        if (call != null && call.plan() == null) {
            call.plan(mark);
            if (same != null && same.size() > 1) {
                same.remove(call);
            }
        }
        return call;
    }

    private static Map<PlanKey, Deque<RecordedCall>> collectives(Unit unit) {
        Map<PlanKey, Deque<RecordedCall>> calls = new HashMap<>();
        for (RecordedCall call : unit.calls) {
            if (!call.kind().pairwise()) {
                calls.computeIfAbsent(
                                new PlanKey(call.kind(), call.communicator(), call.bytes()), key -> new ArrayDeque<>())
                        .add(call);
            }
        }
        return calls;
    }

    private @Nullable RecordedCall mover(Unit unit, PartMark part) {
        Map<PartKey, Deque<RecordedCall>> waiting = unmoved.computeIfAbsent(unit, MarkMatching::messages);
        Deque<RecordedCall> same = waiting.get(new PartKey(part.sent(), part.peer()));
        if (same != null) {
            RecordedCall call = same.getFirst();
            long sum = moved.merge(call, part.bytes(), Long::sum);
            if (sum >= call.bytes() && same.size() > 1) {
                same.removeFirst();
            }
            return call;
        }
        for (RecordedCall call : unit.calls) {
            if (call.kind().pairwise() && call.peer() < 0) {
                return call;
            }
        }
        return null;
    }

    private static Map<PartKey, Deque<RecordedCall>> messages(Unit unit) {
        Map<PartKey, Deque<RecordedCall>> calls = new HashMap<>();
        for (RecordedCall call : unit.calls) {
            if (call.peer() >= 0) {
                calls.computeIfAbsent(
                                new PartKey(call.kind() == Collective.SEND, call.peer()), key -> new ArrayDeque<>())
                        .add(call);
            }
        }
        return calls;
    }

    private void stray(String what) {
        notes.assumed(
                "mark_stray",
                "process " + process.pid() + " of node " + process.node() + ": no call is near " + what
                        + "; it was left out");
    }
}
