// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.KernelClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorKindsTest {
    private final OperatorKinds kinds = new OperatorKinds(KernelCategories.operators());

    @ParameterizedTest
    @CsvSource({
        "aten::mm, gemm, MATRIX",
        "aten::addmm, gemm, MATRIX",
        "aten::bmm, gemm, MATRIX",
        "aten::_scaled_mm, gemm, MATRIX",
        "aten::_addmm_activation, gemm, MATRIX",
        "fbgemm::f8f8bf16_rowwise, gemm, MATRIX",
        "aten::addcmul_, elementwise, FRAMEWORK",
        "aten::mul, elementwise, FRAMEWORK",
        "aten::threshold_backward, elementwise, FRAMEWORK",
        "aten::_to_copy, memcpy, RUNTIME",
        "aten::copy_, memcpy, RUNTIME",
        "aten::to, bookkeeping, FRAMEWORK",
        "aten::clone, memcpy, RUNTIME",
        "aten::zero_, memset, RUNTIME",
        "aten::new_zeros, memset, RUNTIME",
        "aten::masked_fill_, elementwise, FRAMEWORK",
        "aten::cudnn_convolution, convolution, FRAMEWORK",
        "aten::convolution_backward, convolution, FRAMEWORK",
        "aten::conv2d, convolution, FRAMEWORK",
        "aten::_convert_indices_from_coo_to_csr, other, FRAMEWORK",
        "aten::native_layer_norm_backward, normalisation, FRAMEWORK",
        "aten::linalg_vector_norm, reduce, FRAMEWORK",
        "aten::_log_softmax_backward_data, softmax, FRAMEWORK",
        "aten::_scaled_dot_product_flash_attention, attention, FRAMEWORK",
        "flash_attn::_flash_attn_forward, attention, FRAMEWORK",
        "aten::nll_loss_forward, loss, FRAMEWORK",
        "aten::embedding_dense_backward, embedding, FRAMEWORK",
        "aten::index_select, index, FRAMEWORK",
        "aten::max_pool2d_with_indices, pooling, FRAMEWORK",
        "aten::cat, cat, FRAMEWORK",
        "aten::cumsum, scan_and_sort, FRAMEWORK",
        "aten::native_dropout, random, FRAMEWORK",
        "aten::_foreach_add_, optimizer, FRAMEWORK",
        "c10d::allreduce_, communication, FRAMEWORK",
        "_c10d_functional::all_gather_into_tensor, communication, FRAMEWORK",
        "record_param_comms, communication, FRAMEWORK",
        "triton_red_fused_sum_3, generated, FRAMEWORK",
        "my::op, other, FRAMEWORK"
    })
    void operatorsAreToldApartByTheirNames(String name, String category, Tier tier) {
        assertThat(kinds.category(name, false)).isEqualTo(category);
        assertThat(kinds.tier(name)).isEqualTo(tier);
    }

    @Test
    void aConversionThatCopiedNothingIsBookkeeping() {
        assertThat(kinds.use("aten::to", false, false)).isEqualTo(KernelClass.OTHER);
        assertThat(kinds.use("aten::copy_", false, false)).isEqualTo(KernelClass.MEMORY);
        assertThat(kinds.use("aten::view", false, true)).isEqualTo(KernelClass.OTHER);
        assertThat(kinds.use("c10d::allreduce_", true, false)).isEqualTo(KernelClass.COMMUNICATION);
    }

    @Test
    void theUsersKindsChangeNoTier() {
        OperatorKinds own = new OperatorKinds(KernelCategories.parse("mine  ^aten::mm$", "x"));

        assertThat(own.category("aten::mm", false)).isEqualTo("mine");
        assertThat(own.tier("aten::mm")).isEqualTo(Tier.MATRIX);
        assertThat(own.category("aten::view", true)).isEqualTo("bookkeeping");
    }

    @Test
    @Timeout(20)
    void namesOfKernelsCostTimeByTheirLength() {
        KernelCategories kernels = KernelCategories.standard();

        assertThat(kernels.of("cudnn::".repeat(100_000))).isEqualTo("other");
        assertThat(kernels.of("void cudnn::cnn::cudnn::xyz_nhwc<float>")).isEqualTo("convolution");
        assertThat(kernels.of("nhwc of cudnn")).isEqualTo("other");
        for (int i = 0; i < 20; i++) {
            assertThat(kernels.of("cudnn::".repeat(1_150) + i)).isEqualTo("other");
        }
    }
}
