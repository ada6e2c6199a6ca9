// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.read.execution.ExecutionTrace;

/** Which calls of an execution trace do its work: those that a plan of it runs again, one by one. */
public final class ExecutedWork {
    /**
     * What became of the nodes; together they are all.
     *
     * @param work calls that do the work
     * @param inside calls that happened within these
     * @param containers calls that only make others, which do the work
     * @param marks what neither works nor calls
     */
    public record Counts(long work, long inside, long containers, long marks) {}

    private final OperatorNames names = new OperatorNames();
    private final ExecutionTrace trace;
    private final ExecutedCalls calls;
    private final Units units;
    private final Counts counts;

    private ExecutedWork(ExecutionTrace trace) {
        this.trace = trace;
        calls = new ExecutedCalls(trace, null);
        units = new Units(calls, names);
        long[] found = new long[Units.Role.values().length];
        for (int node = 0; node < calls.size(); node++) {
            found[units.roleOf(node).ordinal()]++;
        }
        counts = new Counts(
                found[Units.Role.UNIT.ordinal()],
                found[Units.Role.INSIDE.ordinal()],
                found[Units.Role.CONTAINER.ordinal()],
                found[Units.Role.MARK.ordinal()]);
    }

    /** The work in this trace. */
    public static ExecutedWork of(ExecutionTrace trace) {
        return new ExecutedWork(trace);
    }

    public Counts counts() {
        return counts;
    }

    /** Whether the node in this place does work that counts by itself. */
    public boolean isWork(int node) {
        return units.roleOf(node) == Units.Role.UNIT;
    }

    /** Place of the call around, or -1. */
    public int parent(int node) {
        return calls.parent(node);
    }

    /** Place of the node that launched the linked activity in this place, or -1. */
    public int launcherOf(int activity) {
        return calls.launcherOf(activity);
    }

    /** Whether the node is communication between ranks. */
    public boolean isCommunication(int node) {
        return names.isCollective(trace.nodes().get(node).name());
    }

    /** Whether the node only allocates, looks at memory another way or asks for a property. */
    public boolean isBookkeeping(int node) {
        return names.isBookkeeping(trace.nodes().get(node).name());
    }
}
