// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.WeightedStacks;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.StackFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackTimesTest {
    private static final String EVENTS = String.join(
            ",",
            host("python_function", "train.py(3): step", 1, 0, 100, ""),
            host("python_function", "nn.Module: Net_0", 1, 10, 50, ""),
            host("cpu_op", "aten::mm", 1, 20, 10, "\"Sequence number\": 5"),
            host("cuda_runtime", "cudaLaunchKernel", 1, 22, 3, "\"correlation\": 1"),
            host("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 2, 70, 20, "\"Sequence number\": 5"),
            host("cuda_runtime", "cudaLaunchKernel", 2, 75, 3, "\"correlation\": 2"),
            kernel("gemm; forward", 40, 7, 1),
            kernel("gemm", 80, 9, 2),
            kernel("lost", 95, 2, 9));

    @TempDir
    private Path folder;

    private static String host(String category, String name, int thread, int ts, int dur, String arguments) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": 9, \"tid\": "
                + thread + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + arguments + "}}";
    }

    private static String kernel(String name, int ts, int dur, int correlation) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + name + "\", \"pid\": 0, \"tid\": 7, \"ts\": " + ts
                + ", \"dur\": " + dur + ", \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": " + correlation
                + "}}";
    }

    private List<String> folded(StackTimes what) throws IOException {
        Path file = folder.resolve(what.word());
        WeightedStacks stacks = what.of(new DerivedCache(TestTraces.of(EVENTS)), AnalysisRules.standard());
        StackFiles.folded(stacks, file);
        return Files.readAllLines(file);
    }

    @Test
    void deviceTimeStandsBelowWhatLaunchedIt() throws IOException {
        assertThat(folded(new StackTimes(false, true)))
                .containsExactlyInAnyOrder(
                        "forward;Net_0;aten::mm;gemm, forward 7000",
                        "backward;Net_0;autograd::engine::evaluate_function: MmBackward0;gemm 9000",
                        "(no known launch);lost 2000");
    }

    @Test
    void hostTimeIsWithoutThatOfWhatIsInside() throws IOException {
        assertThat(folded(new StackTimes(false, false)))
                .containsExactlyInAnyOrder(
                        "(outside of modules) 50000",
                        "forward;Net_0 40000",
                        "forward;Net_0;aten::mm 7000",
                        "forward;Net_0;aten::mm;cudaLaunchKernel 3000",
                        "backward;Net_0;autograd::engine::evaluate_function: MmBackward0 17000",
                        "backward;Net_0;autograd::engine::evaluate_function: MmBackward0;cudaLaunchKernel 3000");
    }

    @Test
    void pythonStacksBeginWithTheThread() throws IOException {
        assertThat(folded(new StackTimes(true, true)))
                .containsExactlyInAnyOrder(
                        "thread 1;train.py(3): step;nn.Module: Net_0;aten::mm;gemm, forward 7000",
                        "thread 2;autograd::engine::evaluate_function: MmBackward0;gemm 9000",
                        "(no known launch);lost 2000");
    }

    @Test
    void speedscopeGetsEachStackWithItsWeight() throws IOException {
        Path file = folder.resolve("s.json");
        StackFiles.speedscope(
                "a.json",
                List.of(new StackTimes(false, true)
                        .of(new DerivedCache(TestTraces.of(EVENTS)), AnalysisRules.standard())),
                file);

        assertThat(Files.readString(file))
                .contains("\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"")
                .contains("\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":18000")
                .contains("\"weights\":[7000,9000,2000]");
    }

    @Test
    void whatIsStackedHigherBelongsToTheLastPartThatIsToldApart() throws IOException {
        int frames = 3 * WeightedStacks.MOST_PARTS;
        StringBuilder events = new StringBuilder(kernel("gemm", 2 * frames + 9, 7, 1));
        for (int i = 0; i < frames; i++) {
            events.append(',').append(host("python_function", "f" + i, 1, i, 2 * (frames - i), ""));
        }
        events.append(',').append(host("cuda_runtime", "cudaLaunchKernel", 1, frames, 1, "\"correlation\": 1"));
        DerivedCache cache = new DerivedCache(TestTraces.of(events.toString()));
        WeightedStacks host = new StackTimes(true, false).of(cache, AnalysisRules.standard());
        assertThat(host.size()).isEqualTo(WeightedStacks.MOST_PARTS + 1);
        assertThat(host.whole()[WeightedStacks.ROOT]).isEqualTo(2000L * frames);
        assertThat(host.parts(host.size() - 1).size()).isEqualTo(WeightedStacks.MOST_PARTS);
        WeightedStacks device = new StackTimes(true, true).of(cache, AnalysisRules.standard());
        assertThat(device.name(device.size() - 1)).isEqualTo("gemm");
        assertThat(device.whole()[WeightedStacks.ROOT]).isEqualTo(7000);
    }
}
