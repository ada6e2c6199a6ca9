// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void withoutNumbersArrowsTellTheForwardOfTheBackward() {
        String node = "autograd::engine::evaluate_function: ";
        String events = """
            {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
            {"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
            {"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 60, "dur": 20},
            {"ph": "X", "cat": "cpu_op", "name": "%1$sReluBackward0", "pid": 1, "tid": 2, "ts": 100, "dur": 30},
            {"ph": "X", "cat": "cpu_op", "name": "ReluBackward0", "pid": 1, "tid": 2, "ts": 105, "dur": 20},
            {"ph": "X", "cat": "cpu_op", "name": "%1$sAddmmBackward0", "pid": 1, "tid": 2, "ts": 140, "dur": 50},
            {"ph": "X", "cat": "cpu_op", "name": "AddmmBackward0", "pid": 1, "tid": 2, "ts": 145, "dur": 30},
            {"ph": "X", "cat": "cpu_op", "name": "%1$sNotLinked", "pid": 1, "tid": 2, "ts": 200, "dur": 50},
            {"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 1, "pid": 1, "tid": 1, "ts": 10},
            {"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 1, "pid": 1, "tid": 2, "ts": 145, "bp": "e"},
            {"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 2, "pid": 1, "tid": 1, "ts": 60},
            {"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 2, "pid": 1, "tid": 2, "ts": 105, "bp": "e"},
            {"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 3, "pid": 1, "tid": 1, "ts": 60},
            {"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 4, "pid": 1, "tid": 2, "ts": 200, "bp": "e"},
            {"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 4, "pid": 1, "tid": 1, "ts": 60}
            """.formatted(node);
        Trace trace = TestTraces.of(events);
        AutogradLinks links = new DerivedCache(trace).get(new AutogradLinks.Key(TREE));

        assertThat(links.forwardOf(slice(trace, node + "AddmmBackward0"))).isEqualTo(slice(trace, "aten::addmm"));
        assertThat(links.forwardOf(slice(trace, node + "ReluBackward0"))).isEqualTo(slice(trace, "aten::relu"));
        assertThat(links.forwardOf(slice(trace, node + "NotLinked"))).isEqualTo(-1);
        assertThat(links.forwardOf(slice(trace, "AddmmBackward0"))).isEqualTo(-1);
        assertThat(links.backwardOf(slice(trace, "aten::linear")))
                .containsExactly(slice(trace, node + "AddmmBackward0"));
        assertThat(new DerivedCache(trace)
                        .get(new AutogradLinks.Key(TREE, false))
                        .isEmpty())
                .isTrue();
        // Where any operator carries a number, numbers are what counts.
        Trace numbered = TestTraces.of(events
                + ", {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mul\", \"pid\": 1, \"tid\": 1, \"ts\": 90,"
                + " \"dur\": 2, \"args\": {\"Sequence number\": 3}}");
        assertThat(new DerivedCache(numbered).get(new AutogradLinks.Key(TREE)).isEmpty())
                .isTrue();
    }

    private static final String LOOKUP = "fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function";
    private static final String LOOKUP_NODE = "torch::autograd::CppNode<SplitLookupFunction_rowwise_adagrad_Op>";
    private static final String ROI_NODE =
            "torch::autograd::CppNode<vision::ops::(anonymous namespace)::ROIAlignFunction>";
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
        Timeline run = new Timeline()
                .forward("torchvision::roi_align", 7)
                .forward("torchvision::nms", -1)
                .forward("aten::view", 8)
                .node(ROI_NODE, 7);
        assertThat(run.forwardOf(ROI_NODE)).isEqualTo("torchvision::roi_align");
    }

    /** Autograd is played: each operator that makes a node takes the next number, others carry it or nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void nodesOfFunctionsInCppBelongToNothingOrToWhatMadeThem(long seed) {
        Random random = new Random(seed);
        Timeline run = new Timeline();
        Map<Integer, String> nodes = new TreeMap<>(Comparator.reverseOrder());
        Map<Integer, Integer> truth = new HashMap<>();
        int number = 100;
        for (int i = 0; i < 200; i++) {
            int kind = random.nextInt(8);
            boolean makes = random.nextInt(4) > 0;
            String op = List.of(
                            "aten::to",
                            "aten::view",
                            LOOKUP,
                            "fbgemm::permute_pooled_embs_auto_grad",
                            "fbgemm::bounds_check_indices",
                            "torchvision::roi_align",
                            "All2All_Pooled_Wait",
                            "aten::cat")
                    .get(kind);
            String node = List.of(
                            "ToBackward0",
                            "ViewBackward0",
                            LOOKUP_NODE,
                            PERMUTE_NODE,
                            "",
                            ROI_NODE,
                            "All2All_Pooled_WaitBackward",
                            "CatBackward0")
                    .get(kind);
            boolean numberless = kind >= 2 && kind <= 4;
            int slice = run.size();
            run.forward(op, numberless ? -1 : number);
            if (makes && !node.isEmpty()) {
                nodes.put(number, node);
                truth.put(number, slice);
                number++;
            }
        }
        Map<Integer, Integer> placeOf = new HashMap<>();
        nodes.forEach((n, node) -> {
            if (random.nextInt(10) > 0) {
                placeOf.put(n, run.size());
                run.node(node, n);
            }
        });
        Trace trace = run.trace();
        AutogradLinks links = new DerivedCache(trace).get(new AutogradLinks.Key(TREE));
        int found = 0;
        for (Map.Entry<Integer, Integer> place : placeOf.entrySet()) {
            if (Objects.requireNonNull(nodes.get(place.getKey())).contains("CppNode")) {
                int forward = links.forwardOf(place.getValue());
                assertThat(forward).isIn(-1, truth.get(place.getKey()));
                found += forward >= 0 ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(10);
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

        Trace trace() {
            return TestTraces.of(events.toString());
        }

        /** How many there are: they are numbered in order. */
        int size() {
            return ts / 10;
        }

        private @Nullable String forwardOf(AutogradLinks.Key key, String node) {
            Trace trace = trace();
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
