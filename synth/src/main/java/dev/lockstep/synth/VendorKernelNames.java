// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Locale;

/** Names of kernels as the two vendors' libraries and the framework spell them. */
final class VendorKernelNames {
    private static final String NATIVE = "void at::native::";
    private final boolean cuda;

    VendorKernelNames(Vendor vendor) {
        cuda = vendor == Vendor.CUDA;
    }

    /** A matrix product of {@code m x k} and {@code k x n}; small products use smaller tiles. */
    String gemm(boolean transposeLeft, boolean transposeRight, long m, long n, long k) {
        int tileM = m >= 4096 && n >= 2048 ? 256 : m * n >= 1 << 20 ? 128 : 64;
        int tileN = n >= 8192 ? 256 : n >= 1024 ? 128 : 64;
        String layout = (transposeLeft ? "T" : "N") + (transposeRight ? "T" : "N");
        if (!cuda) {
            return "Cijk_" + (transposeLeft ? "Alik" : "Ailk") + '_' + (transposeRight ? "Bjlk" : "Bljk")
                    + "_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT" + tileM + 'x' + tileN
                    + "x64_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1_CADS0_DTVA0_DTVB0_EPS0_FDSI0_GRPM1_GRVWA8_GRVWB8"
                    + "_GSUAMB_GLS0_ISA942_IU1_K1_LBSPPA" + (k >= 4096 ? 1024 : 512)
                    + "_LBSPPB512_LBSPPM0_LPA16_LPB16_LPM0_LRVW8_LWPMn1_MIAV0_MIWT8_4_MO40_NTn1_NTA0_NTB0_NTC0_NTD0_NTM0"
                    + "_PGR2_PLR1_SIA3_SS1_SPO0_SRVW0_SSO0_SVW8_TLDS1_USFGROn1_VSn1_VWA8_VWB4_WSGRA0_WSGRB0_WG32_8_1";
        }
        if (tileM == 64) {
            String shape = "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x" + tileN + "_64x6_"
                    + layout.toLowerCase(Locale.ROOT) + "_align8";
            return "void cutlass::Kernel2<" + shape + ">(" + shape + "::Params)";
        }
        return "nvjet_tst_" + tileM + 'x' + tileN + "_64x4_" + (n >= 4096 ? "2x1" : "1x2") + "_h_bz_coopA_" + layout
                + 'T';
    }

    String attentionForward() {
        return cuda
                ? "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false,"
                        + " cutlass::bfloat16_t, Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, false, true,"
                        + " false, false, true, true, false>(pytorch_flash::Flash_fwd_params)"
                : "attn_fwd";
    }

    String attentionBackward() {
        return cuda
                ? "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8,"
                        + " 2, 4, 2, false, false, cutlass::bfloat16_t, Flash_kernel_traits<128, 64, 128, 8,"
                        + " cutlass::bfloat16_t> >, false, true, false, false, true, true,"
                        + " false>(pytorch_flash::Flash_bwd_params)"
                : "bwd_kernel_dk_dv";
    }

    String attentionPrepare() {
        return cuda
                ? "void pytorch_flash::flash_bwd_dot_do_o_kernel<true, Flash_bwd_kernel_traits<128, 64, 128, 8, 2, 4, 2,"
                        + " false, false, cutlass::bfloat16_t, Flash_kernel_traits<128, 64, 128, 8, cutlass::bfloat16_t> >"
                        + " >(pytorch_flash::Flash_bwd_params)"
                : "bwd_preprocess";
    }

    String layerNormForward() {
        String arguments =
                "(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*,"
                        + " c10::BFloat16*)";
        return NATIVE + "(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>" + arguments;
    }

    String layerNormBackward() {
        return NATIVE
                + "(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float>(c10::BFloat16"
                + " const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, c10::BFloat16*, int)";
    }

    String layerNormWeights() {
        return NATIVE
                + "(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, 8u, 64u, true,"
                + " true>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*,"
                + " c10::BFloat16*, c10::BFloat16*)";
    }

    /** An element-wise kernel that applies {@code functor} to {@code operands} pointers. */
    String elementwise(String functor, int operands) {
        String body = functor + ", std::array<char*, " + operands + "ul> ";
        return NATIVE + "vectorized_elementwise_kernel<" + (cuda ? 4 : 8) + ", at::native::" + body
                + ">(int, at::native::" + body.stripTrailing() + ')';
    }

    String copy() {
        return NATIVE + "(anonymous namespace)::CatArrayBatchedCopy_aligned16_contig<at::native::(anonymous"
                + " namespace)::OpaqueType<2u>, unsigned int, 1, 128, 1>(at::native::(anonymous namespace)::OpaqueType<2u>*,"
                + " at::native::(anonymous namespace)::CatArrInputTensorMetadata<at::native::(anonymous"
                + " namespace)::OpaqueType<2u>, unsigned int, 128, 1>, at::native::(anonymous"
                + " namespace)::TensorSizeStride<unsigned int, 4u>, int, unsigned int)";
    }

    String splitCopy() {
        return NATIVE
                + "split_with_sizes_copy_out_contiguous_no_cast_kernel(char**, char**, long*, long*, long*, long, long,"
                + " long)";
    }

    String embeddingForward() {
        return NATIVE + "(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2,"
                + " true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>,"
                + " at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, at::cuda::detail::TensorInfo<long const,"
                + " unsigned int>, int, int, unsigned int, unsigned int, long)";
    }

    String embeddingBackward() {
        return NATIVE
                + "(anonymous namespace)::compute_grad_weight<c10::BFloat16, long>(long const*, c10::BFloat16 const*,"
                + " long const*, long, long, long const*, long const*, float*, long)";
    }

    String softmax(boolean forward) {
        String direction = forward ? "Forward" : "Backward";
        return NATIVE + "(anonymous namespace)::cunn_SoftMax" + direction + "<8, c10::BFloat16, float, c10::BFloat16,"
                + " at::native::(anonymous namespace)::LogSoftMax" + direction
                + "Epilogue>(c10::BFloat16*, c10::BFloat16"
                + " const*, int)";
    }

    String loss(boolean forward) {
        return NATIVE + "(anonymous namespace)::nll_loss_" + (forward ? "forward" : "backward")
                + "_reduce_cuda_kernel_2d<c10::BFloat16, float, long>(c10::BFloat16*, c10::BFloat16*, c10::BFloat16 const*,"
                + " long const*, c10::BFloat16 const*, bool, long, long, long, long)";
    }

    String multiTensor(String functor, int depth) {
        String metadata = "at::native::(anonymous namespace)::TensorListMetadata<" + depth + ">";
        return NATIVE + "(anonymous namespace)::multi_tensor_apply_kernel<" + metadata
                + ", at::native::(anonymous namespace)::" + functor + " >(" + metadata
                + ", at::native::(anonymous namespace)::" + functor + ')';
    }

    /** A collective's kernel; one vendor names what it does, the other has one for all. */
    String collective(String stem) {
        return (cuda ? "ncclDevKernel_" + stem + "_RING_LL" : "ncclDevKernel_Generic_1")
                + "(ncclDevKernelArgsStorage<4096ul>)";
    }
}
