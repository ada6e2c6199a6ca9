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
        members.put(Node.ON_HOST, node.onHost());
        members.put(Node.TRACK, node.track());
        members.put(Node.START, node.startNs());
        members.put(Node.DURATION, node.durationNs());
        members.put(Node.FLOPS, node.flops());
        members.put(Node.BYTES, node.bytes());
        NodeExchange exchanged = node.communication();
        if (exchanged != null) {
            if (exchanged.type() == NodeType.COLLECTIVE) {
                members.put(Node.COLLECTIVE, exchanged.collective());
            } else {
                members.put(Node.FROM, exchanged.from());
                members.put(Node.TO, exchanged.to());
                members.put(Node.TAG, exchanged.tag());
            }
            members.put(Node.EXCHANGED, exchanged.bytes());
            members.put(Node.GROUP, Integer.toString(exchanged.group()));
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
