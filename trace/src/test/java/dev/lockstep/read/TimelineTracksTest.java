// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TimelineTracksTest {
    private static String process(int pid, String name) {
        return "{\"ph\":\"M\",\"pid\":" + pid + ",\"name\":\"process_name\",\"args\":{\"name\":\"" + name + "\"}}";
    }

    private static String slice(int pid, String name, int ts, int dur) {
        return "{\"ph\":\"X\",\"cat\":\"Op\",\"pid\":" + pid + ",\"tid\":0,\"name\":\"" + name + "\",\"ts\":" + ts
                + ",\"dur\":" + dur + "}";
    }

    private static List<String> read(String... events) throws IOException {
        String json = "{\"traceEvents\":[" + String.join(",", events) + "]}";
        Trace trace = TestTraces.read(json.getBytes(StandardCharsets.UTF_8));
        DeviceDetails places = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            int row = places.of(i);
            slices.add(trace.slices().kind(i) + " " + trace.name(i)
                    + (row < 0 ? "" : " " + places.device(row) + "/" + places.stream(row)));
        }
        return slices;
    }

    @Test
    void workOfStreamsCountsOnce() throws IOException {
        assertThat(read(
                        process(1, "/job:localhost/replica:0/task:0/device:GPU:0 Compute"),
                        process(3, "/device:GPU:0/stream:all Compute"),
                        process(5, "/device:GPU:0/stream:13 Compute"),
                        process(7, "/device:GPU:0/memcpy Compute"),
                        slice(1, "Conv2D", 100, 50),
                        slice(5, "MEMCPYHtoD", 150, 30),
                        slice(7, "MEMCPYHtoD", 151, 29),
                        slice(3, "Conv2D", 200, 40),
                        slice(5, "Conv2D", 201, 39)))
                .containsExactly(
                        "CPU_OP Conv2D",
                        "MEMCPY MEMCPYHtoD 0/13",
                        "PROFILER_SPAN MEMCPYHtoD",
                        "PROFILER_SPAN Conv2D",
                        "KERNEL Conv2D 0/13");
    }

    @Test
    void whatNoStreamHoldsAgainIsWork() throws IOException {
        assertThat(read(process(3, "/device:GPU:1/stream:all Compute"), slice(3, "MatMul", 200, 40)))
                .containsExactly("KERNEL MatMul 1/0");
    }
}
