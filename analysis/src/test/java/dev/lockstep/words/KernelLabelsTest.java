// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelLabelsTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            ncclDevKernel_AllReduce_Sum_f32_RING_LL128(ncclDevComm *, unsigned long, ncclWork *); all_reduce ring LL128 f32
            ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*); all_reduce ring LL f32
            ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>); send_recv
            ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>); ncclDevKernel_Generic_1
            hcom_allReduce__538_0_1; all_reduce
            nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT; gemm 128x256x64 bf16 tn
            nvjet_sm90_hsh_256x128_64x4_2x1_v_bz_NTN; gemm 256x128x64 f16 nt
            volta_sgemm_32x128_tn; gemm 32x128 f32 tn
            ampere_fp16_s1688gemm_fp16_256x64_ldg8_f2f_tn; gemm 256x64 f16 tn
            ampere_sgemm_32x32_sliced1x4_tn; gemm 32x32 f32 tn
            sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas; gemm 64x64x8 f32 tn
            void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x64_64x6_tn_align8::Params); gemm 128x64x64 bf16 tn
            void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_32x3_nn_align4>; gemm 128x128x32 tf32 nn
            Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1_SN_1LDSB0; gemm 256x128x64 bf16 nn
            Cijk_Alik_Bljk_S_B_Bias_HA_S_SAV_UserArgs_MT64x64x64_MI16x16x1; gemm 64x64x64 f32 tn
            sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_stage4_warpsize2x2x1_g1_tensor16x8x8_alignc4_execute_kernel_cudnn; conv_forward 128x128x16 tf32
            igemm_wrw_gtcx2_nhwc_bf16_bx0_ex1_bt256x128x16_wt32x32x8_ws2x1_wr2x2_ta1x4x1x4; conv_backward_weights 256x128x16 bf16
            cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1; conv 128x64 f32
            void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>); elementwise add bf16
            void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int); elementwise mul bf16
            void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#2}::operator()() const::{lambda(float, float)#1}, std::array<char*, 3ul> >(int); elementwise gelu_backward f32
            void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, std::array<char*, 2ul>, 4>(int); elementwise copy f32
            void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<long>, std::array<char*, 1ul> >(int, at::native::FillFunctor<long>, std::array<char*, 1ul>); elementwise fill i64
            void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::Half, at::native::func_wrapper_t<c10::Half, at::native::sum_functor<c10::Half, float, c10::Half>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::Half, 4> >(int); reduce sum f16
            void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 4>, float const*>(int); multi_tensor fused_adam_math f32
            void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float, at::native::(anonymous namespace)::LogSoftMaxBackwardEpilogue>(float*, float const*, float const*, long); log_softmax_backward f32
            void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, false, false>(float*, float const*, int, int, int, bool const*, int, bool); softmax_forward f32
            void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t>, true>(int); attention_forward bf16
            cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26_64x64x64_1x4x1_cga1x1x1_kernel0_0; attention_backward
            void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16, (vllm::Fp8KVCacheDataType)0>(int); reshape_and_cache_flash bf16
            void splitKreduce_kernel<32, 16, int, __half, __half, float, __half, true, true, false>(cublasSplitKParams<float>); splitKreduce f16
            void cudnn::fusion::compute_dot_do_o_specialized<true, 64>(void const*, float*, unsigned int); compute_dot_do_o_specialized
            void ck_tile::kentry<1, ck_tile::Rmsnorm2dFwd<ck_tile::Rmsnorm2dFwdPipelineOnePass<std::bfloat16_t> > >(int); Rmsnorm2dFwd bf16
            triton_poi_fused__to_copy_add_mul_3; triton pointwise to_copy_add_mul
            triton_per_fused_native_layer_norm_12; triton reduction native_layer_norm
            _ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1_; elementwise add f32
            loop_add_fusion_6; loop_add_fusion_6
            merge; merge
            """)
    void saysWhatANameSays(String name, String label) {
        assertThat(KernelLabels.of(name)).isEqualTo(label);
    }

    /** Names are what a program makes of them: each gets a label that is no longer than itself. */
    @Test
    void isNeverLongerAndNeverEmpty() {
        String[] pieces = {
            "void ",
            "at::native::",
            "vectorized_elementwise_kernel",
            "<",
            ">",
            "(",
            ")",
            "{lambda(float)#1}",
            "Functor",
            "_kernel",
            "nvjet_",
            "128x256",
            "_TN",
            "nccl",
            "DevKernel_",
            "AllReduce",
            "_",
            "flash",
            "bwd",
            "ck_tile::kentry",
            "Cijk_",
            "Ailk_",
            "triton_poi_fused_",
            "x",
            "9",
            " ",
            "::",
            "gemm",
            "c10::BFloat16",
            "é"
        };
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int n = 1 + random.nextInt(12); n > 0; n--) {
                name.append(pieces[random.nextInt(pieces.length)]);
            }
            String raw = name.toString();
            String label = KernelLabels.of(raw);
            assertThat(label.length()).as(raw).isBetween(1, raw.length());
            assertThat(KernelLabels.of(raw)).isEqualTo(label);
        }
    }
}
