// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnLabelTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Kernel duration (µs)_sum | MICROSECONDS | Kernel duration, sum
        sum (us)                 | MICROSECONDS | Sum
        self time ms             | MILLISECONDS | Self time
        overlap_pct_mean         | PERCENT      | Overlap, mean
        bus bw (GB/s)_median     | GIGABYTES_PER_SECOND | Bus bandwidth, median
        TB/s_std                 | TERABYTES_PER_SECOND | TB/s, standard deviation
        time %                   | PERCENT      | Time
        percent                  | PERCENT      | Percent
        bytes                    | BYTES        | Bytes
        free bytes               | BYTES        | Free
        num_kernels              | COUNT        | Number of kernels
        count                    | COUNT        | Count
        collective_id            | ID           | Collective ID
        Kernel name              | NONE         | Kernel name
        param: N_Q               | NONE         | param: N_Q
        75%                      | NONE         | 75%
        kernel_details__summary  | NONE         | kernel_details__summary
        """)
    void saysTheHeaderInWordsWithoutItsUnit(String header, Unit unit, String label) {
        assertThat(ColumnLabel.of(header, unit)).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource({"sum", "ms", "_", "a_", "Percent (%)_mean", "x__y"})
    void isNeverEmpty(String header) {
        assertThat(ColumnLabel.of(header, Unit.MILLISECONDS)).isNotBlank();
    }
}
