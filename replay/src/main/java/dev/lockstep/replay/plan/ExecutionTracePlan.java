// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Activity;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans from execution traces, with times from a Kineto trace of the same run where there is one, else with those that
 * the trace was linked with.
 */
public final class ExecutionTracePlan {
    private static final String STEP = "ProfilerStep#";

    private final ExecutionTrace trace;
    private final List<Node> nodes;
    private final @Nullable JoinedTimes times;
    private final OperatorNames names = new OperatorNames();
    private final PlanBuilder builder = new PlanBuilder();
    private final Map<Long, Long> storageElements = new HashMap<>();

    private ExecutionTracePlan(ExecutionTrace trace, @Nullable DerivedCache kineto) {
        this.trace = trace;
        this.nodes = trace.nodes();
        this.times = kineto == null ? null : JoinedTimes.of(trace, kineto);
    }

    /**
     * The plan of an execution trace.
     *
     * @param kineto a trace of the profiler that recorded the same run; null for none
     */
    public static ReplayPlan of(ExecutionTrace trace, @Nullable DerivedCache kineto) {
        return new ExecutionTracePlan(trace, kineto).build();
    }

    private ReplayPlan build() {
        nodes.forEach(node -> ExecutionArguments.measure(node.inputs(), storageElements));
        ExecutedCalls calls = new ExecutedCalls(trace, times);
        Units units = new Units(calls, names);
        PlanBuilder.Entry[] entryOf = new PlanBuilder.Entry[nodes.size()];
        long all = nodes.stream().filter(ExecutionTracePlan::isStep).count();
        int steps = 0;
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            if (isStep(node)) {
                steps++;
            }
            switch (units.roleOf(i)) {
                case UNIT -> {
                    entryOf[i] = entry(node);
                    entryOf[i].called(steps > 0);
                    if (all == 0 || steps == all / 2 + 1) {
                        builder.next(entryOf[i]);
                    }
                    if (times != null) {
                        times.add(i, entryOf[i]);
                    } else if (trace.isLinked()) {
                        addHostTime(node, entryOf[i]);
                    }
                }
                case INSIDE -> {
                    if (units.isLeafOperator(i)) {
                        entryOf[units.unit(i)].inside();
                    }
                    if (times != null) {
                        times.addDeviceWork(i, entryOf[units.unit(i)]);
                    }
                }
                case CONTAINER -> builder.container(node.name());
                case MARK -> {
                    // nothing to run
                }
            }
        }
        if (times == null) {
            addLinked(calls, units, entryOf);
        }
        TimeBasis linked = trace.isLinked() ? TimeBasis.DEVICE : TimeBasis.NONE;
        return builder.build(
                new Source(
                        times == null ? null : times.source(),
                        trace.source(),
                        times == null ? -1 : times.joined(),
                        times == null ? linked : times.basis()),
                new StepCount(steps, steps == 0 ? "none" : "annotation"));
    }

    private static void addHostTime(Node node, PlanBuilder.Entry entry) {
        entry.deviceKnown();
        if (node.hostNs() >= 0) {
            entry.cpu(node.hostNs());
        }
    }

    private void addLinked(ExecutedCalls calls, Units units, PlanBuilder.Entry[] entryOf) {
        for (int i = 0; i < trace.activities().size(); i++) {
            Activity activity = trace.activities().get(i);
            int unit = calls.launcherOf(i) < 0 ? -1 : units.unit(calls.launcherOf(i));
            if (unit < 0) {
                builder.unattributed(activity.ns());
            } else {
                entryOf[unit].kernel(activity.name(), null, null, activity.ns());
            }
        }
    }

    private static boolean isStep(Node node) {
        return node.name().startsWith(STEP);
    }

    private PlanBuilder.Entry entry(Node node) {
        KinetoInputs.Parsed parsed = ExecutionArguments.parse(node.inputs(), storageElements);
        String schema = node.operatorSchema().isEmpty() ? null : node.operatorSchema();
        return builder.entry(
                new Call(node.name(), schema, WrappedNumbers.unwrapped(node.name(), parsed.arguments())),
                KinetoPlan.gap(names, node.name(), parsed.gap()));
    }
}
