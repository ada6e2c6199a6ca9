// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

public class ChakraReaderTest extends TraceReaderContract {
    private static final int COMPUTE = 4;
    private static final int SEND = 5;
    private static final int COLLECTIVE = 7;

    /** Messages behind their lengths, and where each node ends. */
    private static final class Messages {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final List<Integer> ends = new ArrayList<>();

        Messages() throws IOException {
            add(new Message().text(1, "0.0.4"));
        }

        private void add(Message message) throws IOException {
            byte[] bytes = message.toBytes();
            for (int rest = bytes.length; ; rest >>>= 7) {
                out.write(rest < 128 ? rest : rest & 127 | 128);
                if (rest < 128) {
                    break;
                }
            }
            out.write(bytes);
        }

        Messages node(int id, int type, String name, long micros, int before, Message... facts) throws IOException {
            Message node = new Message().number(1, id).text(2, name).number(3, type);
            if (before > 0) {
                node.number(5, before);
            }
            node.number(7, micros);
            for (Message fact : facts) {
                node.message(10, fact);
            }
            add(node);
            ends.add(out.size());
            return this;
        }

        Sample sample(String name) {
            return new Sample(
                    name, out.toByteArray(), ends.stream().mapToInt(end -> end).toArray());
        }
    }

    private static Message fact(String name, int kind, long value) {
        return new Message().text(1, name).number(kind, value);
    }

    /** As simulators have them: without times of day, dependencies alone say the order. */
    private static Messages made(int host) throws IOException {
        return new Messages()
                .node(1, COMPUTE, "prepare", 5, 0, fact("is_cpu_op", 27, host))
                .node(2, COMPUTE, "gemm", 30, 1, fact("is_cpu_op", 27, 0))
                .node(
                        3,
                        COLLECTIVE,
                        "reduce gradients",
                        50,
                        2,
                        fact("comm_type", 9, 0),
                        fact("comm_size", 9, 1 << 20),
                        new Message().text(1, "pg_name").text(29, "7"))
                .node(4, COMPUTE, "other", 40, 2)
                .node(5, SEND, "", 10, 3, fact("comm_src", 7, 0), fact("comm_dst", 7, 3), fact("comm_size", 9, 64));
    }

    private static final String JSON = "{\"workload_graph\": [{\"Id\": 1, \"Name\": \"gemm\", \"NodeType\": 4,"
            + " \"data_deps\": [], \"runtime\": 30, \"is_cpu_op\": false, \"num_ops\": 9.5},\n {\"Id\": 2, \"Name\": \"sum\","
            + " \"NodeType\": 7, \"data_deps\": [1], \"runtime\": 20, \"comm_type\": 2, \"comm_size\": 400}]}";

    @Override
    protected TraceReader reader() {
        return new ChakraReader();
    }

    @Override
    protected List<Sample> samples() {
        try {
            return List.of(made(0).sample("messages"), new Sample("json", JSON.getBytes(UTF_8), new int[0]));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> slices(Trace trace) {
        List<String> found = new ArrayList<>();
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            found.add(trace.name(i) + " " + slices.kind(i) + " " + slices.ts(i) / 1000 + "+" + slices.dur(i) / 1000
                    + " on " + trace.tracks().get(slices.track(i)).thread());
        }
        return found;
    }

    @Test
    void nodesBeginWhenWhatTheyDependOnIsDone() throws IOException {
        assertThat(slices(read(made(1).sample("").content(), 1).getFirst()))
                .containsExactly(
                        "prepare RUNTIME_CALL 0+5 on 0",
                        "gemm KERNEL 5+30 on 0",
                        "reduce gradients KERNEL 35+50 on 1",
                        "other KERNEL 35+40 on 0",
                        "node 5 KERNEL 85+10 on 1");
        assertThat(slices(read(JSON.getBytes(UTF_8), 1).getFirst()))
                .containsExactly("gemm KERNEL 0+30 on 0", "sum KERNEL 30+20 on 1");
    }

    @Test
    void communicationSaysWhatItExchanges() throws IOException {
        Trace trace = read(made(1).sample("").content(), 1).getFirst();
        CollectiveDetails details = Objects.requireNonNull(trace.view(CollectiveDetails.KEY));
        assertThat(details.size()).isEqualTo(2);
        assertThat(trace.strings().get(details.collective(0))).isEqualTo("all_reduce");
        assertThat(trace.strings().get(details.groupName(0))).isEqualTo("7");
        assertThat(details.inElements(0)).isEqualTo(1 << 20);
        assertThat(trace.strings().get(details.collective(1))).isEqualTo("send");
        assertThat(details.peer(1)).isEqualTo(3);
    }

    @Test
    void circlesAndMissingNodesAreTold() throws IOException {
        Trace trace = read(
                        new Messages()
                                .node(1, COMPUTE, "a", 5, 2)
                                .node(2, COMPUTE, "b", 5, 1)
                                .node(3, COMPUTE, "c", 5, 9)
                                .node(3, COMPUTE, "d", 5, 0)
                                .sample("")
                                .content(),
                        1)
                .getFirst();
        assertThat(slices(trace)).hasSize(3);
        assertThat(trace.diagnostics().problems()).extracting(Entry::code).contains("circular", "node_number");
        assertThat(trace.diagnostics().observations()).extracting(Entry::code).contains("dependency_missing");
    }
}
