// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.execution;

import dev.lockstep.codec.Json;
import dev.lockstep.model.SliceKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution trace of PyTorch: the operators of a run as a tree, with their arguments.
 *
 * @param source the file, as the user named it
 * @param schema version of the format, as in {@code 1.0.3-chakra.0.0.4}
 * @param nodes calls in order of their numbers, which are given when calls begin
 * @param activities what ran on devices, in order of their numbers; none unless a tool linked the trace with one of the device
 */
public record ExecutionTrace(String source, String schema, List<Node> nodes, List<Activity> activities) {
    public ExecutionTrace {
        nodes = List.copyOf(nodes);
        activities = List.copyOf(activities);
    }

    /**
     * A call.
     *
     * @param parent number of the call around it
     * @param recordFunction number under which the profiler knows the call, 0 when it has none
     * @param thread number of the thread
     * @param operatorSchema empty when the call is no operator
     * @param inputs of the call; null when the node has none that can be read
     * @param device where its tensors are, as in {@code cuda:0}: of several devices an accelerator, of these that of the
     *     first output; null when it has no tensors
     * @param kernel what it compiled; null for all other calls
     * @param hostNs time on the host, -1 when not linked
     */
    public record Node(
            long id,
            long parent,
            String name,
            long recordFunction,
            long thread,
            String operatorSchema,
            @Nullable Inputs inputs,
            @Nullable String device,
            @Nullable Compiled kernel,
            long hostNs) {}

    /** Values, shapes, types and strides of inputs, in parallel; no strides before version 1.1.1. */
    public record Inputs(
            List<Json> values,
            List<Json> shapes,
            List<Json> types,
            @Nullable List<Json> strides) {}

    /**
     * A kernel that was compiled for the program.
     *
     * @param backend the compiler, as in {@code triton}; empty when not recorded
     * @param file its source; empty when not recorded
     */
    public record Compiled(String backend, String file) {}

    /**
     * A kernel, copy or fill that a linked trace knows of.
     *
     * @param id number of its node
     * @param parent number of the call that launched it
     * @param kind kernel, copy or fill
     * @param stream empty when not recorded
     * @param launchNs when it was launched; -1 when not recorded
     * @param ns how long it ran; 0 when not recorded
     */
    public record Activity(long id, long parent, String name, SliceKind kind, String stream, long launchNs, long ns) {}

    /** Whether a tool linked it with a trace of the device. */
    public boolean isLinked() {
        return !activities.isEmpty();
    }
}
