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

class ConvModelTest {
    private static final String FLOATS = "['float','float','float','','','','','','']";

    private static Work conv(String dims, String values) throws NotModelled {
        return forward(call("aten::convolution", dims, FLOATS, values));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // (1, 2, 5, 5) by (4, 2, 3, 3), padded: out (1, 4, 5, 5); 2*18*100; 50 + 72 + 100 elements
                "[[1,2,5,5],[4,2,3,3],[]] | ['','','','[1, 1]','[1, 1]','[1, 1]','False','[0, 0]','1'] | 3600 | 888",
                // with bias: one addition for each value, 4 values more
                "[[1,2,5,5],[4,2,3,3],[4]] | ['','','','[1, 1]','[1, 1]','[1, 1]','False','[0, 0]','1'] | 3700 | 904",
                // stride 2 without padding: out (1, 4, 2, 2)
                "[[1,2,5,5],[4,2,3,3],[]] | ['','','','[2, 2]','[0]','','False','','1'] | 576 | 552",
                // two groups: each value sees one channel
                "[[1,2,5,5],[4,1,3,3],[]] | ['','','','[1, 1]','[1, 1]','[1, 1]','False','[0, 0]','2'] | 1800 | 744",
                // transposed, stride 2, two groups of 3 channels: out (1, 6, 11, 11); 2*27*50; 50 + 54 + 726
                "[[1,2,5,5],[2,3,3,3],[]] | ['','','','[2, 2]','[0, 0]','[1, 1]','True','[0, 0]','2'] | 2700 | 3320",
                "[[1,2,5],[4,2,3],[]] | ['','','','[1]','[0]','[1]','False','[0]','1'] | 144 | 184",
            })
    void eachValueSeesItsFilter(String dims, String values, double flops, double bytes) throws NotModelled {
        Work work = conv(dims, values);
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
        assertThat(work.computeSpec()).isEqualTo("matrix_fp32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // both gradients cost what the forward costs; each reads two tensors and writes one
                "[True, True, False] | 7200 | 1776",
                // the first layer needs no gradient of its input
                "[False, True, False] | 3600 | 888",
                "[True, True, True] | 7300 | 2192",
            })
    void theBackwardComputesWhatWasAskedFor(String mask, double flops, double bytes) throws NotModelled {
        Work work = forward(call(
                "aten::convolution_backward",
                "[[1,4,5,5],[1,2,5,5],[4,2,3,3],[],[],[],[],[],[],[],[]]",
                "['float','float','float','','','','','','','','']",
                "['','','','[4]','[1, 1]','[1, 1]','[1, 1]','False','[0, 0]','1','" + mask + "']"));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void theBackwardOfAFusedOneLooksAtItsForward() throws NotModelled {
        OpCall forward = call(
                "ConvBias_",
                "[[1,2,5,5],[4,2,3,3],[4],[],[]]",
                "['float','float','float','','']",
                "['','','','1','1']");
        OpCall backward = call("ConvBias_Backward", "[[1,4,5,5]]", "['float']", "['']");
        Work work = forward(backward.withForward(forward));
        assertThat(work.flops()).isEqualTo(7300);
        assertThat(parameter(work, "stride")).isEqualTo("[1, 1]");
        assertThatThrownBy(() -> forward(backward)).hasMessage("the forward call is not known");
    }

    @Test
    void aStrideOfTheWrongLengthIsUnreadable() {
        assertThatThrownBy(
                        () -> conv("[[1,2,5,5],[4,2,3,3],[]]", "['','','','[1, 1, 1]','[1]','[1]','False','[0]','1']"))
                .hasMessage("argument 3 is [1, 1, 1], not 2 numbers");
    }
}
