// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpCategoriesTest {
    @ParameterizedTest
    @CsvSource({
        "aten::mm, volta_sgemm_128x64_nn, GEMM",
        "my::linear, Cijk_Ailk_Bljk_HHS_BH_MT128x128, GEMM",
        "my::linear, ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_tn, GEMM",
        "my::linear, void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_f16>, GEMM",
        "fbgemm::f8f8bf16_rowwise, void cutlass::device_kernel<fbgemm_gpu::cutlass::gemm::GemmUniversal>, GEMM",
        "fbgemm::permute_2D_sparse_data, void fbgemm_gpu::permute_2D_data_kernel<int>, other",
        "fbgemm::sum, void fbgemm_gpu::elementwise_sum_kernel<float>, elementwise",
        "MatMul, trans_Cast_109, GEMM",
        "Conv2DBackpropInput, Conv2DBackpropInput90, CONV_bwd",
        "HcclAllreduce, hcom_allReduce__538_0_1, collective",
        "/maxpool/MaxPool, void pooling::maxPool, pooling",
        "/conv1/Conv + /relu/Relu, sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc, CONV_fwd",
        "my::conv_backward, sm80_xmma_wgrad_implicit_gemm_indexed_f16, CONV_bwd",
        "my::linear_backward, void deep_gemm::fp8_wgrad_gemm_kernel<128>, GEMM",
        "my::spooler, void spool_kernel, other",
        "my::op, '', other"
    })
    void anUnknownOperatorIsWhatItsFirstKernelIs(String operator, String kernel, String category) {
        assertThat(OpCategories.standard().of(operator, kernel)).isEqualTo(category);
    }
}
