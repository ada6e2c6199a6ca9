// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TableArgumentsTest {
    private static final String EVENTS = """
        {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
        {"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 7, "ts": 2, "dur": 1, "args": {"other": 1,
         "correlation": 9, "External id": 4, "device": 0, "stream": 7, "grid": [1, 2, 3],
         "Collective name": "all\"gather", "Process Group Ranks": "[0, 1]", "In msg nelems": 8}},
        {"ph": "i", "name": "m", "pid": 1, "tid": 1, "ts": 3, "s": "t"}
        """;

    private static List<String> arguments(Trace trace) {
        RecordedTexts.Cursor text =
                Objects.requireNonNull(trace.recorded()).slices().cursor();
        List<String> all = new ArrayList<>();
        for (int slice = 0; slice < trace.slices().size(); slice++) {
            text.move(slice);
            all.add(
                    text.hasArguments
                            ? new String(
                                    text.bytes,
                                    text.arguments,
                                    text.argumentsEnd - text.arguments,
                                    StandardCharsets.UTF_8)
                            : "");
        }
        return all;
    }

    @Test
    void valuesOfCountersAreArguments() throws IOException {
        String events = EVENTS + """
            ,{"ph": "C", "name": "c", "pid": 1, "ts": 4, "args": {"a\\"b": 1.50, "": 7, "text": "x"}}
            ,{"ph": "C", "name": "none", "pid": 1, "ts": 5}
            """;
        Trace trace = TestTraces.read(TestTraces.document(events).getBytes(StandardCharsets.UTF_8), 1, Keep.MEANING);

        RecordedTexts.Cursor text =
                Objects.requireNonNull(trace.withRecorded().recorded()).marks().cursor();

        List<String> all = new ArrayList<>();
        for (int mark = 0; mark < trace.marks().size(); mark++) {
            text.move(mark);
            all.add(new String(text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8));
        }
        assertThat(all).contains("\"a\\\"b\":1.50,\"\":7", "");
    }

    @Test
    void whatTheTablesKnowAreArguments() throws IOException {
        byte[] document = TestTraces.document(EVENTS).getBytes(StandardCharsets.UTF_8);
        Trace trace = TestTraces.read(document, 1, Keep.MEANING);
        assertThat(trace.recorded()).isNull();
        Trace written = trace.withRecorded();
        assertThat(arguments(written))
                .containsExactly(
                        "",
                        "\"correlation\":9,\"External id\":4,\"device\":0,\"stream\":7,\"grid\":[1, 2, 3],"
                                + "\"Collective name\":\"all\\\"gather\",\"Process Group Ranks\":\"[0, 1]\","
                                + "\"In msg nelems\":8");
        assertThat(written.withRecorded()).isSameAs(written);
        assertThat(written.marks().size()).isEqualTo(1);
    }
}
