// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceLensWorkTest {
    private static final String MM =
            "\"Input Dims\": [[4, 8], [8, 16]], \"Input type\": [\"float\", \"float\"], \"Input Strides\": [[8, 1], [16, 1]],"
                    + " \"Concrete Inputs\": [\"\", \"\"]";

    private final EventText events = new EventText();

    private static Table sheet(Report report, String name) {
        return report.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> texts(Table table, String header) {
        int column = table.schema().indexOf(header);
        List<String> cells = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            cells.add(String.valueOf(table.strings(column).get(row)));
        }
        return cells;
    }

    @Test
    void operatorsThatLaunchThroughTheDriverStandAloneAndAreNumberedBehindAllEvents() {
        events.op("aten::silly", 0, 10_000);
        events.complete("cuda_driver", "cuLaunchKernel", "1", "1", 1_000, 1_000, "\"correlation\": 1")
                .arrow(1, 1_000, 100_000, 7)
                .kernel("odd", 100_000, 2_000, 1, 7);
        Trace trace = TestTraces.of(events);
        Table table = sheet(TraceLensReport.of(trace, ReportOptions.standard()), "unified_perf_summary");
        assertThat(texts(table, "name")).containsExactly("aten::silly->odd (Synthetic Op)");
        assertThat(table.longs(table.schema().indexOf("ex_UID")).get(0)).isEqualTo(5);
    }

    @Test
    void operatorsThatCommunicateAreLeftOut() {
        events.op("c10d::allreduce_", 0, 10_000).launch("ncclDevKernel", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::mm", 20_000, 10_000, MM).launch("gemm", 21_000, 200_000, 4_000, 2, 7);
        Table table =
                sheet(TraceLensReport.of(TestTraces.of(events), ReportOptions.standard()), "unified_perf_summary");
        assertThat(texts(table, "name")).containsExactly("aten::mm");
        assertThat(texts(table, "perf_params").getFirst())
                .startsWith("{'M': 4, 'N': 16, 'K': 8, 'bias': False, 'stride_A': (8, 1)");
    }

    @Test
    void columnsWithoutAnyFigureAreLeftOut() {
        events.op("aten::odd", 0, 10_000).launch("odd", 1_000, 100_000, 2_000, 1, 7);
        Table table =
                sheet(TraceLensReport.of(TestTraces.of(events), ReportOptions.standard()), "unified_perf_summary");
        assertThat(table.schema().indexOf("GFLOPS")).isEqualTo(-1);
        assertThat(table.schema().indexOf("Roofline Bound")).isEqualTo(-1);
        assertThat(table.schema().indexOf("Kernel Time (µs)_sum")).isPositive();
    }

    @Test
    void reductionsWithoutShapesHaveTheirSheet() {
        events.op("aten::sum", 0, 10_000).launch("reduce", 1_000, 100_000, 2_000, 1, 7);
        Table table = sheet(TraceLensReport.of(TestTraces.of(events), ReportOptions.standard()), "Reduce_fwd");
        assertThat(texts(table, "param: num_input_elems")).containsExactly("0");
        assertThat(texts(table, "param: dtype_in_out")).containsExactly("(None, None)");
        assertThat(table.schema().indexOf("param: reduce_type")).isEqualTo(-1);
    }

    @Test
    void withoutShortKernelsTheHistogramKeepsItsHeader() {
        events.op("aten::odd", 0, 10_000).launch("odd", 1_000, 100_000, 50_000, 1, 7);
        ReportOptions options = ReportOptions.standard().with(new ReportOptions.Kernels(false, true, 10_000, 100));
        Report report = TraceLensReport.of(TestTraces.of(events), options);
        assertThat(sheet(report, "short_kernel_histogram").schema().columns())
                .extracting(ColumnSpec::header)
                .containsExactly("bin_start", "bin_end", "count");
        assertThat(sheet(report, "short_kernels_summary").schema().size()).isZero();
    }

    @Test
    void modulesTellOperatorsApartWithoutTheirInstances() {
        events.python("nn.Module: Linear_3", 0, 15_000);
        events.op("aten::mm", 1_000, 10_000, MM).launch("gemm", 2_000, 100_000, 2_000, 1, 7);
        events.op("aten::mm", 20_000, 10_000, MM).launch("gemm", 21_000, 200_000, 4_000, 2, 7);
        ReportOptions options =
                ReportOptions.standard().with(new ReportOptions.Operators(false, true, false, false, false));
        Report report = TraceLensReport.of(TestTraces.of(events), options);
        Table table = sheet(report, "ops_unique_args");
        assertThat(texts(table, "parent_module")).containsExactly("NA", "nn.Module: Linear");
        assertThat(texts(table, "call_stack"))
                .containsExactly("[\"aten::mm\"]", "[\"aten::mm\", \"nn.Module: Linear_3\"]");
        assertThat(texts(sheet(report, "ops_summary"), "parent_module")).hasSize(2);
    }

    @Test
    void timesForRatesAreDifferencesOfRoundedTimestamps() {
        long start = 1_700_000_000_000_000_123L;
        Trace trace = TestTraces.of(new EventText().kernel("k", start, 8_315, 1, 7));
        double from = start / 1e3;
        double expected = (from + 8.315 - from) / 1e6;
        assertThat(new DoubleTimes().of(trace.slices(), new int[] {0}, 8_315))
                .isCloseTo(expected, within(1e-15))
                .isNotEqualTo(8_315 / 1e9);
    }

    @Test
    void framesLoseTheirNumbers() {
        assertThat(FrameNames.of("nn.Module: Block_12")).isEqualTo("nn.Module: Block");
        assertThat(FrameNames.of("unets/unet_2d_blocks.py(7): forward")).isEqualTo("unets/unetd_blocks.py(7): forward");
        assertThat(FrameNames.of("aten::mm")).isEqualTo("aten::mm");
    }
}
