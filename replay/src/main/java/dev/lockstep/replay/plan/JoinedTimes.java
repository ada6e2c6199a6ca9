// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.replay.plan.KinetoPlan.KinetoCalls;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import dev.lockstep.table.IntList;

/** What a Kineto trace knows about the calls of an execution trace of the same run. */
final class JoinedTimes {
    private final Trace trace;
    private final KinetoCalls calls;
    private final JoinedCalls join;
    private final IntList[] activities;

    private JoinedTimes(ExecutionTrace executed, DerivedCache kineto) {
        trace = kineto.trace();
        calls = new KinetoCalls(kineto);
        join = new JoinedCalls(executed.nodes(), trace, calls);
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
        return new JoinedTimes(executed, kineto);
    }

    String source() {
        return trace.info().source();
    }

    /** Number of calls that were found. */
    long joined() {
        return join.joined();
    }

    TimeBasis basis() {
        return calls.hasDeviceWork() ? TimeBasis.DEVICE : TimeBasis.CPU;
    }

    boolean launches(int node) {
        return join.callOf(node) >= 0 && calls.launches(join.callOf(node));
    }

    /** Adds the times of a node. */
    void add(int node, PlanBuilder.Entry entry) {
        if (join.callOf(node) >= 0) {
            entry.cpu(trace.slices().dur(calls.slice(join.callOf(node))));
            if (calls.hasDeviceWork()) {
                entry.deviceKnown();
            }
            addDeviceWork(node, entry);
        }
    }

    /** Adds what the node itself launched. */
    void addDeviceWork(int node, PlanBuilder.Entry entry) {
        IntList launched = join.callOf(node) < 0 ? null : activities[join.callOf(node)];
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
}
