// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.kernels.ExecutedSteps;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.ExecutedWork;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What there is to say about an execution trace.
 *
 * @param devices where its tensors are, as in {@code cuda:0}
 * @param steps their numbers, in order
 */
record ExecutionTraceInfo(
        ExecutionTrace trace,
        ExecutedWork.Counts counts,
        long threads,
        List<String> devices,
        List<Long> steps,
        Diagnostics odd) {
    static final String FORMAT = "pytorch-et";

    static ExecutionTraceInfo of(ExecutionTrace trace, Diagnostics odd) {
        ExecutedWork work = ExecutedWork.of(trace);
        ExecutedSteps steps = new ExecutedSteps(trace.nodes(), work::parent, null);
        return new ExecutionTraceInfo(
                trace,
                work.counts(),
                trace.nodes().stream()
                        .mapToLong(Node::thread)
                        .filter(t -> t > 0)
                        .distinct()
                        .count(),
                List.copyOf(new TreeSet<>(trace.nodes().stream()
                        .map(Node::device)
                        .filter(Objects::nonNull)
                        .toList())),
                IntStream.range(0, steps.count()).mapToObj(steps::number).toList(),
                odd);
    }
}
