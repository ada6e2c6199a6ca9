// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Advice is of the profiler that recorded the trace, and a trace that follows it is not advised again. */
class RecordingAdviceTest {
    private static final long MS = 1_000_000;
    private static final String TORCH =
            "(?s).*(ProfilerActivity|with_stack|record_shapes|profile_memory|prof\\.step|non_blocking|cuda_sync|DataLoader).*";

    private static Trace chrome(String events) {
        return TestTraces.parse("{\"traceEvents\": [" + events + "]}");
    }

    /** Everything that a report says of a trace. */
    private static String everything(Trace trace) {
        Report report = PerformanceReport.of(trace, ReportOptions.standard());
        return Said.all(report) + "\n" + report.sections();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"ph\": \"X\", \"cat\": \"FEE\", \"name\": \"main\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 90}",
                "{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"Conv2D\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 90}",
                "{\"ph\": \"X\", \"cat\": \"Node\", \"name\": \"conv_kernel_time\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9}",
                "{\"ph\": \"X\", \"name\": \"PjitFunction(f)\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9}"
            })
    void otherRecordersGetNoAdviceOfPyTorch(String event) {
        Trace trace = chrome(event);

        assertThat(RecordingTool.of(trace)).isEqualTo(RecordingTool.OTHER);
        assertThat(everything(trace)).doesNotMatch(TORCH);
    }

    @Test
    void pyTorchOnOtherDevicesGetsNoAdviceOfCuda() {
        EventText hip = new EventText()
                .op("aten::mm", 0, MS)
                .call("hipLaunchKernel", 1_000, 2_000, 1)
                .device("kernel", "a", MS, MS, 1, 7, "")
                .call("hipLaunchKernel", 4_000, 5_000, 2)
                .device("kernel", "b", MS, MS, 2, 8, "");

        assertThat(RecordingTool.of(TestTraces.of(hip))).isEqualTo(RecordingTool.TORCH_ELSEWHERE);
        assertThat(Said.of(TestTraces.of(hip), "waits_not_recorded"))
                .singleElement()
                .asString()
                .doesNotContain("cuda");
    }

    @Test
    void copiesThatHoldNothingUpAreNoAdvice() {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            long at = i * 100_000L;
            events.annotation("ProfilerStep#" + i, at, 100_000)
                    .launch("gemm", at + 1_000, at + 5_000, 70_000, i + 1, 7)
                    .call("cudaMemcpyAsync", at + 3_000, at + 4_000, 100 + i)
                    .device(
                            "gpu_memcpy",
                            "Memcpy DtoH (Device -> Pinned)",
                            at + 6_000,
                            90_000,
                            100 + i,
                            20,
                            "\"bytes\": 9000");
        }

        assertThat(Said.of(TestTraces.of(events), "step_advice")).noneMatch(text -> text.contains("copies"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pinned", "Pageable"})
    void pinnedMemoryIsAdvisedWhereMemoryIsNotPinned(String memory) {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            long call = i * 10_000L;
            long work = MS + i * MS;
            events.op("aten::copy_", call, 3_000)
                    .call("cudaMemcpyAsync", call + 1_000, 1_000, 100 + i)
                    .device(
                            "gpu_memcpy",
                            "Memcpy HtoD (" + memory + " -> Device)",
                            work,
                            900_000,
                            100 + i,
                            7,
                            "\"bytes\": 9000")
                    .launch("gemm", call + 4_000, work + 900_000, 100_000, i + 1, 7);
        }
        List<String> said = Said.of(TestTraces.of(events), "step_advice");

        assertThat(said).singleElement().asString().contains("copies");
        assertThat(said.getFirst().contains("non_blocking")).isEqualTo(memory.equals("Pageable"));
        assertThat(said.getFirst().contains("already pinned")).isEqualTo(memory.equals("Pinned"));
    }
}
