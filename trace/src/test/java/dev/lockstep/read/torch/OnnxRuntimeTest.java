// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnnxRuntimeTest {
    private static String event(String category, String name, int ts, int dur, String arguments) {
        return "{\"cat\":\"" + category + "\",\"pid\":1,\"tid\":1,\"dur\":" + dur + ",\"ts\":" + ts
                + ",\"ph\":\"X\",\"name\":\"" + name + "\",\"args\":{" + arguments + "}}";
    }

    @Test
    void nodesAreOperatorsOfTheirKind() throws Exception {
        String list = "["
                + event("Session", "model_run", 0, 100, "")
                + "," + event("Node", "conv1_kernel_time", 10, 30, "\"op_name\":\"Conv\"")
                + "," + event("Node", "conv1_fence_before", 9, 1, "\"op_name\":\"Conv\"")
                + "," + event("Node", "conv2_kernel_time", 50, 20, "\"op_name\":\"Conv\"")
                + "," + event("Other", "fc_kernel_time", 80, 10, "\"op_name\":\"Gemm\"")
                + "]";
        Trace trace = TestTraces.read(list.getBytes(StandardCharsets.UTF_8));

        List<String> slices = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            slices.add(trace.slices().kind(i) + " " + trace.name(i) + " was "
                    + trace.strings().get(trace.recordedName(i)));
        }
        assertThat(slices)
                .containsExactly(
                        "HOST_OTHER model_run was model_run",
                        "HOST_OTHER conv1_fence_before was conv1_fence_before",
                        "CPU_OP Conv was conv1_kernel_time",
                        "CPU_OP Conv was conv2_kernel_time",
                        "HOST_OTHER fc_kernel_time was fc_kernel_time");
    }
}
