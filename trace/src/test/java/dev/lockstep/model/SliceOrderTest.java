// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Nesting;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceOrderTest {
    private final EventText events = new EventText();

    private static List<String> names(Trace trace) {
        return IntStream.range(0, trace.slices().size()).mapToObj(trace::name).toList();
    }

    private static String id(String key, int number) {
        return "\"" + key + "\": " + number;
    }

    @ParameterizedTest
    @ValueSource(strings = {"External id", "Ev Idx", "Python id"})
    void ofEqualSpansTheOneThatTheProfilerCountedFirstEncloses(String key) {
        events.op("aten::zero_", 0, 10_000, id(key, 7))
                .op("aten::fill_", 0, 10_000, id(key, 8))
                .call("cudaLaunchKernel", 2_000, 1_000, 1)
                .op("b", 20_000, 10_000, id(key, 9))
                .op("a", 20_000, 10_000, id(key, 10));
        for (int seed = 0; seed < 5; seed++) {
            Trace trace = TestTraces.of(seed == 0 ? events : events.shuffled(seed));
            CallTree tree = new DerivedCache(trace).get(new CallTree.Key(Nesting.BY_TIME, false));
            assertThat(names(trace)).containsExactly("aten::zero_", "aten::fill_", "cudaLaunchKernel", "b", "a");
            assertThat(TestTraces.name(trace, tree.parent(TestTraces.slice(trace, "aten::fill_"))))
                    .isEqualTo("aten::zero_");
            assertThat(TestTraces.name(trace, tree.parent(TestTraces.slice(trace, "cudaLaunchKernel"))))
                    .isEqualTo("aten::fill_");
        }
    }

    @Test
    void numbersCountAcrossTheBlocksOfAFile() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            events.python("frame" + i, 1_000_000L + i * 100, 10);
            events.complete("python_function", "inner", "1", "1", i * 10L, 9, id("Python id", 2 * i + 1));
            events.complete("python_function", "outer", "1", "1", i * 10L, 9, id("Python id", 2 * i));
        }
        byte[] text = TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8);
        assertThat(text.length).isGreaterThan(1 << 22);
        Trace trace = TestTraces.read(text, 2);
        for (int i = 0; i < 40_000; i++) {
            assertThat(trace.name(i)).isEqualTo(i % 2 == 0 ? "outer" : "inner");
        }
    }

    @Test
    void withoutNumbersThatWhichTheFileWritesFirstEncloses() {
        events.op("z", 0, 10_000).op("y", 0, 10_000).op("x", 0, 10_000);
        assertThat(names(TestTraces.of(events))).containsExactly("z", "y", "x");
    }

    @Test
    void whereTheFileWritesSlicesAsTheyEndTheLastEncloses() {
        for (int i = 0; i < 5; i++) {
            events.op("leaf" + i, i * 100_000L + 10_000, 1_000).op("around" + i, i * 100_000L, 50_000);
        }
        events.op("m", 1_000_000, 10_000).op("n", 1_000_000, 10_000);
        assertThat(names(TestTraces.of(events))).endsWith("n", "m");
    }

    @Test
    void theOrderOfAShuffledFileSaysNothing() {
        for (int i = 0; i < 50; i++) {
            events.op("around" + i, i * 100_000L, 50_000).op("leaf" + i, i * 100_000L + 10_000, 1_000);
        }
        events.op("n", 9_000_000, 10_000).op("m", 9_000_000, 10_000);
        assertThat(names(TestTraces.of(events))).endsWith("n", "m");
        for (int seed = 1; seed < 9; seed++) {
            assertThat(names(TestTraces.of(events.shuffled(seed)))).endsWith("m", "n");
        }
    }

    @Test
    void outerKindsEnclosureStandsBeforeNumbers() {
        events.op("op", 0, 10_000, id("External id", 3)).annotation("range", 0, 10_000);
        assertThat(names(TestTraces.of(events))).containsExactly("range", "op");
    }
}
