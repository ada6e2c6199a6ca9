// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlapsTest {
    private final EventText events = new EventText();

    private static List<String> partners(Trace trace, String kernel, long leastNs) {
        Overlaps overlaps = new DerivedCache(trace)
                .get(new Overlaps.Key(new CallTree.Key(Nesting.BY_TIME, false), LaunchRule.CORRELATION, leastNs));
        int slice = slice(trace, kernel);
        List<String> names = new ArrayList<>();
        for (int k = 0; k < overlaps.count(slice); k++) {
            names.add(trace.name(overlaps.partner(slice, k)));
        }
        return names;
    }

    @Test
    void kernelsOfDifferentOperatorsOnDifferentStreamsOverlap() {
        events.op("a", 0, 10_000).launch("A", 1_000, 100_000, 50_000, 1, 7);
        events.op("b", 20_000, 10_000).launch("B", 21_000, 120_000, 10_000, 2, 8);
        events.op("c", 40_000, 10_000).launch("C", 41_000, 149_500, 10_000, 3, 9);
        Trace trace = TestTraces.of(events);
        assertThat(partners(trace, "A", 1)).containsExactly("B", "C");
        assertThat(partners(trace, "B", 1)).containsExactly("A");
        assertThat(partners(trace, "A", 1_000)).containsExactly("B");
    }

    @Test
    void oneStreamOneOperatorAndTouchingEndsAreNoOverlap() {
        events.op("a", 0, 10_000).launch("A1", 1_000, 100_000, 50_000, 1, 7);
        events.launch("A2", 4_000, 110_000, 20_000, 2, 8);
        events.op("b", 20_000, 10_000).launch("B", 21_000, 120_000, 10_000, 3, 7);
        events.op("c", 40_000, 10_000).launch("C", 41_000, 150_000, 10_000, 4, 9);
        Trace trace = TestTraces.of(events);
        assertThat(partners(trace, "A1", 1)).isEmpty();
        assertThat(partners(trace, "A2", 1)).containsExactly("B");
        assertThat(partners(trace, "C", 1)).isEmpty();
    }
}
