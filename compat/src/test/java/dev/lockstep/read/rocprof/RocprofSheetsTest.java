// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compat.tracelens.TraceLensReport;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TraceLens's sheets of a recording of rocprof. */
class RocprofSheetsTest {
    @Test
    void compatSheetsKeepTheUnitsOfTheTool() throws IOException {
        List<Table> tables = TraceLensReport.of(new RocprofReaderTest().whole(), ReportOptions.standard())
                .tables();
        Table timeline = tables.get(0);
        Table kernels = tables.get(1);

        assertThat(tables)
                .extracting(Table::name)
                .containsExactly(
                        "gpu_timeline",
                        "kernel_summary",
                        "kernel_summary_by_category",
                        "short_kernels_summary",
                        "short_kernel_histogram");
        // 100 µs of recording, 3 + 4.5 µs with kernels, 1 µs with a copy.
        assertThat(timeline.doubles(1).get(0)).isEqualTo(0.1);
        assertThat(timeline.doubles(1).get(1)).isEqualTo(0.0075);
        assertThat(timeline.doubles(1).get(2)).isEqualTo(0.001);
        assertThat(timeline.doubles(1).get(4)).isEqualTo(0.0915);
        assertThat(kernels.strings(0).get(0)).isEqualTo("gemm");
        assertThat(kernels.doubles(2).get(0)).isEqualTo(2000);
        assertThat(kernels.doubles(9).get(0)).isEqualTo(4);
        assertThat(kernels.strings(10).get(1)).isEqualTo("COMM");
        assertThat(kernels.doubles(8).get(1)).isEqualTo(100);
    }
}
