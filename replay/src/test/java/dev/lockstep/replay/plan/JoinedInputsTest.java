// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static dev.lockstep.testkit.NodeText.tensor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.NodeText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinedInputsTest {
    @TempDir
    Path folder;

    private ExecutionTrace executed() throws IOException {
        NodeText nodes = new NodeText("1.0.1")
                .node(2, 1, "thread")
                .op(3, 2, "aten::mm", tensor(1, 32, "cuda:0"), "[4, 8]", "\"Tensor(float)\"")
                .op(4, 2, "aten::mm", tensor(1, 16, "cuda:0"), "[2, 8]", "\"Tensor(float)\"");
        Path file = Files.writeString(folder.resolve("et.json"), nodes.toString());
        return ExecutionTraceReader.read(TraceInput.of(file), new Diagnostics());
    }

    private List<String> shapes(Trace trace, JoinedInputs inputs) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.slices().kind(i) == SliceKind.CPU_OP) {
                ExecutionTrace.Inputs of = inputs.of(i);
                found.add(of == null ? "-" : of.shapes().toString().replaceAll("[^0-9,]", ""));
            }
        }
        return found;
    }

    @Test
    void byNumberOnlyTheRecordedCallsAreFound() throws IOException {
        EventText events = new EventText()
                .op("aten::mm", 0, 5_000, "\"External id\": 900, \"Record function id\": 4")
                .op("aten::mm", 10_000, 5_000, "\"External id\": 901, \"Record function id\": 3")
                .op("aten::mm", 20_000, 5_000, "\"External id\": 902, \"Record function id\": 8");
        Trace trace = TestTraces.of(events);
        JoinedInputs inputs = JoinedInputs.of(executed(), new DerivedCache(trace));

        assertThat(shapes(trace, inputs)).containsExactly("2,8", "4,8", "-");
        assertThat(inputs.joined()).isEqualTo(2);
        assertThat(inputs.operators()).isEqualTo(2);
    }

    @Test
    void byOrderRepetitionsHaveTheInputsOfTheRecordedCalls() throws IOException {
        EventText events = new EventText();
        for (String name : List.of("aten::relu", "aten::mm", "aten::mm", "aten::mm", "aten::mm", "aten::mm")) {
            events.op(name, events.toString().length() * 10_000L, 5_000);
        }
        Trace trace = TestTraces.of(events);
        JoinedInputs inputs = JoinedInputs.of(executed(), new DerivedCache(trace));

        assertThat(shapes(trace, inputs)).containsExactly("-", "4,8", "2,8", "4,8", "2,8", "-");
        assertThat(inputs.joined()).isEqualTo(2);
        assertThat(inputs.operators()).isEqualTo(4);
    }

    @Test
    void occurrencesDoNotOverlapAndAreFoundBehindFalseStarts() {
        assertThat(JoinedCalls.occurrences(new int[] {1, 1, 2}, new int[] {1, 1, 1, 2, 1, 1, 2}))
                .containsExactly(1, 4);
        assertThat(JoinedCalls.occurrences(new int[] {1, 1}, new int[] {1, 1, 1, 1, 1}))
                .containsExactly(0, 2);
        assertThat(JoinedCalls.occurrences(new int[] {1, 2, 1, 2, 3}, new int[] {1, 2, 1, 2, 1, 2, 3}))
                .containsExactly(2);
        assertThat(JoinedCalls.occurrences(new int[] {}, new int[] {1})).isEmpty();
    }
}
