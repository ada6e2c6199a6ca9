// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Activity;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of an execution trace as calls; a node stands behind its parent. */
final class ExecutedCalls implements Units.Calls {
    private final List<Node> nodes;
    private final int[] parent;
    private final int[] launcher;
    private final boolean[] launches;
    private final @Nullable JoinedTimes times;

    /** @param times what a trace of the profiler knows besides; null for none */
    ExecutedCalls(ExecutionTrace trace, @Nullable JoinedTimes times) {
        this.nodes = trace.nodes();
        this.times = times;
        Map<Long, Integer> numbers = new HashMap<>();
        parent = new int[nodes.size()];
        for (int i = 0; i < parent.length; i++) {
            parent[i] = numbers.getOrDefault(nodes.get(i).parent(), -1);
            numbers.put(nodes.get(i).id(), i);
        }
        launches = new boolean[parent.length];
        launcher = new int[trace.activities().size()];
        for (int i = 0; i < launcher.length; i++) {
            Activity activity = trace.activities().get(i);
            launcher[i] = numbers.getOrDefault(activity.parent(), -1);
            if (launcher[i] >= 0) {
                launches[launcher[i]] = true;
            }
        }
    }

    /** The node that launched a linked activity, or -1. */
    int launcherOf(int activity) {
        return launcher[activity];
    }

    @Override
    public int size() {
        return parent.length;
    }

    @Override
    public int parent(int call) {
        return parent[call];
    }

    @Override
    public String name(int call) {
        return nodes.get(call).name();
    }

    @Override
    public boolean launches(int call) {
        return launches[call] || times != null && times.launches(call);
    }

    @Override
    public boolean hasInputs(int call) {
        Node node = nodes.get(call);
        return node.kernel() != null
                || node.inputs() != null && !node.inputs().values().isEmpty();
    }

    @Override
    public boolean isBlocked(int call) {
        return ExecutionArguments.parse(nodes.get(call).inputs(), Map.of()).gap() != null;
    }
}
