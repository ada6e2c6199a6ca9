// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.NvtxMark.PartMark;
import dev.lockstep.goal.nccl.NvtxMark.PlanMark;
import dev.lockstep.goal.nccl.Scopes.Unit;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives marks to the calls that they are about. */
final class MarkMatching {
    private static final long ANY_SIZE = -1;

    private record PlanKey(NcclFunction kind, String communicator, long bytes) {}

    private record PartKey(boolean sent, int peer) {}

    private final NcclProcess process;
    private final Scopes scopes;
    private final RecordingNotes notes;
    private final Map<Unit, Map<PlanKey, Deque<NcclCall>>> unplanned = new HashMap<>();
    private final Map<Unit, Map<PartKey, Deque<NcclCall>>> unmoved = new HashMap<>();
    private final Map<Unit, Optional<NcclCall>> exchanges = new HashMap<>();
    private final Map<NcclCall, Long> moved = new HashMap<>();

    MarkMatching(NcclProcess process, Scopes scopes, RecordingNotes notes) {
        this.process = process;
        this.scopes = scopes;
        this.notes = notes;
    }

    void run() {
        collectives();
        Map<Long, Scopes.Follower> threads = new HashMap<>();
        MarkColumn<PartMark> parts = process.parts();
        for (int i = 0; i < parts.size(); i++) {
            NcclCall near =
                    threads.computeIfAbsent(parts.thread(i), scopes::follow).at(parts.time(i));
            NcclCall call = near == null ? null : mover(scopes.unitOf(near), parts.get(i));
            if (call == null) {
                stray("a part of a message");
            } else {
                call.parts().add(parts.get(i));
            }
        }
    }

    /** What channels do stands behind the plan that it belongs to. */
    private void collectives() {
        MarkColumn<PlanMark> plans = process.plans();
        MarkColumn<NvtxMark.WorkMark> works = process.works();
        Map<Long, Scopes.Follower> threads = new HashMap<>();
        Map<Long, NcclCall> planned = new HashMap<>();
        int next = 0;
        for (int i = 0; i <= plans.size(); i++) {
            long until = i < plans.size() ? plans.time(i) : Long.MAX_VALUE;
            for (; next < works.size() && works.time(next) < until; next++) {
                NcclCall near = threads.computeIfAbsent(works.thread(next), scopes::follow)
                        .at(works.time(next));
                NcclCall call = planned.get(works.thread(next));
                if (call == null || near == null || scopes.unitOf(near) != scopes.unitOf(call)) {
                    stray("what a channel does");
                } else {
                    call.works().add(works.get(next));
                }
            }
            if (i < plans.size()) {
                NcclCall near =
                        threads.computeIfAbsent(plans.thread(i), scopes::follow).at(plans.time(i));
                NcclCall call = near == null ? null : planner(scopes.unitOf(near), plans.get(i));
                if (call == null) {
                    stray("a plan");
                    planned.remove(plans.thread(i));
                } else {
                    planned.put(plans.thread(i), call);
                }
            }
        }
    }

    private @Nullable NcclCall planner(Unit unit, PlanMark mark) {
        NcclFunction kind = NcclFunction.ofType(mark.type());
        if (kind == null) {
            return null;
        }
        Map<PlanKey, Deque<NcclCall>> waiting = unplanned.computeIfAbsent(unit, MarkMatching::collectives);
        Deque<NcclCall> same = waiting.get(new PlanKey(kind, mark.communicator(), mark.bytes()));
        NcclCall call = same == null ? null : same.peekFirst();
        if (call == null) {
            call = ofAnySize(waiting.get(new PlanKey(kind, mark.communicator(), ANY_SIZE)));
        }
        if (call != null && call.plan() == null) {
            call.plan(mark);
            if (same != null && same.size() > 1) {
                same.remove(call);
            }
        }
        return call;
    }

    /** The first that has no plan, the last where all have one. */
    private static @Nullable NcclCall ofAnySize(@Nullable Deque<NcclCall> calls) {
        if (calls == null) {
            return null;
        }
        while (calls.size() > 1 && calls.getFirst().plan() != null) {
            calls.removeFirst();
        }
        return calls.getFirst();
    }

    private static Map<PlanKey, Deque<NcclCall>> collectives(Unit unit) {
        Map<PlanKey, Deque<NcclCall>> calls = new HashMap<>();
        for (NcclCall call : unit.calls) {
            if (!call.kind().pairwise()) {
                for (long bytes : new long[] {call.bytes(), ANY_SIZE}) {
                    calls.computeIfAbsent(
                                    new PlanKey(call.kind(), call.communicator(), bytes), key -> new ArrayDeque<>())
                            .add(call);
                }
            }
        }
        return calls;
    }

    private @Nullable NcclCall mover(Unit unit, PartMark part) {
        Map<PartKey, Deque<NcclCall>> waiting = unmoved.computeIfAbsent(unit, MarkMatching::messages);
        Deque<NcclCall> same = waiting.get(new PartKey(part.sent(), part.peer()));
        if (same != null) {
            NcclCall call = same.getFirst();
            long sum = moved.merge(call, part.bytes(), Long::sum);
            if (sum >= call.bytes() && same.size() > 1) {
                same.removeFirst();
            }
            return call;
        }
        return exchanges
                .computeIfAbsent(
                        unit,
                        of -> of.calls.stream()
                                .filter(call -> call.kind().pairwise() && call.peer() < 0)
                                .findFirst())
                .orElse(null);
    }

    private static Map<PartKey, Deque<NcclCall>> messages(Unit unit) {
        Map<PartKey, Deque<NcclCall>> calls = new HashMap<>();
        for (NcclCall call : unit.calls) {
            if (call.peer() >= 0) {
                calls.computeIfAbsent(
                                new PartKey(call.kind() == NcclFunction.SEND, call.peer()), key -> new ArrayDeque<>())
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
