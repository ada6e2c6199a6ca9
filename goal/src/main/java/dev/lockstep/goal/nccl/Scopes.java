// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of a process in units that the library carries out together: single calls, and outermost groups. */
final class Scopes {
    /** Calls that are carried out together, in the order in which they were made. */
    static final class Unit {
        final List<NcclCall> calls = new ArrayList<>(1);
        private int number;

        boolean grouped() {
            return calls.getFirst().group() != NcclCall.UNGROUPED;
        }

        NcclCall first() {
            return calls.getFirst();
        }

        NcclCall last() {
            return calls.getLast();
        }
    }

    private record Span(long start, long end) {}

    private final List<Unit> units = new ArrayList<>();
    private final Map<Long, List<NcclCall>> byThread = new HashMap<>();
    private final IdentityHashMap<NcclCall, Unit> unitOf = new IdentityHashMap<>();
    private final List<NcclCall> all;

    private Scopes(NcclProcess process) {
        all = process.calls();
    }

    /** Gives the calls of a process their groups. */
    static Scopes of(NcclProcess process) {
        Scopes scopes = new Scopes(process);
        Map<Long, List<Span>> groups = spans(process.groups());
        Map<Long, Integer> at = new HashMap<>();
        IdentityHashMap<Span, Unit> units = new IdentityHashMap<>();
        for (NcclCall call : process.calls()) {
            scopes.byThread
                    .computeIfAbsent(call.thread(), thread -> new ArrayList<>())
                    .add(call);
            Span span = around(call, groups.getOrDefault(call.thread(), List.of()), at);
            Unit unit = span == null ? new Unit() : units.computeIfAbsent(span, s -> new Unit());
            if (unit.calls.isEmpty()) {
                unit.number = scopes.units.size();
                scopes.units.add(unit);
            }
            if (span != null) {
                call.group(unit.number);
            }
            unit.calls.add(call);
            scopes.unitOf.put(call, unit);
        }
        return scopes;
    }

    List<Unit> units() {
        return units;
    }

    Unit unitOf(NcclCall call) {
        Unit unit = unitOf.get(call);
        if (unit == null) {
            throw new IllegalArgumentException("a call of another process");
        }
        return unit;
    }

    /** Follows a thread through time. */
    Follower follow(long thread) {
        return new Follower(byThread.getOrDefault(thread, all));
    }

    /** The last call of a thread that began until then; null if there is none. */
    @Nullable
    NcclCall callAt(long thread, long time) {
        return lastAt(byThread.getOrDefault(thread, all), time);
    }

    /** The last call of any thread that began until then; null if there is none. */
    @Nullable
    NcclCall callAt(long time) {
        return lastAt(all, time);
    }

    private static @Nullable NcclCall lastAt(List<NcclCall> calls, long time) {
        int low = LongOrder.leading(calls.size(), place -> calls.get(place).start() <= time);
        return low == 0 ? null : calls.get(low - 1);
    }

    /** Where a thread is; asked for times that do not go back. */
    static final class Follower {
        private final List<NcclCall> calls;
        private int next;

        Follower(List<NcclCall> calls) {
            this.calls = calls;
        }

        /** The last call that began until then; null if there is none. */
        @Nullable
        NcclCall at(long time) {
            while (next < calls.size() && calls.get(next).start() <= time) {
                next++;
            }
            return next == 0 ? null : calls.get(next - 1);
        }
    }

    private static @Nullable Span around(NcclCall call, List<Span> groups, Map<Long, Integer> at) {
        int i = at.getOrDefault(call.thread(), 0);
        while (i < groups.size() && groups.get(i).end <= call.start()) {
            i++;
        }
        at.put(call.thread(), i);
        return i < groups.size() && groups.get(i).start <= call.start() ? groups.get(i) : null;
    }

    /** Outermost groups of each thread; one that never ends holds everything behind its beginning. */
    private static Map<Long, List<Span>> spans(MarkColumn<NvtxMark.GroupMark> marks) {
        Map<Long, List<Span>> spans = new HashMap<>();
        Map<Long, long[]> open = new HashMap<>();
        for (int i = 0; i < marks.size(); i++) {
            long[] state = open.computeIfAbsent(marks.thread(i), thread -> new long[2]);
            if (marks.get(i).begins()) {
                state[1] = state[0]++ == 0 ? marks.time(i) : state[1];
            } else if (state[0] > 0 && --state[0] == 0) {
                spans.computeIfAbsent(marks.thread(i), thread -> new ArrayList<>())
                        .add(new Span(state[1], marks.time(i)));
            }
        }
        open.forEach((thread, state) -> {
            if (state[0] > 0) {
                spans.computeIfAbsent(thread, t -> new ArrayList<>()).add(new Span(state[1], Long.MAX_VALUE));
            }
        });
        return spans;
    }
}
