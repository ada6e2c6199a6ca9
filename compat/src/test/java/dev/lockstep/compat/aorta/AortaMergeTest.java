// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AortaMergeTest {
    @Test
    void deviceWorkAndItsContextStayInTheOrderOfTheFile() throws IOException {
        Trace trace = TestTraces.read(TestTraces.document("""
                        {"ph": "M", "name": "process_name", "pid": 9, "tid": 0, "args": {"name": "python"}},
                        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2.5, "args": {"stream": 7}},
                        {"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 3, "pid": 0, "tid": 7, "ts": 5, "bp": "e"},
                        {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 9, "tid": 4, "ts": 1, "dur": 3},
                        {"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 9, "tid": 5, "ts": 2, "dur": 1},
                        {"ph": "X", "cat": "cuda_driver", "name": "elsewhere", "pid": 10, "tid": 5, "ts": 2, "dur": 1}
                        """).getBytes(StandardCharsets.UTF_8), 1, Keep.EVERYTHING);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (AortaMerge merge = new AortaMerge(file)) {
            assertThat(merge.add(trace, 2)).isEqualTo(new AortaMerge.Added(2, 1));
            assertThat(merge.finish(3)).isEqualTo(12);
        }
        String text = file.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .startsWith("{\"traceEvents\": ["
                        + "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"[R2] k\", \"pid\": 2000, \"tid\": 0, \"ts\": 5, \"dur\": 2.5,"
                        + " \"args\": {\"stream\":7, \"rank\": 2}}, "
                        + "{\"ph\": \"f\", \"cat\": \"ac2g\", \"name\": \"[R2] ac2g\", \"pid\": 2000, \"tid\": 0, \"ts\": 5, \"id\": 3,"
                        + " \"args\": {\"rank\": 2}, \"bp\":\"e\"}, "
                        + "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"[R2] launch\", \"pid\": 2500, \"tid\": 0, \"ts\": 2, \"dur\": 1,"
                        + " \"args\": {\"rank\": 2}}, "
                        + "{\"pid\": 0, \"tid\": 0, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"name\": \"process_name\","
                        + " \"args\": {\"name\": \"Rank 0 - GPU Stream\"}}");
        assertThat(text)
                .endsWith("{\"pid\": 2500, \"tid\": 0, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\","
                        + " \"name\": \"process_sort_index\", \"args\": {\"sort_index\": 5}}]}");
    }
}
