// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nccl:all_to_all, op_id = 901 | nccl:all_to_all",
                "AllToAll4D, seq = 45440, op_id = 991132 | AllToAll4D",
                "FSDP::pre_forward (model.layers.0), op_id = 994208 | FSDP::pre_forward (model.layers.0)",
                "aten::mm, seq = 4, op_id = 2, sizes = [[4, 4], [4, 4]], input_op_ids = [(1,0)] | aten::mm",
                "aten::relu, sizes = [[4]] | aten::relu",
                "step 1, batch = 7 | step 1, batch = 7",
                "forward, seq = long | forward, seq = long"
            })
    void numbersOfCallsLeaveNames(String recorded, String name) {
        assertThat(RangeNames.plain(recorded)).isEqualTo(name);
    }
}
