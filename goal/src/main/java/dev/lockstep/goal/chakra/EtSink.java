// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import dev.lockstep.codec.ProtoBuffer;
import java.io.IOException;
import java.io.OutputStream;

/** Writes nodes as protocol buffers, each behind its length. */
final class EtSink implements NodeSink {
    /** Simulators look for this version of the format. */
    private static final String VERSION = "0.0.4";

    private static final long NS_PER_US = 1000;
    private static final int FULL = 1 << 16;
    private static final int INT32 = 7;
    private static final int INT64 = 9;
    private static final int BOOL = 27;
    private static final int TEXT = 29;

    private final OutputStream file;
    private final ProtoBuffer out = new ProtoBuffer();
    private final ProtoBuffer message = new ProtoBuffer();
    private final ProtoBuffer inner = new ProtoBuffer();

    EtSink(OutputStream file) throws IOException {
        this.file = file;
        message.field(1, VERSION);
        add();
    }

    @Override
    public void node(Node node) throws IOException {
        message.field(1, node.id());
        message.field(2, node.name());
        message.field(3, node.type().number());
        if (node.dependencies().length > 0) {
            inner.clear();
            for (int id : node.dependencies()) {
                inner.number(id);
            }
            message.message(5, inner);
        }
        message.field(6, node.startNs() / NS_PER_US);
        message.field(7, node.durationUs());
        attribute("is_cpu_op", BOOL, node.onHost() ? 1 : 0);
        attribute("track", node.track());
        attribute("start_ns", INT64, node.startNs());
        attribute("duration_ns", INT64, node.durationNs());
        if (node.flops() > 0) {
            attribute("num_ops", INT64, node.flops());
        }
        if (node.bytes() > 0) {
            attribute("tensor_size", INT64, node.bytes());
        }
        Communication exchanged = node.communication();
        if (exchanged != null) {
            if (exchanged.type() == NodeType.COLLECTIVE) {
                attribute("comm_type", INT64, exchanged.collective());
            } else {
                attribute("comm_src", INT32, exchanged.from());
                attribute("comm_dst", INT32, exchanged.to());
                attribute("comm_tag", INT32, exchanged.tag());
            }
            attribute("comm_size", INT64, exchanged.bytes());
            attribute("pg_name", Integer.toString(exchanged.group()));
        }
        add();
    }

    private void attribute(String name, int kind, long value) {
        inner.clear();
        inner.field(1, name);
        inner.field(kind, value);
        message.message(10, inner);
    }

    private void attribute(String name, String value) {
        inner.clear();
        inner.field(1, name);
        inner.field(TEXT, value);
        message.message(10, inner);
    }

    private void add() throws IOException {
        out.number(message.size());
        out.put(message.bytes(), message.size());
        message.clear();
        if (out.size() > FULL) {
            flush();
        }
    }

    private void flush() throws IOException {
        file.write(out.bytes(), 0, out.size());
        out.clear();
    }

    @Override
    public void close() throws IOException {
        flush();
        file.close();
    }
}
