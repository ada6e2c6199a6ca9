// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.replay.ExecutionTrace.Node;
import dev.lockstep.replay.KinetoPlan.KinetoCalls;
import dev.lockstep.replay.ReplayPlan.TimeBasis;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * What a Kineto trace knows about the calls of an execution trace of the same run. Calls are the same if their names and
 * the profiler's numbers of them are. Where numbers do not fit, because each recording counted for itself, the names of a
 * thread are sought as a run of names of a thread of the Kineto trace.
 */
final class JoinedTimes {
    /** Numbers that lead to other names more often than this do not fit. */
    private static final double WRONG_ALLOWED = 0.1;

    private final Trace trace;
    private final KinetoCalls calls;
    private final int[] callOf;
    private final IntList[] activities;

    private JoinedTimes(DerivedCache kineto, int nodes) {
        trace = kineto.trace();
        calls = new KinetoCalls(kineto);
        callOf = new int[nodes];
        Arrays.fill(callOf, -1);
        activities = new IntList[calls.size()];
        for (int i = 0; i < trace.slices().size(); i++) {
            int launcher = trace.slices().kind(i).isDeviceActivity() ? calls.launcherOf(i) : -1;
            if (launcher >= 0) {
                if (activities[launcher] == null) {
                    activities[launcher] = new IntList(4);
                }
                activities[launcher].add(i);
            }
        }
    }

    static JoinedTimes of(ExecutionTrace executed, DerivedCache kineto) {
        JoinedTimes times = new JoinedTimes(kineto, executed.nodes().size());
        if (!times.joinByNumber(executed.nodes(), times.calls::recordFunction)
                && !times.joinByNumber(executed.nodes(), times.calls::externalId)) {
            times.joinByOrder(executed.nodes());
        }
        return times;
    }

    String source() {
        return trace.info().source();
    }

    /** Number of calls that were found. */
    long joined() {
        return Arrays.stream(callOf).filter(call -> call >= 0).count();
    }

    TimeBasis basis() {
        return calls.hasDeviceWork() ? TimeBasis.DEVICE : TimeBasis.CPU;
    }

    boolean launches(int node) {
        return callOf[node] >= 0 && calls.launches(callOf[node]);
    }

    /** Adds the times of a node. */
    void add(int node, PlanBuilder.Entry entry) {
        if (callOf[node] >= 0) {
            entry.cpu(trace.slices().dur(calls.slice(callOf[node])));
            if (calls.hasDeviceWork()) {
                entry.deviceKnown();
            }
            addDeviceWork(node, entry);
        }
    }

    /** Adds what the node itself launched. */
    void addDeviceWork(int node, PlanBuilder.Entry entry) {
        IntList launched = callOf[node] < 0 ? null : activities[callOf[node]];
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        for (int i = 0; launched != null && i < launched.size(); i++) {
            int slice = launched.get(i);
            int row = details == null ? -1 : details.of(slice);
            entry.kernel(
                    trace.name(slice),
                    details == null || row < 0 ? null : trace.strings().orNull(details.grid(row)),
                    details == null || row < 0 ? null : trace.strings().orNull(details.block(row)),
                    trace.slices().dur(slice));
        }
    }

    /** Joins by the number of the record function, which is the External id in traces that say no more. */
    private boolean joinByNumber(List<Node> nodes, IntToLongFunction numberOf) {
        LongIntMap byNumber = new LongIntMap(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            long number = numberOf.applyAsLong(i);
            if (number > 0) {
                byNumber.put(number, i);
            }
        }
        int right = 0;
        int wrong = 0;
        for (int node = 0; node < callOf.length; node++) {
            long number = nodes.get(node).recordFunction();
            int call = number > 0 ? byNumber.get(number) : -1;
            if (call >= 0 && calls.name(call).equals(nodes.get(node).name())) {
                callOf[node] = call;
                right++;
            } else if (call >= 0) {
                wrong++;
            }
        }
        if (right == 0 || wrong > WRONG_ALLOWED * (right + wrong)) {
            Arrays.fill(callOf, -1);
            return false;
        }
        return true;
    }

    private void joinByOrder(List<Node> nodes) {
        Map<Long, IntList> threads = new TreeMap<>();
        for (int node = 0; node < callOf.length; node++) {
            if (nodes.get(node).name().contains("::")) {
                threads.computeIfAbsent(nodes.get(node).thread(), t -> new IntList(64))
                        .add(node);
            }
        }
        Map<Integer, IntList> tracks = new TreeMap<>();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.name(i).contains("::")) {
                tracks.computeIfAbsent(trace.slices().track(calls.slice(i)), t -> new IntList(64))
                        .add(i);
            }
        }
        for (IntList thread : threads.values()) {
            for (IntList track : tracks.values()) {
                if (align(nodes, thread, track)) {
                    break;
                }
            }
        }
    }

    private boolean align(List<Node> nodes, IntList thread, IntList track) {
        for (int from = 0; from + thread.size() <= track.size(); from++) {
            int equal = 0;
            while (equal < thread.size()
                    && nodes.get(thread.get(equal)).name().equals(calls.name(track.get(from + equal)))) {
                equal++;
            }
            if (equal == thread.size()) {
                for (int i = 0; i < equal; i++) {
                    callOf[thread.get(i)] = track.get(from + i);
                }
                return true;
            }
        }
        return false;
    }
}
