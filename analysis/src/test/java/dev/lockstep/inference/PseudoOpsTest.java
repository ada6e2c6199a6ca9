// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class PseudoOpsTest {
    private static final CallTree.Key TREE = new CallTree.Key(Nesting.BY_TIME, false);

    private final EventText events = new EventText();

    private Trace apply() {
        return PseudoOps.apply(TestTraces.of(events), TREE, LaunchRule.CORRELATION, Additions.BESIDE);
    }

    private static String ofKernel(Trace trace, String kernel) {
        DerivedCache cache = new DerivedCache(trace);
        int call = cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)).launchOf(TestTraces.slice(trace, kernel));
        return TestTraces.name(trace, cache.get(TREE).parent(call));
    }

    @Test
    void theProductsOfATritonMixtureBecomeOperatorsOfTheirOwn() {
        events.op("vllm::moe_forward", 0, 10_000, "\"Input Dims\": [[4, 8], [4, 32]]")
                .op("TopK", 100, 200, "\"Concrete Inputs\": [\"\", \"2\"]")
                .launch("_matmul_ogs_swiglu", 1_000, 20_000, 10, 1, 7)
                .launch("_matmul_ogs", 3_000, 21_000, 10, 2, 7)
                .launch("_finalize_matmul_scatter_bf16", 5_000, 22_000, 10, 3, 7);
        Trace trace = apply();
        assertThat(ofKernel(trace, "_matmul_ogs_swiglu")).isEqualTo("pseudo_op::moe_triton_unfused_up");
        assertThat(ofKernel(trace, "_matmul_ogs")).isEqualTo("pseudo_op::moe_triton_unfused_down");
        assertThat(ofKernel(trace, "_finalize_matmul_scatter_bf16"))
                .isEqualTo("pseudo_op::moe_triton_unfused_finalize_matmul_scatter");
        int up = TestTraces.slice(trace, "pseudo_op::moe_triton_unfused_up");
        OpDetails details = trace.view(OpDetails.KEY);
        assertThat(trace.strings().orNull(details.inputDims(details.of(up)))).isEqualTo("[[4, 8], [4, 32]]");
        Grafts grafts = trace.view(Grafts.KEY);
        assertThat(trace.strings().orNull(grafts.hints(grafts.of(up)))).isEqualTo("{\"topk\": 2, \"gated\": true}");
        assertThat(grafts.role(grafts.of(up))).isEqualTo(Grafts.Role.ADDED_VIEW);
    }

    @Test
    void theFirstProductOfQuantisedExpertsIsTheGatedOne() {
        String dims = "\"Input Dims\": [[4, 8], [2, 32, 4], [2, 8, 8], [4, 2], [4, 2]]";
        events.op("vllm::outplace_fused_experts", 0, 10_000, dims)
                .launch("fused_moe_kernel_gptq_awq", 1_000, 20_000, 10, 1, 7);
        assertThat(ofKernel(apply(), "fused_moe_kernel_gptq_awq")).isEqualTo("pseudo_op::moe_gptq_awq_up");
    }

    @Test
    void aTraceWithoutSuchOperatorsStaysTheSame() {
        events.op("aten::mm", 0, 5_000).launch("gemm", 1_000, 20_000, 10, 1, 7);
        Trace trace = TestTraces.of(events);
        assertThat(PseudoOps.apply(trace, TREE, LaunchRule.CORRELATION, Additions.BESIDE))
                .isSameAs(trace);
    }
}
