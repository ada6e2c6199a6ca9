// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.iterations.SteadyState.Range;
import dev.lockstep.model.IterationAnnotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
    private final List<Window> windows = new ArrayList<>();

    private SteadyStateTest decode(int count, int requests) {
        return add(count, 0, requests);
    }

    private SteadyStateTest mixed(int count, int context, int generation) {
        return add(count, context, generation);
    }

    private SteadyStateTest add(int count, int context, int generation) {
        String name = "execute_context_" + context + "(" + context * 100 + ")_generation_" + generation + "("
                + generation + ")";
        for (int i = 0; i < count; i++) {
            long start = windows.size() * 100L;
            windows.add(new Window(name, start, start + 100, start + 90, IterationAnnotation.parse(name)));
        }
        return this;
    }

    private SteadyState state(int steps) {
        return new SteadyState(windows, steps, Double.NaN);
    }

    @Test
    void rampsAreNoSteadyState() {
        decode(10, 4).decode(40, 64).decode(12, 8);

        assertThat(state(16).regions()).containsExactly(new Range(10, 50));
    }

    @Test
    void shortDipsStayInside() {
        decode(20, 64).decode(3, 10).decode(20, 64);

        assertThat(state(16).regions()).containsExactly(new Range(0, 43));
    }

    @Test
    void decodeOnlyIsTheLongestRunWithoutPrefill() {
        decode(5, 64).mixed(1, 1, 63).decode(12, 64).mixed(2, 2, 62).decode(4, 64);

        assertThat(state(32).decodeOnly()).isEqualTo(new Range(6, 18));
        assertThat(state(8).decodeOnly()).isEqualTo(new Range(6, 14));
        assertThat(state(32).prefill()).isEqualTo(new Range(18, 20));
    }

    @Test
    void nothingOfAKindIsNull() {
        decode(20, 64);

        assertThat(state(8).prefill()).isNull();
    }

    @Test
    void representativeWindowHasPrefillWhereThereIsAny() {
        decode(30, 64).mixed(1, 1, 63).decode(30, 64);

        Range chosen = state(8).mixed();

        assertThat(chosen.size()).isEqualTo(8);
        assertThat(windows.subList(chosen.from(), chosen.to())).anyMatch(Window::hasPrefill);
    }

    @Test
    void loadMakesWindowsLongEnough() {
        decode(30, 4).mixed(1, 1, 3).decode(60, 4);

        // 4 requests of 100 tokens each: one iteration in 12.5 reads a prompt.
        assertThat(SteadyState.ofLoad(windows, 2, 4, 100, 0).mixed().size()).isEqualTo(13);
    }

    @Test
    void withoutBatchesTheEvenestWindowWins() {
        long at = 0;
        for (int i = 0; i < 20; i++) {
            long duration = i >= 8 && i < 14 ? 100 : i % 2 == 0 ? 50 : 150;
            windows.add(new Window("step " + i, at, at + duration, at + duration, null));
            at += duration;
        }

        assertThat(state(6).even()).isEqualTo(new Range(8, 14));
    }
}
