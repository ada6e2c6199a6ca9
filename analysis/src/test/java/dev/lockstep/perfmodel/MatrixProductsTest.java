// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static dev.lockstep.perfmodel.Calls.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products of (M, K) = (3, 4) and (K, N) = (4, 5), in one or in two batches, by hand: 2 M N K = 120. */
class MatrixProductsTest {
    private static final String HALF = "['c10::BFloat16', 'c10::BFloat16', 'c10::BFloat16']";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // name | dims | types | values | flops | bytes | spec
                "aten::mm | [[3,4],[4,5]] | ['float','float'] | ['',''] | 120 | (12+20+15)*4 = 188 | matrix_fp32",
                "aten::addmm | [[5],[3,4],[4,5]] | ['double','double','double'] | ['','',''] | 135 | (5+12+20+15)*8 = 416 | matrix_fp64",
                "aten::addmm | [[3,5],[3,4],[4,5]] | ['double','double','double'] | ['','',''] | 135 | (15+12+20+15)*8 = 496 | matrix_fp64",
                "aten::bmm | [[2,3,4],[2,4,5]] | ['c10::Half','c10::Half'] | ['',''] | 240 | 2*47*2 = 188 | matrix_fp16",
                "aten::baddbmm | [[2,3,5],[2,3,4],[2,4,5]] | ['float','float','float'] | ['','',''] | 270 | 2*47*4 + 30*4 = 496 | matrix_fp32",
                // scale_a, scale_b, bias, scale_result, out_dtype 15 = bfloat16
                "aten::_scaled_mm | [[3,4],[4,5],[],[],[5],[],[]] | ['c10::Float8_e4m3fn','c10::Float8_e4m3fn','float','float','c10::BFloat16','','Scalar'] | ['','','','','','','15'] | 135 | 12+20+15*2+5*2 = 72 | matrix_fp8",
                "aten::_scaled_mm | [[3,4],[4,5],[],[],[],[],[]] | ['c10::Float8_e4m3fn','c10::Float8_e4m3fn','float','float','','','Scalar'] | ['','','','','','','6'] | 120 | 12+20+15*4 = 92 | matrix_fp8",
                // weights (N, K/2) in bytes
                "vllm::gemm_with_dynamic_quant | [[3,4],[5,2],[]] | ['c10::BFloat16','unsigned char',''] | ['','',''] | 120 | 12*2+10+15*2 = 64 | matrix_bf16",
                "_Linear_yfwd_mm | [[3,4],[4,5]] | ['c10::Float8_e4m3fn','c10::Float8_e4m3fn'] | ['',''] | 120 | 12+20+15*2 = 62 | matrix_fp8",
                // transA and transC set: operands swap, A' is B not transposed, B' is A: M 3, K 4, N 5
                "primus_turbo::hipblaslt_gemm_fp8 | [[5,4],[],[3,4],[],[],[],[],[]] | ['c10::Float8_e4m3fn','float','c10::Float8_e4m3fn','float','','','',''] | ['','','','','','False','True','True'] | 120 | 12+20+15*2 = 62 | matrix_fp8",
                // K is packed in pairs: 32 of them in 16 bytes, with one scale: M 3, N 5, K 32
                "aiter::gemm_a4w4 | [[3,16],[5,16],[3,1],[5,1]] | ['c10::Float4_e2m1fn_x2','c10::Float4_e2m1fn_x2','c10::Float8_e8m0fnu','c10::Float8_e8m0fnu'] | ['','','',''] | 960 | 48+80+3+5+15*2 = 166 | matrix_fp4",
                "vllm::rocm_unquantized_gemm | [[3,4],[5,4],[5]] | ['c10::BFloat16','c10::BFloat16','c10::BFloat16'] | ['','',''] | 135 | (12+20+15+5)*2 = 104 | matrix_bf16",
                "aiter::gemm_afp4wfp4_ | [[3,2],[5,2]] | ['unsigned char','unsigned char'] | ['',''] | 120 | 6+10+30 = 46 | matrix_fp4",
            })
    void multipliesAndMoves(
            String name, String dims, String types, String values, double flops, String bytes, String spec)
            throws NotModelled {
        Work work = forward(call(name, dims, types, values));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(result(bytes));
        assertThat(work.computeSpec()).isEqualTo(spec);
    }

    /** The number after the last sign, which says how it was found. */
    private static double result(String sum) {
        return Double.parseDouble(sum.substring(sum.lastIndexOf('=') + 1).strip());
    }

    @Test
    void anUnknownTypeHidesBytesAndPrecisionOnly() throws NotModelled {
        Work work = forward(call("aten::mm", "[[3,4],[4,5]]", "['strange','strange']", "[]"));
        assertThat(work.flops()).isEqualTo(120);
        assertThat(work.bytes()).isNaN();
        assertThat(work.computeSpec()).isEmpty();
    }

    @Test
    void transformerEngineSaysWhatIsTransposed() throws NotModelled {
        // A (K, M) = (4, 3) not transposed in its own terms: M is its second size; B (N, K) = (5, 4).
        String dims = "[[4,3],[],[],[],[],[5,4],[],[],[],[],[],[],[],[],[],[],[],[],[]]";
        String types = "['float','','','','','float','','','','','float','','','','','','','','float']";
        String values = "['','','','','0','','','','','0','','','','','','','','','']";
        Work work = forward(call("tex_ts::te_gemm_ts", dims, types, values));
        assertThat(List.of(parameter(work, "M"), parameter(work, "N"), parameter(work, "K")))
                .containsExactly("3", "5", "4");
        assertThat(work.flops()).isEqualTo(120);
    }

    @Test
    void theKernelSaysWhetherItUsedTensorFloats() throws NotModelled {
        OpCall call = call("aten::mm", "[[3,4],[4,5]]", "['float','float']", "[]");
        assertThat(forward(call.withKernels(List.of("ampere_sgemm_128x64_nn"))).computeSpec())
                .isEqualTo("matrix_fp32");
        String tensor = "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4_warpsize2x2x1_tensor16x8x8";
        Work work = forward(call.withKernels(List.of("memset", tensor)));
        assertThat(work.computeSpec()).isEqualTo("matrix_tf32");
        assertThat(parameter(work, "transpose")).isEqualTo("[true, false]");
    }

    @Test
    void parametersComeInTheOrderInWhichTheyAreShown() throws NotModelled {
        Work work = forward(call("aten::bmm", "[[2,3,4],[2,4,5]]", HALF, "[]"));
        assertThat(work.parameters())
                .extracting(Parameter::name)
                .containsExactly("B", "M", "N", "K", "bias", "stride_A", "stride_B", "dtype_A_B");
    }

    @Test
    void groupsOfRowsHaveWeightsOfTheirOwn() throws NotModelled {
        // 6 rows of 4 in 2 groups, weights (2, 4, 5) or (2, 5, 4): 2*6*4*5
        for (String weights : List.of("[2,4,5]", "[2,5,4]")) {
            Work work = forward(call("primus_turbo::grouped_gemm", "[[6,4]," + weights + "]", HALF, "[]"));
            assertThat(work.flops()).isEqualTo(240);
            assertThat(work.bytes()).isEqualTo((24 + 40 + 30) * 2);
        }
        // The same as lists: rows 2 and 4.
        Work listed = forward(call("primus_turbo::grouped_gemm", "[[[2,4],[4,4]],[[4,5],[4,5]]]", HALF, "[]"));
        assertThat(listed.flops()).isEqualTo(240);
        assertThat(parameter(listed, "G")).isEqualTo("2");
    }

    @Test
    void groupsMayDifferInDepth() throws NotModelled {
        // (2, 3) x (3, 5) and (2, 4) x (4, 5): 2*2*3*5 + 2*2*4*5
        Work work = forward(call("primus_turbo::grouped_gemm_variable_k", "[[[2,3],[2,4]],[[3,5],[4,5]]]", HALF, "[]"));
        assertThat(work.flops()).isEqualTo(140);
        assertThat(work.bytes()).isEqualTo(((6 + 15 + 10) + (8 + 20 + 10)) * 2);
        assertThat(parameter(work, "group_pairs")).isEqualTo("[[[2, 3], [3, 5]], [[2, 4], [4, 5]]]");
    }
}
