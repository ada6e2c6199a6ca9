// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.codec.ProtoStream;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Follows protocol buffers that stand behind their lengths: first what holds for all nodes, then each node. */
final class NodesAsMessages {
    private static final long LARGEST = 1 << 26;

    private final ProtoStream in;
    private final LongConsumer progress;
    private final NodeTable nodes;
    private final Diagnostics diagnostics;
    private final ProtoCursor message = new ProtoCursor();
    private final ChakraNode node = new ChakraNode();

    NodesAsMessages(PrefixedSource content, LongConsumer progress, NodeTable nodes, Diagnostics diagnostics) {
        this.in = new ProtoStream(content);
        this.progress = progress;
        this.nodes = nodes;
        this.diagnostics = diagnostics;
    }

    void read() throws IOException {
        long begun = 0;
        try {
            for (boolean first = true; !in.isAtEnd(); first = false) {
                begun = in.position();
                long end = in.enter(Long.MAX_VALUE);
                if (end - in.position() > LARGEST) {
                    loss("damaged_node", "what stands here is no node; the rest of the file was not read", begun);
                    return;
                }
                in.take(end, message);
                if (!first) {
                    node(begun);
                }
                progress.accept(in.position());
            }
        } catch (Damaged e) {
            if (in.isCut()) {
                loss("truncated", "the file ends inside a node, which begins here; the file was cut", begun);
            } else {
                loss("damaged_node", "what stands here is no node; the rest of the file was not read", begun);
            }
        }
    }

    private void loss(String code, String message, long position) {
        diagnostics.add(Weight.LOSS, code, message, position);
    }

    private void node(long position) {
        try {
            fields();
        } catch (Damaged e) {
            loss("damaged_node", "a node holds what cannot be there; it was left out", position);
            return;
        }
        nodes.add(node, position);
    }

    private void fields() throws Damaged {
        node.clear();
        long start = 0;
        long duration = 0;
        for (int tag = message.tag(); tag != 0; tag = message.tag()) {
            switch (tag) {
                case 1 << 3 -> node.id = message.varint();
                case 2 << 3 | 2 -> node.name = message.text();
                case 3 << 3 -> node.type = message.varint();
                case 6 << 3 -> start = message.varint();
                case 7 << 3 -> duration = message.varint();
                case 10 << 3 | 2 -> attribute();
                default -> {
                    if (tag >>> 3 == 4 || tag >>> 3 == 5) {
                        message.numbers(tag, node.dependencies::add);
                    } else {
                        message.skipField(tag);
                    }
                }
            }
        }
        node.micros(start, duration);
    }

    /** A name, and a value of which the tag says the type. */
    private void attribute() throws Damaged {
        int outer = message.enter();
        String name = "";
        for (int tag = message.tag(); tag != 0; tag = message.tag()) {
            switch (tag) {
                case 1 << 3 | 2 -> name = message.text();
                case 7 << 3, 9 << 3, 11 << 3, 13 << 3, 27 << 3 -> node.number(name, message.varint());
                case 15 << 3, 17 << 3 -> {
                    long value = message.varint();
                    node.number(name, value >>> 1 ^ -(value & 1));
                }
                case 21 << 3 | 1, 25 << 3 | 1 -> node.number(name, message.fixed64());
                case 29 << 3 | 2 -> node.text(name, message.text());
                default -> message.skipField(tag);
            }
        }
        message.leave(outer);
    }
}
