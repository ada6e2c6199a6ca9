// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.StackRule;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.OpSummary.CategoryRow;
import dev.lockstep.analyze.work.OpSummary.NameRow;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Shown;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What tells rows of sheets about operators and kernels apart, and how they are added up. Times are in ns. */
class WorkRowsTest {
    private final EventText events = new EventText();

    private DerivedCache cache() {
        return new DerivedCache(TestTraces.of(events));
    }

    private ShortKernels.Result shorter(long than, int bins) {
        return new ShortKernels(AnalysisRules.standard(), than, bins, ShortKernels.Binning.EXACT).run(cache());
    }

    /** 1, 2 and 3 µs are short, 5 are not: bars of half a µs from 1 to 3, the last with its end. */
    @Test
    void shortKernelsFallIntoBarsOfEqualWidth() {
        events.op("aten::a", 0, 50_000)
                .launch("k", 1_000, 100_000, 1_000, 1, 7)
                .launch("k", 3_000, 110_000, 2_000, 2, 7)
                .launch("l", 5_000, 120_000, 3_000, 3, 7)
                .launch("k", 7_000, 195_000, 5_000, 4, 7);
        ShortKernels.Result result = shorter(5_000, 4);

        assertThat(Shown.of(result.tables().getFirst())).isEqualTo("""
                        1 | 1.5 | 1
                        1.5 | 2 | 0
                        2 | 2.5 | 1
                        2.5 | 3 | 1
                        """);
        // Both take 3 µs of 100; the one that was launched less often stands first.
        assertThat(Shown.of(result.tables().getLast())).isEqualTo("""
                        aten::a | - | - | - | l | 3 | 1 | 3 | 3
                        aten::a | - | - | - | k | 3 | 2 | 1.5 | 3
                        """);
    }

    @Test
    void kernelsOfOneLengthLieInTheMiddleOfAMicrosecond() {
        events.launch("k", 1_000, 100_000, 2_000, 1, 7);
        ShortKernels.Result result = shorter(5_000, 4);

        assertThat(Shown.of(result.tables().getFirst())).isEqualTo("""
                        1.5 | 1.75 | 0
                        1.75 | 2 | 0
                        2 | 2.25 | 1
                        2.25 | 2.5 | 0
                        """);
        assertThat(Shown.of(result.tables().getLast()))
                .as("no operators, no columns of them")
                .isEqualTo("k | 2 | 1 | 2 | 100\n");
    }

    @Test
    void withoutShortKernelsSheetsAreEmptyAndWithoutKernelsTheyAreMissing() {
        events.launch("k", 1_000, 100_000, 5_000, 1, 7);
        assertThat(shorter(5_000, 4).tables())
                .hasSize(2)
                .allSatisfy((Table sheet) -> assertThat(sheet.rows()).isZero());
        EventText host = new EventText().op("aten::a", 0, 10);
        ShortKernels.Result none = new ShortKernels(AnalysisRules.standard(), 5_000, 4, ShortKernels.Binning.EXACT)
                .run(new DerivedCache(TestTraces.of(host)));
        assertThat(none.tables()).isEmpty();
        assertThat(none.notApplicable()).isEqualTo("the trace has no kernels");
    }

    /** Two layers of one kind, and an operator outside; the second one's kernels overlap for 5 of 15 and 10 µs. */
    private OpSummary.Result layers() {
        events.python("lab/train.py(3): step", 0, 200_000)
                .python("nn.Module: Net_0", 1_000, 90_000)
                .python("nn.Module: Linear_0", 2_000, 30_000);
        events.op("aten::mm", 10_000, 5_000).launch("gemm", 11_000, 300_000, 10_000, 1, 7);
        events.python("nn.Module: Linear_12", 40_000, 30_000);
        events.op("aten::mm", 45_000, 9_000)
                .launch("gemm", 46_000, 320_000, 15_000, 2, 7)
                .launch("gemm", 48_000, 330_000, 10_000, 3, 8);
        events.op("aten::mm", 100_000, 5_000).launch("gemm", 101_000, 400_000, 7_000, 4, 7);
        AnalysisRules rules = AnalysisRules.standard().withPython(true);
        return new OpSummary(rules, new OpSummary.Options(true, false, true, true, null, KernelSeconds.EXACT))
                .run(cache());
    }

    @Test
    void modulesOfOneKindAreOneRowAndTellOperatorsOfOneNameApart() {
        List<NameRow> rows = layers().byName();

        assertThat(rows).hasSize(2);
        NameRow linear = rows.getFirst();
        assertThat(Objects.requireNonNull(linear.module()).name()).isEqualTo("nn.Module: Linear");
        assertThat(linear.module().stack()).isEqualTo("[\"aten::mm\", \"nn.Module: Linear_0\", \"nn.Module: Net_0\"]");
        assertThat(linear.count()).isEqualTo(2);
        assertThat(linear.direct()).as("10 alone, 20 with two at a time").isEqualTo(30_000);
        NameRow outside = rows.getLast();
        assertThat(Objects.requireNonNull(outside.module()).name()).isNull();
        assertThat(outside.module().stack()).isEqualTo("[\"aten::mm\"]");
        assertThat(outside.direct()).isEqualTo(7_000);
    }

    @Test
    void categoriesAreToldApartByModulesToo() {
        assertThat(layers().byCategory())
                .extracting(CategoryRow::category, CategoryRow::count, CategoryRow::direct)
                .containsExactly(tuple("GEMM", 2, 30_000L), tuple("GEMM", 1, 7_000L));
    }

    @Test
    void operatorsOfOtherNumbersOfKernelsHaveRowsOfTheirOwn() {
        assertThat(layers().byArguments())
                .extracting(
                        OpSummary.ArgumentsRow::kernelCount,
                        row -> row.direct().sum(),
                        OpSummary.ArgumentsRow::firstStart)
                .containsExactly(tuple(2, 20_000.0, 45_000L), tuple(1, 10_000.0, 10_000L), tuple(1, 7_000.0, 100_000L));
    }

    @Test
    void stacksOfSeveralKernelsShareWhatIsCommonAndThenPart() {
        events.python("lab/train.py(3): step", 0, 90_000);
        events.op("aten::mm", 10_000, 30_000)
                .launch("gemm", 11_000, 100_000, 2_000, 1, 7)
                .launch("gemm", 13_000, 103_000, 2_000, 2, 7);
        events.op("aten::fill_", 20_000, 5_000).launch("fill", 21_000, 106_000, 1_000, 3, 7);
        WorkRules rules = WorkRules.standard(
                AnalysisRules.standard().withPython(true), OpModels.standard(), Device.named("H100"));
        PerfSummary.Result result =
                new PerfSummary(rules, new PerfSummary.Options(false, null, StackRule.STANDARD)).run(cache());

        assertThat(result.rows().stream()
                        .map(row -> Objects.requireNonNull(row.site()).stack()))
                .containsExactly("[\"lab/train.py(3): step\", \"aten::mm\", [\"gemm\"], [\"aten::fill_\", \"fill\"]]");
    }

    /**
     * 4 x 8 times 8 x 16 floats: 1024 operations, 896 bytes, in 2 and 4 µs; and 3000 µs of something without a model, of which
     * an operator of 1 µs is less than 0.05 %.
     */
    @Test
    void pointsAndRoofsOfTheRooflineChart() {
        String product = "\"Input Dims\": [[4, 8], [8, 16]], \"Input type\": [\"float\", \"float\"],"
                + " \"Input Strides\": [[8, 1], [16, 1]]";
        events.op("aten::mm", 0, 10_000, product).launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::mm", 20_000, 10_000, product).launch("gemm", 21_000, 200_000, 4_000, 2, 7);
        events.op("aten::mm", 40_000, 10_000, product.replace("[4, 8]", "[2, 8]"))
                .launch("gemm", 41_000, 300_000, 1_000, 3, 7);
        events.op("aten::unknown", 60_000, 10_000).launch("unknown", 61_000, 400_000, 3_000_000, 4, 7);
        Device device = Device.named("H100");
        WorkRules rules = WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), device);
        PerfSummary.Result result = new PerfSummary(rules, new PerfSummary.Options(false, null, null)).run(cache());
        Scatter chart = Objects.requireNonNull(RooflineChart.of(result, device));

        assertThat(chart.series()).hasSize(1);
        Points points = chart.series().getFirst();
        assertThat(points.name()).isEqualTo("GEMM");
        assertThat(points.x()).containsExactly(new double[] {1024 / 896.0}, within(1e-9));
        // The mean of 512 and 256 operations in a µs, in TFLOP/s.
        assertThat(points.y()).containsExactly(new double[] {0.000384}, within(1e-12));
        assertThat(points.weight()).containsExactly(6);
        // 896 bytes at 3.35 TB/s take 0.267 ns: 0.0134 % of 2 µs, half of that of 4.
        assertThat(points.labels())
                .containsExactly("aten::mm [[4, 8], [8, 16]]: 6.0 µs in 2 calls, 0.0 % of the roofline");
        assertThat(chart.lines()).hasSize(1);
        double peak = device.flopsPerSecond("matrix_fp32") / 1e12;
        double ridge = peak / 3.35;
        assertThat(chart.lines().getFirst().name())
                .isEqualTo("matrix_fp32: " + String.format(Locale.ROOT, "%.4g TFLOP/s", peak));
        assertThat(chart.lines().getFirst().x())
                .containsExactly(new double[] {1024 / 896.0, ridge, 2 * ridge}, within(1e-9));
        assertThat(chart.lines().getFirst().y())
                .containsExactly(new double[] {1024 / 896.0 * 3.35, peak, peak}, within(1e-9));
    }

    @Test
    void withoutADeviceThereAreNoRoofsAndWithoutWorkNoChart() {
        WorkRules rules = WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), null);
        events.op("aten::unknown", 60_000, 10_000).launch("unknown", 61_000, 400_000, 3_000, 4, 7);
        assertThat(RooflineChart.of(
                        new PerfSummary(rules, new PerfSummary.Options(false, null, null)).run(cache()), null))
                .isNull();
        events.op("aten::mm", 0, 10_000, "\"Input Dims\": [[4, 8], [8, 16]], \"Input type\": [\"float\", \"float\"]")
                .launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        Scatter chart = Objects.requireNonNull(RooflineChart.of(
                new PerfSummary(rules, new PerfSummary.Options(false, null, null)).run(cache()), null));
        assertThat(chart.lines()).isEmpty();
        assertThat(chart.series().getFirst().labels().getFirst()).endsWith("2.0 µs in 1 call");
    }

    /** 5 µs beside a copy and 1 µs alone are 6 µs of one operator, more than the 4 µs of another. */
    @Test
    void rowsThatOnlyDifferInWhatOverlappedThemStayTogether() {
        events.op("aten::mm", 0, 10_000).launch("gemm", 1_000, 100_000, 5_000, 1, 7);
        events.op("aten::copy_", 20_000, 10_000).launch("copy", 21_000, 102_000, 2_000, 2, 8);
        events.op("aten::mm", 40_000, 10_000).launch("gemm", 41_000, 200_000, 1_000, 3, 7);
        events.op("aten::add", 60_000, 10_000).launch("add", 61_000, 300_000, 4_000, 4, 7);
        WorkRules rules = WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), null);
        PerfSummary.Result result =
                new PerfSummary(rules, new PerfSummary.Options(false, OverlapRule.STANDARD, null)).run(cache());

        assertThat(result.rows())
                .extracting(row -> row.signature().name(), PerfSummary.Row::time)
                .containsExactly(
                        tuple("aten::mm", 5_000L),
                        tuple("aten::mm", 1_000L),
                        tuple("aten::add", 4_000L),
                        tuple("aten::copy_", 2_000L));
    }
}
