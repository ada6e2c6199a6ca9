// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import dev.lockstep.replay.plan.KinetoPlan.KinetoCalls;
import dev.lockstep.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of the operators of a Kineto trace, as an execution trace of the same run holds them. Calls are joined as for a
 * plan of both; where that goes by the order of names, each repetition of the recorded calls has their inputs.
 */
public final class JoinedInputs {
    private final ExecutionTrace executed;
    private final LongIntMap nodeOfSlice;
    private final long joined;
    private final long operators;

    private JoinedInputs(ExecutionTrace executed, DerivedCache kineto) {
        this.executed = executed;
        KinetoCalls calls = new KinetoCalls(kineto);
        JoinedCalls join = new JoinedCalls(executed.nodes(), kineto.trace(), calls);
        joined = join.joined();
        nodeOfSlice = new LongIntMap(Math.max(16, calls.size()));
        long found = 0;
        for (int call = 0; call < calls.size(); call++) {
            if (join.nodeOf(call) >= 0) {
                nodeOfSlice.put(calls.slice(call), join.nodeOf(call));
                found++;
            }
        }
        operators = found;
    }

    public static JoinedInputs of(ExecutionTrace executed, DerivedCache kineto) {
        return new JoinedInputs(executed, kineto);
    }

    /** The execution trace, as the user named it. */
    public String source() {
        return executed.source();
    }

    /** Calls of the execution trace. */
    public long nodes() {
        return executed.nodes().size();
    }

    /** Of these, those that were found in the Kineto trace. */
    public long joined() {
        return joined;
    }

    /** Operators of the Kineto trace that are one of these, or repeat one. */
    public long operators() {
        return operators;
    }

    /** Whether the execution trace knows the operator in this row of the trace. */
    public boolean knows(int slice) {
        return nodeOfSlice.get(slice) >= 0;
    }

    /** The inputs of the operator in this row of the trace; null when not known. */
    public @Nullable Inputs of(int slice) {
        int node = nodeOfSlice.get(slice);
        return node < 0 ? null : executed.nodes().get(node).inputs();
    }
}
