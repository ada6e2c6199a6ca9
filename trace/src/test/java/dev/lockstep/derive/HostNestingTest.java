// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNestingTest {
    @Test
    void everyKindOfTheHostTakesPartAndNothingElse() {
        Trace trace = TestTraces.of(new EventText()
                .annotation("step", 0, 100)
                .python("frame", 0, 90)
                .op("op", 10, 20)
                .call("cudaLaunchKernel", 12, 5, 1)
                .kernel("k", 13, 40, 1, 7)
                .op("late", 95, 20)
                .complete("cpu_op", "elsewhere", "1", "2", 20, 10, ""));
        HostNesting nesting = new DerivedCache(trace).get(new HostNesting.Key());

        assertThat(names(trace, nesting))
                .containsExactly(
                        "step -", "frame step", "op frame", "cudaLaunchKernel op", "k -", "elsewhere -", "late step");
        assertThat(nesting.covering(3, 11, 19)).isEqualTo(3);
        assertThat(nesting.covering(3, 11, 21)).as("exactly half is not more").isEqualTo(2);
        assertThat(nesting.covering(3, 0, 300)).isEqualTo(-1);
        assertThat(nesting.covering(-1, 0, 1)).isEqualTo(-1);
    }

    private static String[] names(Trace trace, HostNesting nesting) {
        String[] names = new String[trace.slices().size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = trace.name(i) + " " + (nesting.around(i) < 0 ? "-" : trace.name(nesting.around(i)));
        }
        return names;
    }

    /** Slices that overlap as they like, and moments, against a look at all slices. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatCoversATimeIsWhatBeganLastOfAllThatDo(int seed) {
        Random random = new Random(seed);
        EventText events = new EventText();
        for (int i = 0; i < 60; i++) {
            events.op("op" + i, random.nextInt(100), random.nextInt(40));
        }
        Slices slices = TestTraces.of(events).slices();
        HostNesting nesting = new DerivedCache(TestTraces.of(events)).get(new HostNesting.Key());
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(120);
            int to = from + 1 + random.nextInt(30);
            int last = -1;
            int expected = -1;
            for (int slice = 0; slice < slices.size(); slice++) {
                if (2 * slices.ts(slice) <= from + to) {
                    last = slice;
                }
                long shared = Math.min(slices.end(slice), to) - Math.max(slices.ts(slice), from);
                if (2 * shared > to - from) {
                    expected = slice;
                }
            }

            assertThat(nesting.covering(last, from, to)).isEqualTo(expected);
        }
    }
}
