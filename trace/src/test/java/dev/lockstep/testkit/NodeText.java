// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.util.ArrayList;
import java.util.List;

/** Writes execution traces by hand: nodes with the inputs that a test is about, in both layouts that there are. */
public final class NodeText {
    private final String schema;
    private final boolean old;
    private final List<String> nodes = new ArrayList<>();

    /** @param schema up to 1.0.1 facts about a node stand side by side, later in a list */
    public NodeText(String schema) {
        this.schema = schema;
        this.old = schema.startsWith("1.0.1");
    }

    /** A node without inputs on the main thread. */
    public NodeText node(int id, int parent, String name) {
        return node(id, parent, name, 1, "", "", "", "", "");
    }

    /** An operator; values, shapes and types are the insides of JSON arrays. */
    public NodeText op(int id, int parent, String name, String values, String shapes, String types) {
        return node(id, parent, name, 1, values, shapes, types, "", "");
    }

    /**
     * @param values inside of the array of values, as those that follow
     * @param facts further members of the node, each with a comma before it
     * @param attributes further attributes, each with a comma before it; later layout only
     */
    public NodeText node(
            int id,
            int parent,
            String name,
            int thread,
            String values,
            String shapes,
            String types,
            String facts,
            String attributes) {
        String text = old
                ? "{\"id\": %d, \"parent\": %d, \"name\": \"%s\", \"tid\": %d, \"rf_id\": %d, \"op_schema\": \"\", \"inputs\": [%s],"
                        + " \"input_shapes\": [%s], \"input_types\": [%s], \"outputs\": [], \"output_shapes\": [], \"output_types\": []%s}"
                : "{\"id\": %d, \"ctrl_deps\": %d, \"name\": \"%s\", \"attrs\": [{\"name\": \"tid\", \"type\": \"uint64\", \"value\": %d},"
                        + " {\"name\": \"rf_id\", \"type\": \"uint64\", \"value\": %d}" + attributes + "],"
                        + " \"inputs\": {\"values\": [%s], \"shapes\": [%s], \"types\": [%s]},"
                        + " \"outputs\": {\"values\": [], \"shapes\": [], \"types\": []}%s}";
        nodes.add(text.formatted(id, parent, name, thread, id, values, shapes, types, facts));
        return this;
    }

    /** What a tool adds for device work: the node of a kernel, copy or fill. */
    public NodeText linked(int id, int parent, String name, String category, String durationUs, int stream) {
        return node(
                id,
                parent,
                name,
                1,
                "",
                "",
                "",
                ", \"cat\": \"%s\", \"ph\": \"X\", \"ts\": %d, \"inclusive_dur\": %s, \"stream\": %d"
                        .formatted(category, id * 100, durationUs, stream),
                "");
    }

    /** A tensor of floats. */
    public static String tensor(int storage, long elements, String device) {
        return "[%d, %d, 0, %d, 4, \"%s\"]".formatted(storage, storage, elements, device);
    }

    @Override
    public String toString() {
        return "{\"schema\": \"" + schema + "\", \"pid\": 1, \"nodes\": [\n" + String.join(",\n", nodes) + "\n]}\n";
    }
}
