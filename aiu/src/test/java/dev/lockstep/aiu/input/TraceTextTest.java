// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTextTest {
    private static String read(Trace trace, int length) {
        TraceText text = new TraceText(trace);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[length + 1];
        for (int n = text.read(part, 1, length); n >= 0; n = text.read(part, 1, length)) {
            all.write(part, 1, n);
        }
        assertThat(text.read(part, 0, length)).isEqualTo(-1);
        return all.toString(StandardCharsets.UTF_8);
    }

    private static Trace recorded(EventText events) throws IOException {
        String document = "{\"deviceProperties\": [{\"id\": 0}], \"traceEvents\": [" + events + "]}";
        return TestTraces.read(document.getBytes(StandardCharsets.UTF_8), 1, ReadOptions.Keep.EVERYTHING);
    }

    private static EventText events() {
        return new EventText()
                .op("aten::mm", 1_000, 5_500, "\"Input Dims\": [[2, 3]], \"note\": \"a\\\"b\"")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "\"007\"", 2_000, 1_000, "\"correlation\": 9")
                .kernel("k", 4_000, 2_250, 9, 7)
                .arrow(3, 2_000, 4_000, 7)
                .raw("{\"ph\": \"C\", \"name\": \"power\", \"pid\": 1, \"tid\": 1, \"ts\": 4.5, \"args\": {\"W\": 30}}")
                .raw("{\"ph\": \"i\", \"name\": \"mark\", \"pid\": 1, \"tid\": 1, \"ts\": 4.75, \"s\": \"g\"}")
                .raw("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\":"
                        + " \"main\"}}")
                .raw("{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": \"x\", \"args\": {\"labels\":"
                        + " \"TOKEN=abc\"}}");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1 << 20})
    void everyEventIsSpelledWithWhatWasRecorded(int length) throws IOException {
        // the labels of a process may hold secrets; they are left out
        assertThat(read(recorded(events()), length)).isEqualTo("""
            {"deviceProperties":[{"id": 0}],"traceEvents":[\
            {"ph":"X","name":"aten::mm","ts":1,"cat":"cpu_op","pid":1,"tid":1,"dur":5.5,\
            "args":{"Input Dims":[[2, 3]],"note":"a\\"b"}},
            {"ph":"X","name":"cudaLaunchKernel","ts":2,"cat":"cuda_runtime","pid":1,"tid":"007","dur":1,\
            "args":{"correlation":9}},
            {"ph":"X","name":"k","ts":4,"cat":"kernel","pid":0,"tid":7,"dur":2.25,\
            "args":{"device":0,"stream":7,"correlation":9}},
            {"ph":"s","name":"ac2g","ts":2,"cat":"ac2g","pid":1,"tid":1,"id":3},
            {"ph":"f","name":"ac2g","ts":4,"cat":"ac2g","pid":0,"tid":7,"id":3,"bp":"e"},
            {"ph":"C","name":"power","ts":4.5,"pid":1,"tid":1,"args":{"W":30}},
            {"ph":"i","name":"mark","ts":4.75,"pid":1,"tid":1,"s":"g"},
            {"ph":"M","name":"thread_name","ts":1,"pid":1,"tid":1,"args":{"name":"main"}}]}\
            """);
    }

    @Test
    void withoutDevicePropertiesMetadataStaysAway() throws IOException {
        byte[] document =
                "{\"traceEvents\": [{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"args\": {\"name\": \"a\"}}]}"
                        .getBytes(StandardCharsets.UTF_8);

        assertThat(read(TestTraces.read(document, 1, ReadOptions.Keep.EVERYTHING), 99))
                .isEqualTo("{\"traceEvents\":[]}");
    }

    @Test
    void largeTracesComeInPieces() {
        EventText events = new EventText();
        for (int i = 0; i < 3_000; i++) {
            events.op("op" + i, i * 10L, 5);
        }
        String text = read(TestTraces.of(events), 1 << 16);

        assertThat(text.length()).isGreaterThan(3 << 16);
        assertThat(text.split("\"name\":\"op", -1)).hasSize(3_001);
        assertThat(text).endsWith("}]}");
    }
}
