// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static dev.lockstep.perfmodel.Calls.parameter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tensor (2, 4, 3, 3) of 72 floats; statistics take 4 bytes each. */
class NormModelTest {
    private static final String X = "[2,4,3,3]";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // 4 channels: 6*4 + 3*72 + 2*72; in and out, 2*4 weights, running statistics read and both written: 6*4
                "aten::batch_norm | [4],[4],[4],[4],[],[],[],[] | '','','','','True','0.1','1e-5','True' | 384 | 704",
                // as given: no statistics computed, 2*4 read
                "aten::batch_norm | [4],[4],[4],[4],[],[],[],[] | '','','','','False','0.1','1e-5','True' | 168 | 640",
                // without weights
                "aten::batch_norm | [],[],[4],[4],[],[],[],[] | '','','','','False','0.1','1e-5','True' | 168 | 608",
                // rows of 9: 8 of them; weights of 9
                "aten::layer_norm | [],[3,3],[3,3],[],[] | '[3, 3]','','','1e-5','True' | 408 | 712",
                "aten::layer_norm | [],[],[],[],[] | '[3, 3]','','','1e-5','True' | 408 | 640",
                // 2 groups of each of 2 samples
                "aten::group_norm | [],[4],[4],[],[] | '2','','','1e-5','True' | 384 | 640",
                "aten::instance_norm | [],[],[],[],[],[],[],[] | '','','','','True','0.1','1e-5','True' | 408 | 640",
                // 8 rows: 2*72 + 2*8 + 2*72; one statistic for each row
                "aten::_fused_rms_norm | [],[3,3],[] | '[3, 3]','','' | 304 | 644",
            })
    void forwardsCountStatisticsOnce(String name, String dims, String values, double flops, double bytes)
            throws NotModelled {
        String types = "['float','float','float','float','float','','','','']";
        Work work = forward(call(name, "[" + X + "," + dims + "]", types, "[''," + values + "]"));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
        assertThat(work.computeSpec()).isEqualTo("vector_fp32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // 4*72 + 5*72; three tensors, 2*8 statistics, weights and the gradients of weights and bias: 27
                "'[True, True, True]' | 648 | 1036",
                "'[True, False, False]' | 648 | 964",
                // no gradient of the input: two tensors
                "'[False, True, True]' | 288 | 748",
            })
    void backwardsCountTheGradientsAskedFor(String mask, double flops, double bytes) throws NotModelled {
        Work work = forward(call(
                "aten::native_layer_norm_backward",
                "[" + X + "," + X + ",[],[2,4,1,1],[2,4,1,1],[3,3],[3,3],[]]",
                "['float','float','','float','float','float','float','']",
                "['','','[3, 3]','','','',''," + mask + "]"));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void flagsAreRead() throws NotModelled {
        String types = "['float','float','float','float','float','','','','']";
        Work work = forward(call(
                "aten::batch_norm",
                "[" + X + ",[],[],[4],[4],[],[],[],[]]",
                types,
                "['','','','','','False','0.1','1e-5','True']"));
        assertThat(parameter(work, "is_training")).isEqualTo("false");
        assertThat(parameter(work, "is_affine")).isEqualTo("false");
        assertThat(parameter(work, "has_bias")).isEqualTo("false");
    }

    @Test
    void instanceNormHasNoBackwardOperator() {
        assertThatThrownBy(() -> forward(call("aten::instance_norm_backward", "[" + X + "]", "['float']", "[]")))
                .isInstanceOfSatisfying(
                        NotModelled.class, e -> assertThat(e.kind()).isEqualTo(NotModelled.Kind.NOT_IMPLEMENTED));
    }
}
