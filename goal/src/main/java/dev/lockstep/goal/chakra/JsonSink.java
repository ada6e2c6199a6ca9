// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import dev.lockstep.codec.JsonOut;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes nodes as JSON, a line each. */
final class JsonSink implements NodeSink {
    private static final long NS_PER_US = 1000;

    private final Writer file;
    private String between = "{\"workload_graph\": [\n";

    JsonSink(Writer file) {
        this.file = file;
    }

    @Override
    public void node(Node node) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("Id", node.id());
        members.put("Name", node.name());
        members.put("NodeType", node.type().number());
        members.put("data_deps", node.dependencies());
        members.put("start_time", node.startNs() / NS_PER_US);
        members.put("runtime", node.durationUs());
        members.put("is_cpu_op", node.onHost());
        members.put("track", node.track());
        members.put("start_ns", node.startNs());
        members.put("duration_ns", node.durationNs());
        members.put("num_ops", node.flops());
        members.put("tensor_size", node.bytes());
        Communication exchanged = node.communication();
        if (exchanged != null) {
            if (exchanged.type() == NodeType.COLLECTIVE) {
                members.put("comm_type", exchanged.collective());
            } else {
                members.put("comm_src", exchanged.from());
                members.put("comm_dst", exchanged.to());
                members.put("comm_tag", exchanged.tag());
            }
            members.put("comm_size", exchanged.bytes());
            members.put("pg_name", Integer.toString(exchanged.group()));
        }
        file.append(between).append(JsonOut.line(members));
        between = ",\n";
    }

    @Override
    public void close() throws IOException {
        file.append(between.startsWith(",") ? "" : between).append("\n]}\n");
        file.close();
    }
}
