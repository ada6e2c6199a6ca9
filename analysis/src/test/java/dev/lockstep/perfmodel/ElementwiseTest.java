// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures by hand: one operation for each value that comes out, each tensor moved once. */
class ElementwiseTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "aten::neg | [[2,3]] | ['float'] | [''] | 6 | 48",
                "aten::copy_ | [[2,3],[2,3],[]] | ['float','c10::Half','Scalar'] | ['','','False'] | 6 | 36",
                // one row is read, two are written
                "aten::copy_ | [[2,3],[3],[]] | ['float','c10::Half','Scalar'] | ['','','False'] | 6 | 30",
                "aten::pow | [[2,3],[]] | ['float','Scalar'] | ['','2'] | 6 | 48",
                "aten::pow | [[2,1],[3]] | ['float','float'] | ['',''] | 6 | 44",
                "aten::add | [[2,3],[3],[]] | ['float','float','Scalar'] | ['','','1'] | 6 | 60",
                // a scalar is no tensor
                "aten::mul | [[2,3],[]] | ['c10::Half','Scalar'] | ['','0.5'] | 6 | 24",
                // but a tensor without dimensions is: 8 bytes
                "aten::div | [[2,3],[]] | ['c10::Half','double'] | ['',''] | 6 | 32",
                "aten::add | [[],[2,3],[]] | ['double','c10::Half','Scalar'] | ['','','1'] | 6 | 32",
                // the wider type comes out
                "aten::add | [[2,3],[2,3],[]] | ['c10::Half','float','Scalar'] | ['','','1'] | 6 | 60",
                // the last dimension first: width 3+1+2, height 2+0+1
                "aten::replication_pad2d | [[1,1,2,3],[]] | ['float','ScalarList'] | ['','[1, 2, 0, 1]'] | 18 | 96",
                "aten::replication_pad3d | [[1,1,1,2,3],[]] | ['float','ScalarList'] | ['','[0, 0, 0, 0, 1, 1]'] | 18 | 96",
                "aten::upsample_nearest2d | [[1,2,2,2],[],[],[]] | ['float','ScalarList','',''] | ['','[4, 4]','',''] | 32 | 160",
                "_C::silu_and_mul | [[2,3],[2,6]] | ['c10::Half','c10::Half'] | ['',''] | 30 | 36",
                "aiter::gelu_and_mul | [[2,3],[2,6]] | ['c10::Half','c10::Half'] | ['',''] | 48 | 36",
                "primus_turbo::quantize_fp8_tensorwise | [[2,3],[],[]] | ['c10::BFloat16','float','float'] | ['','',''] | 6 | 18",
                // 32 x 64: read 2 bytes, two copies of half a byte, a scale for each 32 of a row, and of a column
                "primus::quantize_mxfp4_dual | [[32,64]] | ['c10::BFloat16'] | [''] | 2048 | 6272",
            })
    void countsAndMoves(String name, String dims, String types, String values, double flops, double bytes)
            throws NotModelled {
        Work work = forward(call(name, dims, types, values));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void shapesThatDoNotFitTogetherAreUnreadable() {
        OpCall call = call("aten::add", "[[2,3],[4]]", "['float','float']", "['','']");
        assertThatThrownBy(() -> forward(call))
                .isInstanceOf(NotModelled.class)
                .hasMessage("shapes [2, 3] and [4] do not fit together");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // 3 operations for each rotated value, which is read and written
                "FusedRoPEFunc | [[4,1,2,8],[4,1,1,8]] | ['c10::BFloat16','float'] | ['',''] | 192 | 256 | RoPE_fwd",
                // 5 for each of 3 x 10; logits, targets of 8 bytes, losses of 4
                "CrossEntropyFunction | [[3,1,10],[3,1]] | ['float','long int'] | ['',''] | 150 | 156 | CrossEntropy_fwd",
                "MoEDispatch | [[7,16],[7,2]] | ['c10::BFloat16','long int'] | ['',''] | 0 | 224 | MoE_comm_fwd",
                // taps: 2*2*3*5*4; 2 x 30 values, 3*4 weights, 3 of the bias
                "DaoAILab::_causal_conv1d_fwd_cpp | [[2,3,5],[3,4],[3]] | ['c10::BFloat16','c10::BFloat16','c10::BFloat16'] | ['','',''] | 240 | 150 | SSM_fwd",
                // 12 for each of 24; x and result, scale and shift of (3, 4), two statistics for 6 rows
                "primus::fused_ln_modulate | [[2,3,4],[3,4],[3,4]] | ['c10::BFloat16','c10::BFloat16','c10::BFloat16'] | ['','',''] | 288 | 192 | NORM_fwd",
            })
    void fusedOperatorsToo(
            String name, String dims, String types, String values, double flops, double bytes, String category)
            throws NotModelled {
        Work work = forward(call(name, dims, types, values));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
        assertThat(Calls.model(name).category()).isEqualTo(category);
    }

    @Test
    void mambaIsConvolutionAndScan() throws NotModelled {
        // B 1, T 8, H 2, P 4, G 1, C 4: inner 8; z x B C dt is 2*8 + 2*1*N + 2 wide, 24 wide for N = 3.
        String dims = "[[1,8,24],[14,4],[14],[2],[2],[2]]";
        String types = "['c10::BFloat16','c10::BFloat16','c10::BFloat16','float','float','float']";
        String values = "['','','','','','','4','','','','','','','','','4','1']";
        OpCall call = call("MambaSplitConv1dScanCombinedFn", dims, types, values);
        Work work = forward(call);
        // 2*1*8 * (14*4 + 1*4*3 + 2*4*4 + 2*2*3*4)
        assertThat(work.flops()).isEqualTo(16 * (56 + 12 + 32 + 48));
        // (8*24 + 14*4 + 14 + 8*8) * 2 + 2 * (4 + 4 + 4)
        assertThat(work.bytes()).isEqualTo((192 + 56 + 14 + 64) * 2 + 24);
        assertThat(Calls.backward(call).flops()).isEqualTo(work.flops());
    }
}
