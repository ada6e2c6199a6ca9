// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceNamesTest {
    @ParameterizedTest
    @CsvSource({
        "worker0_step_12.1694128201545.pt.trace.json.gz, 12",
        "rank3/ProfilerStep#7.json, 7",
        "iter-250/rank0.json, 250",
        "iteration_5_step_6.json, 6",
        "rank0_trace.json, -1",
    })
    void stepsStandInNames(String path, long step) {
        assertThat(TraceNames.stepOf(Path.of(path))).isEqualTo(step);
    }

    @Test
    void namesMatchByPartsAndPatterns() {
        Path file = Path.of("run/rank0_trace.json");
        assertThat(TraceNames.matches(file, "trace")).isTrue();
        assertThat(TraceNames.matches(file, "run")).isFalse();
        assertThat(TraceNames.matches(file, "rank?_*.json")).isTrue();
        assertThat(TraceNames.matches(file, "*step*")).isFalse();
        assertThat(TraceNames.matches(file, "rank0.trace*")).isFalse();
    }

    @Test
    void laterTracesHaveLaterStepsTimesOrNames() {
        List<Path> inOrder = Stream.of(
                        "a_1694128201545.json",
                        "a_1694128201550.json",
                        "b_1694128201550.json",
                        "a_step_2_1694128201500.json",
                        "a_step_10_1694128201400.json")
                .map(Path::of)
                .toList();
        assertThat(inOrder.stream().sorted(TraceNames.byAge().reversed()).sorted(TraceNames.byAge()))
                .containsExactlyElementsOf(inOrder);
    }

    @Test
    void numbersInNamesSortByValue() {
        assertThat(Stream.of("rank10", "rank2", "rank1").sorted(java.util.Comparator.comparing(TraceNames::natural)))
                .containsExactly("rank1", "rank2", "rank10");
    }
}
