// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Follows the list of nodes in JSON; one that is damaged costs itself. */
final class NodesAsJson {
    private final JsonWindow window;
    private final NodeTable nodes;
    private final Diagnostics diagnostics;
    private final ChakraNode node = new ChakraNode();
    private long start;
    private long duration;

    NodesAsJson(PrefixedSource content, LongConsumer progress, NodeTable nodes, Diagnostics diagnostics) {
        this.window = new JsonWindow(content, progress);
        this.nodes = nodes;
        this.diagnostics = diagnostics;
    }

    void read() throws IOException {
        try {
            window.expect('{', "'{' of the document");
            for (boolean first = true; window.more('}', first); first = false) {
                if (window.key().equals("workload_graph") && window.peek() == '[') {
                    window.expect('[', "'[' of the nodes");
                    window.elements(this::element, this::damaged);
                } else {
                    window.pass();
                }
            }
        } catch (Stop stop) {
            boolean cut = stop == Stop.INCOMPLETE;
            diagnostics.add(
                    Weight.LOSS,
                    cut ? "truncated" : "damaged_block",
                    cut
                            ? "the file ends inside a value, which begins here; the file was cut"
                            : "expected " + window.expected() + "; what follows was left out",
                    cut ? window.position() : window.failure());
        }
    }

    private void damaged() {
        diagnostics.add(
                Weight.LOSS,
                "syntax",
                "expected " + window.expected() + " in a node; what lies up to the next node was skipped",
                window.failure());
    }

    private void element() throws IOException, Stop {
        long position = window.position();
        if (window.peek() != '{') {
            window.pass();
            diagnostics.add(Weight.REPAIRED, "not_an_event", "an entry of workload_graph is no node", position);
            return;
        }
        window.take(this::object);
        node.micros(start, duration);
        nodes.add(node, position);
    }

    private void object(JsonCursor c) throws Stop {
        node.clear();
        start = 0;
        duration = 0;
        c.take('{', "'{' of a node");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            member(c, c.text());
        }
    }

    private void member(JsonCursor c, String key) throws Stop {
        int next = c.peek();
        if (next == '[' && key.endsWith("_deps")) {
            numbers(c);
        } else if (next == '"') {
            c.string();
            String value = c.text();
            if (key.equals("Name")) {
                node.name = value;
            } else {
                node.text(key, value);
            }
        } else if (next == '-' || next >= '0' && next <= '9') {
            number(key, c.integer());
        } else if (next == 't') {
            c.skip();
            node.number(key, 1);
        } else {
            c.skip();
        }
    }

    private void number(String key, long value) {
        if (value == JsonCursor.NOT_A_NUMBER) {
            return;
        }
        switch (key) {
            case "Id" -> node.id = value;
            case "NodeType" -> node.type = value;
            case "start_time" -> start = value;
            case "runtime" -> duration = value;
            default -> node.number(key, value);
        }
    }

    private void numbers(JsonCursor c) throws Stop {
        c.take('[', "'[' of dependencies");
        while (c.peek() != ']') {
            int next = c.peek();
            if (next == '-' || next >= '0' && next <= '9') {
                node.dependencies.add(c.integer());
            } else {
                c.skip();
            }
            if (c.peek() == ',') {
                c.take(',', "','");
            }
        }
        c.take(']', "']' of dependencies");
    }
}
