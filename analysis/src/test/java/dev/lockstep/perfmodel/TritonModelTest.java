// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static dev.lockstep.perfmodel.Calls.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TritonModelTest {
    @Test
    void namesTellWhatWasFused() {
        FusedNames names = FusedNames.standard();
        assertThat(names.of("triton_per_fused__to_copy_add_addmm_mean_rsqrt_view_8"))
                .containsExactly("_to_copy", "add", "addmm", "mean", "rsqrt", "view");
        assertThat(names.of("triton_red_fused__unsafe_view_native_layer_norm_split_20"))
                .containsExactly("_unsafe_view", "native_layer_norm", "split");
        assertThat(names.of("triton_poi_fused_constant_pad_nd_moe_forward_0")).isEmpty();
        assertThat(names.of("triton_poi_fused_0")).isEmpty();
    }

    @Test
    void eachTensorIsMovedOnce() throws NotModelled {
        OpCall call = call(
                "triton_poi_fused_addmm_gelu_view_15",
                "[[2,4,8],[8],[]]",
                "['c10::BFloat16','float','Scalar']",
                "['','','64']");
        Work work = forward(call);
        assertThat(work.flops()).isEqualTo(8 * 64);
        assertThat(work.bytes()).isEqualTo(64 * 2 + 8 * 4);
        assertThat(work.computeSpec()).isEqualTo("vector_bf16");
        assertThat(parameter(work, "fused_ops")).isEqualTo("\"aten.addmm, aten.gelu, aten.view\"");
    }

    /** Two rows of 8 out of 100. */
    @Test
    void ofASlicedTensorNoMoreIsMovedThanTheKernelRunsOver() throws NotModelled {
        String types = "['float','float','Scalar']";
        OpCall sliced = call("triton_poi_fused_clone_slice_13", "[[100,8],[2,8],[]]", types, "['','','16']");
        assertThat(forward(sliced).bytes()).isEqualTo(2 * 16 * 4);
        OpCall whole = call("triton_poi_fused_max_pool2d_with_indices_13", "[[100,8],[2,8],[]]", types, "['','','16']");
        assertThat(forward(whole).bytes()).isEqualTo((800 + 16) * 4);
    }

    @Test
    void reductionsRunOverRowsAndColumns() throws NotModelled {
        OpCall call = call(
                "triton_red_fused_add_mean_3",
                "[[4,8],[4],[],[]]",
                "['float','float','Scalar','Scalar']",
                "['','','4','8']");
        Work work = forward(call);
        assertThat(work.flops()).isEqualTo(2 * 32);
        assertThat(List.of(parameter(work, "xnumel"), parameter(work, "rnumel")))
                .containsExactly("4", "8");
    }

    @Test
    void withoutNumbersThereIsNoModel() {
        OpCall call = call("triton_poi_fused_0", "[[4,8]]", "['float']", "['']");
        assertThat(Calls.model(call.name()).accepts(call)).isFalse();
    }
}
