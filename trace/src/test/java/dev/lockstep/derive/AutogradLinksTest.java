// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class AutogradLinksTest {
    private static final CallTree.Key TREE = new CallTree.Key(Nesting.BY_TIME, false);

    @Test
    void theLastForwardOfTheNumberOnAnotherThreadBelongsToTheBackward() {
        Trace trace = TestTraces.of("""
                {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 0, "dur": 50, "args": {"Sequence number": 7}},
                {"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"Sequence number": 7}},
                {"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 60, "dur": 20, "args": {"Sequence number": 8}},
                {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: AddmmBackward0", "pid": 1, "tid": 2, "ts": 100, "dur": 50, "args": {"Sequence number": 7}},
                {"ph": "X", "cat": "cpu_op", "name": "AddmmBackward0", "pid": 1, "tid": 2, "ts": 110, "dur": 30, "args": {"Sequence number": 7}},
                {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", "pid": 1, "tid": 2, "ts": 200, "dur": 50}
                """);
        AutogradLinks links = new DerivedCache(trace).get(new AutogradLinks.Key(TREE));
        int backward = slice(trace, "autograd::engine::evaluate_function: AddmmBackward0");
        assertThat(links.forwardOf(backward)).isEqualTo(slice(trace, "aten::addmm"));
        assertThat(links.forwardOf(slice(trace, "AddmmBackward0"))).isEqualTo(-1);
        assertThat(links.isEmpty()).isFalse();
        assertThat(links.backwardOf(slice(trace, "aten::addmm"))).containsExactly(backward);
        assertThat(links.backwardOf(slice(trace, "aten::linear"))).containsExactly(backward);
        assertThat(links.backwardOf(slice(trace, "aten::relu"))).isEmpty();
        assertThat(links.forwardOf(slice(trace, "aten::relu"))).isEqualTo(-1);
        assertThat(links.forwardOf(
                        slice(trace, "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad")))
                .isEqualTo(-1);
    }

    @Test
    void tracesWithoutNumbersHaveNoLinks() {
        Trace trace = TestTraces.of("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}");
        assertThat(new DerivedCache(trace).get(new AutogradLinks.Key(TREE)).forwardOf(0))
                .isEqualTo(-1);
    }
}
