// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelNamesTest {
    private static final KernelNames NAMES = KernelNames.standard();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1; tensile; true; false; [256, 192,"
                        + " 64];",
                "Custom_Cijk_Ailk_Bjlk_BBS_BH_MT64x16x64; tensile; false; true; [64, 16, 64];",
                "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT; nvjet; true; false; [128, 256, 64];",
                "nvjet_hsh_64x8_64x16_1x1_v_bz_NN; nvjet; false; false; [64, 8, 64];",
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x64x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas;"
                        + " xmma; true; false; [128, 64, 64];",
                "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_stage4;"
                        + " xmma; ; ; [128, 128, 16]; tf32",
                "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_nn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_nn_align8::Params);"
                        + " cutlass; false; false; [256, 128, 32];",
                "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_tn_align1>(cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_tn_align1::Params);"
                        + " cutlass; true; false; [256, 128];",
                "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4>(cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4::Params);"
                        + " cutlass; false; true; [128, 128, 16]; tf32",
                "void cutlass::device_kernel<cutlass3x_sm90_tensorop_s64x128x16gemm_bf16_bf16_f32_bf16_bf16_128x128x64_2x1x1_0_tnn_align8_warpspecialized>;"
                        + " cutlass; true; false; [128, 128, 64];",
                "ampere_sgemm_32x32_sliced1x4_nt; cublas; false; true; [32, 32];",
                "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn; cublas; true; false; [128, 128];",
                "void gemv2T_kernel_val<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, 128, 16, 4, 4,"
                        + " false>; gemv; true; ; ;",
                "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x256x32_wt32x32x8_ws1x2_wr2x2; igemm; ; ; [128, 256, 32];",
                "void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<ck::tensor_layout::gemm::RowMajor,"
                        + " ck::tensor_layout::gemm::ColumnMajor, ck::tensor_layout::gemm::RowMajor,"
                        + " (ck::tensor_operation::device::GemmSpecialization)7, 256, 128, 64, 32, 8>>; ck; false; true;"
                        + " [128, 64, 32];",
                "_gemm_a8w8_blockscale_kernel_GROUP_K_128_BLOCK_SIZE_M_16_BLOCK_SIZE_N_64_BLOCK_SIZE_K_128; triton; ;"
                        + " ; [16, 64, 128];",
            })
    void tellLayoutTileAndPrecision(String name, String library, Boolean a, Boolean b, String tile, String precision) {
        KernelName known = NAMES.of(name);
        assertThat(known).as(name).isNotNull();
        assertThat(known.library()).isEqualTo(library);
        assertThat(known.transposedA()).isEqualTo(a);
        assertThat(known.transposedB()).isEqualTo(b);
        assertThat(known.tile() == null ? null : known.tile().toString()).isEqualTo(tile);
        assertThat(known.precision()).isEqualTo(precision == null ? "" : precision);
    }

    @Test
    void otherNamesTellNothing() {
        assertThat(NAMES.of("void at::native::elementwise_kernel<128, 4>")).isNull();
        assertThat(NAMES.of("void fmha::flash_fwd_kernel<bf16>")).isNull();
    }

    @Test
    void sizesThatNoTileHasAndNamesOfAnyLengthTellNoTile() {
        KernelName name = NAMES.of("Cijk_Ailk_Bljk_BBS_BH_MT99999999999999999999x1x1_");

        assertThat(name).isNotNull();
        assertThat(name.tile()).isNull();
        assertThat(NAMES.of("cutlass_gemm" + "dgrad".repeat(100_000))).isNotNull();
    }
}
