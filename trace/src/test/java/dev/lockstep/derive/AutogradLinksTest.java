// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import org.jspecify.annotations.Nullable;
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

    private static final String LOOKUP = "fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function";
    private static final String LOOKUP_NODE = "torch::autograd::CppNode<SplitLookupFunction_rowwise_adagrad_Op>";
    private static final String PERMUTE_NODE =
            "torch::autograd::CppNode<fbgemm_gpu::PermutePooledEmbsFunction<&fbgemm_gpu::permute_pooled_embs_gpu> >";

    @Test
    void aLookupWithoutANumberBelongsToTheOnlyLookupNodeThatWasMadeAroundIt() {
        Timeline run = new Timeline()
                .forward("aten::zero_", 7)
                .forward(LOOKUP, -1)
                .forward("aten::view", 8)
                .forward("aten::to", 9)
                .forward("fbgemm::permute_pooled_embs_auto_grad", -1)
                .forward("aten::cat", 10)
                .node(PERMUTE_NODE, 9)
                .node("ViewBackward0", 8)
                .node(LOOKUP_NODE, 7);
        assertThat(run.forwardOf(LOOKUP_NODE)).isEqualTo(LOOKUP);
        assertThat(run.forwardOf(PERMUTE_NODE)).isEqualTo("fbgemm::permute_pooled_embs_auto_grad");
        assertThat(run.forwardOf("ViewBackward0")).isEqualTo("aten::view");
        assertThat(run.forwardOfByNumber(LOOKUP_NODE)).isEqualTo("aten::zero_");
    }

    @Test
    void theNodeOfALookupMayHaveANumberThatNoOperatorCarries() {
        Timeline run = new Timeline()
                .forward("All2All_Pooled_Wait", 6)
                .forward("fbgemm::bounds_check_indices", -1)
                .forward(LOOKUP, -1)
                .forward("aten::view", 8)
                .node(LOOKUP_NODE, 7);
        assertThat(run.forwardOf(LOOKUP_NODE)).isEqualTo(LOOKUP);
    }

    @Test
    void amongSeveralLookupsOrNodesNothingIsKnown() {
        assertThat(new Timeline()
                        .forward("aten::zero_", 7)
                        .forward(LOOKUP, -1)
                        .forward(LOOKUP, -1)
                        .forward("aten::view", 9)
                        .node(LOOKUP_NODE, 7)
                        .forwardOf(LOOKUP_NODE))
                .isNull();
        assertThat(new Timeline()
                        .forward("aten::zero_", 7)
                        .forward(LOOKUP, -1)
                        .forward("aten::view", 9)
                        .node("torch::autograd::CppNode<SplitLookupFunction_Dense_Op>", 8)
                        .node(LOOKUP_NODE, 7)
                        .forwardOf(LOOKUP_NODE))
                .isNull();
        assertThat(new Timeline()
                        .forward("aten::zero_", 7)
                        .forward(LOOKUP, -1)
                        .forward("aten::view", 8)
                        .node("torch::autograd::CppNode<SplitLookupFunction_Dense_Op>", 7)
                        .node(LOOKUP_NODE, 7)
                        .forwardOf(LOOKUP_NODE))
                .isNull();
    }

    @Test
    void anOperatorOfAtenMakesNoNodeOfAFunctionOfOthers() {
        Timeline run = new Timeline()
                .forward("aten::zero_", 7)
                .forward("fbgemm::asynchronous_complete_cumsum", -1)
                .forward("aten::view", 8)
                .node(LOOKUP_NODE, 7);
        assertThat(run.forwardOf(LOOKUP_NODE)).isNull();
    }

    @Test
    void anOperatorOfOthersThatCarriesTheNumberMadeTheNode() {
        String node = "torch::autograd::CppNode<vision::ops::(anonymous namespace)::ROIAlignFunction>";
        Timeline run = new Timeline()
                .forward("torchvision::roi_align", 7)
                .forward("torchvision::nms", -1)
                .forward("aten::view", 8)
                .node(node, 7);
        assertThat(run.forwardOf(node)).isEqualTo("torchvision::roi_align");
    }

    /** As Ascend's profiler writes them. */
    @Test
    void aNodeWithoutANumberHasThatOfItsFunction() {
        Trace trace = TestTraces.of("""
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"Sequence number": 7}},
            {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: MmBackward0", "pid": 1, "tid": 2, "ts": 100, "dur": 50, "args": {"Sequence number": -1}},
            {"ph": "X", "cat": "cpu_op", "name": "MmBackward0", "pid": 1, "tid": 2, "ts": 110, "dur": 30, "args": {"Sequence number": 7}},
            {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", "pid": 1, "tid": 2, "ts": 200, "dur": 50, "args": {"Sequence number": -1}},
            {"ph": "X", "cat": "cpu_op", "name": "torch::autograd::AccumulateGrad", "pid": 1, "tid": 2, "ts": 210, "dur": 20, "args": {"Sequence number": -1}}
            """);
        AutogradLinks links = new DerivedCache(trace).get(new AutogradLinks.Key(TREE));
        int node = slice(trace, "autograd::engine::evaluate_function: MmBackward0");
        assertThat(links.forwardOf(node)).isEqualTo(slice(trace, "aten::mm"));
        assertThat(links.backwardOf(slice(trace, "aten::mm"))).containsExactly(node);
        assertThat(new DerivedCache(trace)
                        .get(new AutogradLinks.Key(TREE, false))
                        .isEmpty())
                .isTrue();
    }

    /** Operators one behind the other on one thread, nodes on another. */
    private static final class Timeline {
        private final StringBuilder events = new StringBuilder();
        private int ts;

        Timeline forward(String name, int number) {
            return add(name, 1, number);
        }

        Timeline node(String name, int number) {
            return add("autograd::engine::evaluate_function: " + name, 2, number);
        }

        @Nullable
        String forwardOf(String node) {
            return forwardOf(new AutogradLinks.Key(TREE), node);
        }

        @Nullable
        String forwardOfByNumber(String node) {
            return forwardOf(new AutogradLinks.Key(TREE, false), node);
        }

        private @Nullable String forwardOf(AutogradLinks.Key key, String node) {
            Trace trace = TestTraces.of(events.toString());
            int slice = slice(trace, "autograd::engine::evaluate_function: " + node);
            AutogradLinks links = new DerivedCache(trace).get(key);
            int forward = links.forwardOf(slice);
            if (forward >= 0) {
                assertThat(links.backwardOf(forward)).containsExactly(slice);
            }
            return forward < 0 ? null : trace.name(forward);
        }

        private Timeline add(String name, int thread, int number) {
            events.append(events.isEmpty() ? "" : ",\n")
                    .append("""
                        {"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": %d, "ts": %d, "dur": 5, "args": {%s}}\
                        """.formatted(name, thread, ts += 10, number < 0 ? "" : "\"Sequence number\": " + number));
            return this;
        }
    }
}
