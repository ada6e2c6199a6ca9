// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.backward;
import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static dev.lockstep.perfmodel.Calls.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tensor (2, 3, 4) of 24 floats: one operation each. */
class ReduceModelTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "aten::sum | [],[],[] | '[1]','False','' | 8 | 128",
                "aten::mean | [],[],[] | '[-1, 0]','True','' | 3 | 108",
                "aten::sum | [],[],[] | '[]','False','' | 1 | 100",
                // sum(x, dtype): a type is no dimension
                "aten::sum | [] | '6' | 1 | 100",
                "aten::linalg_norm | [],[],[],[] | '2','[-1]','True','' | 6 | 120",
                // std(x, unbiased)
                "aten::std | [] | 'True' | 1 | 100",
                "aten::cumsum | [],[] | '0','' | 24 | 192",
                // values and their places, of 8 bytes
                "aten::max | [],[] | '0','False' | 12 | 240",
                "aten::max | [2,3,4] | '' | 24 | 288",
            })
    void dimensionsAreRead(String name, String dims, String values, String outputs, double bytes) throws NotModelled {
        Work work = forward(call(name, "[[2,3,4]," + dims + "]", "['float','float']", "[''," + values + "]"));
        assertThat(work.flops()).isEqualTo(24);
        assertThat(parameter(work, "num_output_elems")).isEqualTo(outputs);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void theBackwardSpreadsWhatTheForwardGathered() throws NotModelled {
        OpCall call = call("aten::mean", "[[2,3,4],[],[]]", "['float','','']", "['','[1]','']");
        assertThat(backward(call).bytes()).isEqualTo(forward(call).bytes());
    }
}
