// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import dev.lockstep.codec.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution trace of PyTorch: the operators of a run as a tree, with their arguments.
 *
 * @param source the file, as the user named it
 * @param schema version of the format, as in {@code 1.0.3-chakra.0.0.4}
 * @param nodes in order of their numbers, which are given when calls begin
 */
public record ExecutionTrace(String source, String schema, List<Node> nodes) {
    public ExecutionTrace {
        nodes = List.copyOf(nodes);
    }

    /**
     * A call.
     *
     * @param parent number of the call around it
     * @param recordFunction number under which the profiler knows the call, 0 when it has none
     * @param thread number of the thread
     * @param operatorSchema empty when the call is no operator
     * @param inputs of the call; null when the node has none that can be read
     */
    public record Node(
            long id,
            long parent,
            String name,
            long recordFunction,
            long thread,
            String operatorSchema,
            @Nullable Inputs inputs) {}

    /** Values, shapes, types and strides of inputs, in parallel; no strides before version 1.1.1. */
    record Inputs(
            List<Json> values,
            List<Json> shapes,
            List<Json> types,
            @Nullable List<Json> strides) {}
}
