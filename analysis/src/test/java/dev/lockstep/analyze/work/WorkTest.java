// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.StackRule;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.PerfSummary.Row;
import dev.lockstep.analyze.work.WorkCoverage.Part;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkTest {
    /** (4 x 8) times (8 x 16): 1024 operations, 4 (32 + 128 + 64) = 896 bytes. */
    private static final String MM =
            "\"Input Dims\": [[4, 8], [8, 16]], \"Input type\": [\"float\", \"float\"], \"Input Strides\": [[8, 1],"
                    + " [16, 1]], \"Concrete Inputs\": [\"\", \"\"]";

    private static final PerfSummary.Options PLAIN = new PerfSummary.Options(false, null, null);

    private final EventText events = new EventText();

    private static WorkRules rules(boolean python) {
        return WorkRules.standard(
                AnalysisRules.standard().withPython(python), OpModels.standard(), Device.named("H100"));
    }

    private static PerfSummary.Result perf(Trace trace, PerfSummary.Options options) {
        return new PerfSummary(rules(options.stacks() != null), options).run(new DerivedCache(trace));
    }

    private static Row row(PerfSummary.Result result, String name) {
        return result.rows().stream()
                .filter(r -> r.signature().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void workAndRatesOfAProductAreThoseOfTheFormula() {
        events.op("aten::mm", 0, 10_000, MM).launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::mm", 20_000, 10_000, MM).launch("gemm", 21_000, 200_000, 4_000, 2, 7);
        Row mm = row(perf(TestTraces.of(events), PLAIN), "aten::mm");
        Work work = Objects.requireNonNull(mm.figures().work());
        assertThat(work.flops()).isEqualTo(1024);
        assertThat(work.bytes()).isEqualTo(896);
        assertThat(work.computeSpec()).isEqualTo("matrix_fp32");
        assertThat(mm.modelled()).isTrue();
        assertThat(mm.time()).isEqualTo(6_000);
        assertThat(mm.figures().flopsPerSecond().max()).isCloseTo(1024 / 2e-6, within(1.0));
        assertThat(mm.figures().flopsPerSecond().mean()).isCloseTo((1024 / 2e-6 + 1024 / 4e-6) / 2, within(1.0));
        assertThat(mm.figures().bytesPerSecond().min()).isCloseTo(896 / 4e-6, within(1.0));
        double least = 896 / 3.35e12 * 1e9;
        assertThat(mm.figures().percentOfRoofline().max()).isCloseTo(100 * least / 2_000, within(1e-6));
        assertThat(mm.hostTime().sum()).isEqualTo(20_000);
    }

    @Test
    void theOutermostOperatorWithAModelStandsForAllInsideAndTheRestStandsAlone() {
        events.op("aten::matmul", 0, 90_000);
        events.op("aten::mm", 10_000, 30_000, MM).launch("gemm", 11_000, 100_000, 2_000, 1, 7);
        events.op("aten::copy_", 20_000, 10_000).launch("copy", 21_000, 110_000, 500, 2, 7);
        events.launch("odd", 50_000, 120_000, 300, 3, 7);
        PerfSummary.Result result = perf(TestTraces.of(events), PLAIN);
        assertThat(result.rows())
                .extracting(r -> r.signature().name())
                .containsExactly("aten::mm", "aten::matmul->odd (Synthetic Op)");
        assertThat(row(result, "aten::mm").time()).isEqualTo(2_500);
        assertThat(row(result, "aten::matmul->odd (Synthetic Op)").modelled()).isFalse();
    }

    @Test
    void aBackwardOperatorGetsItsFiguresFromTheForwardOne() {
        String tensor = "[1, 2, 16, 8]";
        String attention = "\"Input Dims\": [" + tensor + ", " + tensor + ", " + tensor + ", [], [], [], []], \"Input"
                + " type\":"
                + " [\"c10::BFloat16\","
                + " \"c10::BFloat16\","
                + " \"c10::BFloat16\","
                + " \"Scalar\", \"Scalar\","
                + " \"Scalar\", \"Scalar\"],"
                + " \"Concrete Inputs\":"
                + " [\"\", \"\", \"\", \"0.\","
                + " \"False\", \"False\","
                + " \"0.125\"], \"Sequence"
                + " number\": 5";
        String name = "ScaledDotProductFlashAttentionBackward0";
        events.op("aten::_scaled_dot_product_flash_attention", 0, 10_000, attention)
                .launch("flash", 1_000, 100_000, 2_000, 1, 7);
        events.complete(
                "cpu_op",
                "autograd::engine::evaluate_function: " + name,
                "1",
                "2",
                200_000,
                50_000,
                "\"Sequence number\": 5");
        events.complete("cpu_op", name, "1", "2", 201_000, 40_000, "\"Sequence number\": 5");
        events.complete("cuda_runtime", "cudaLaunchKernel", "1", "2", 210_000, 1_000, "\"correlation\": 3");
        events.kernel("flash_backward", 300_000, 7_000, 3, 7);
        PerfSummary.Result result = perf(TestTraces.of(events), PLAIN);
        Row backward = row(result, name);
        assertThat(backward.modelled()).isTrue();
        assertThat(backward.signature().category()).isEqualTo("SDPA_bwd");
        assertThat(backward.time()).isEqualTo(7_000);
        Work forward = Objects.requireNonNull(row(result, "aten::_scaled_dot_product_flash_attention")
                .figures()
                .work());
        assertThat(Objects.requireNonNull(backward.figures().work()).flops()).isEqualTo(forward.flops() * 2.5);
    }

    @Test
    void whatOverlapsIsNamedAndMeasured() {
        events.op("aten::mm", 0, 10_000, MM).launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::other", 20_000, 10_000).launch("other", 21_000, 101_500, 3_000, 2, 8);
        PerfSummary.Result result =
                perf(TestTraces.of(events), new PerfSummary.Options(false, OverlapRule.STANDARD, null));
        Overlapping mm = Objects.requireNonNull(row(result, "aten::mm").overlapping());
        assertThat(mm.names()).containsExactly("other");
        assertThat(mm.share().mean()).isCloseTo(25, within(1e-9));
        assertThat(mm.kernels().getFirst().durations().sum()).isEqualTo(3_000);
        Overlapping other = Objects.requireNonNull(row(result, "aten::other").overlapping());
        assertThat(other.share().mean()).isCloseTo(100 * 500 / 3_000.0, within(1e-9));
    }

    @Test
    void whatOverlapsAnOperatorSeveralTimesCountsWithItsMean() {
        events.op("aten::mm", 0, 10_000, MM).launch("gemm", 1_000, 100_000, 10_000, 1, 7);
        events.op("aten::other", 20_000, 20_000)
                .launch("other", 21_000, 101_000, 1_000, 2, 8)
                .launch("other", 23_000, 104_000, 4_000, 3, 8);
        PerfSummary.Result result =
                perf(TestTraces.of(events), new PerfSummary.Options(false, OverlapRule.STANDARD, null));
        Overlapping mm = Objects.requireNonNull(row(result, "aten::mm").overlapping());
        assertThat(mm.share().mean()).isCloseTo(100 * 5_000 / 10_000.0, within(1e-9));
        KernelPosition other = mm.kernels().getFirst();
        assertThat(other.durations().count()).isEqualTo(1);
        assertThat(other.durations().sum()).isEqualTo((1_000 + 4_000) / 2);
    }

    @Test
    void rowsWithOverlapsDoNotDependOnTheOrderInTheFile() {
        events.op("aten::later", 20_000, 10_000).launch("later", 21_000, 101_000, 2_000, 2, 8);
        events.op("aten::earlier", 0, 10_000).launch("earlier", 1_000, 100_000, 2_000, 1, 7);
        PerfSummary.Result result =
                perf(TestTraces.of(events), new PerfSummary.Options(false, OverlapRule.STANDARD, null));
        assertThat(result.rows().stream().map(r -> r.signature().name()))
                .containsExactly("aten::earlier", "aten::later");
    }

    @Test
    void callStacksLeadFromTheProgramToTheKernel() {
        events.python("lab/train.py(3): step", 0, 90_000).python("nn.Module: Linear_0", 1_000, 80_000);
        events.op("aten::mm", 10_000, 30_000, MM).launch("gemm", 11_000, 100_000, 2_000, 1, 7);
        PerfSummary.Result result =
                perf(TestTraces.of(events), new PerfSummary.Options(false, null, StackRule.STANDARD));
        PerfSummary.CallSite site =
                Objects.requireNonNull(row(result, "aten::mm").site());
        assertThat(site.entryPoint()).isEqualTo("lab/train.py(3): step");
        assertThat(site.stack())
                .isEqualTo("[\"lab/train.py(3): step\", \"nn.Module: Linear_0\", \"aten::mm\", \"gemm\"]");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void partsOfTheDeviceTimeAddUpAndPercentagesMakeAHundred(long seed) {
        Trace trace = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2).withSeed(seed), 0);
        DerivedCache cache = new DerivedCache(trace);
        WorkCoverage.Result coverage = new WorkCoverage(rules(false)).run(cache);
        Slices slices = trace.slices();
        long total = 0;
        for (int i = 0; i < slices.size(); i++) {
            total += slices.kind(i).isDeviceActivity() ? slices.dur(i) : 0;
        }
        assertThat(coverage.total()).isEqualTo(total);
        assertThat(coverage.byFamily().stream()
                        .mapToLong(WorkCoverage.Row::time)
                        .sum())
                .isEqualTo(total);
        assertThat(coverage.notModelled().stream()
                        .mapToLong(WorkCoverage.Row::time)
                        .sum())
                .isEqualTo(coverage.time(Part.NOT_MODELLED)
                        + coverage.time(Part.INCOMPLETE)
                        + coverage.time(Part.NO_SHAPES));
        assertThat(coverage.time(Part.MODELLED)).isPositive();
        Table sheet = new PerfSummary(rules(false), PLAIN).run(cache).tables().getFirst();
        int percent = sheet.schema().indexOf("Percentage (%)");
        double sum = 0;
        for (int i = 0; i < sheet.rows(); i++) {
            sum += sheet.doubles(percent).get(i);
        }
        assertThat(sum).isCloseTo(100, within(1e-6));
    }

    /** PyTorch 1 wrote no shapes of lists. */
    @Test
    void listsWithoutShapesAreNotWithoutAModel() {
        EventText events = new EventText();
        String[] inputs = {
            "\"Input Dims\": [[], []], \"Input type\": [\"TensorList\", \"Scalar\"]",
            "\"Input Dims\": [[[4, 8], [4, 8]], []], \"Input type\": [\"TensorList\", \"Scalar\"]",
            "\"Input Dims\": [[4, 8], []], \"Input type\": [\"float\", \"Scalar\"]"
        };
        for (int i = 0; i < inputs.length; i++) {
            events.op(i == 2 ? "my::own" : "aten::cat", 10_000L * i, 5_000, inputs[i])
                    .launch("k", 10_000L * i + 100, 10_000L * i + 2_000, 1_000, i + 1, 7);
        }

        WorkCoverage.Result coverage = new WorkCoverage(rules(false)).run(new DerivedCache(TestTraces.of(events)));

        assertThat(coverage.time(Part.NO_SHAPES)).isZero();
        assertThat(coverage.notModelled())
                .extracting(WorkCoverage.Row::part, WorkCoverage.Row::family, WorkCoverage.Row::missing)
                .containsExactly(
                        tuple(Part.NOT_MODELLED, "my::own", ""),
                        tuple(Part.INCOMPLETE, "aten::cat", "the element type of a list is not recorded"),
                        tuple(Part.INCOMPLETE, "aten::cat", "the shapes of a list were not recorded"));
    }

    @Test
    void theResultOfAnOperatorHasTheShapeOfItsGradient() {
        String number = "\"Sequence number\": 7";
        String lists = ", \"Input Dims\": [[], []], \"Input type\": [\"TensorList\", \"Scalar\"]";
        String gradient = ", \"Input Dims\": [[6, 4]], \"Input type\": [\"float\"]";
        events.op("aten::cat", 0, 5_000, number + lists).launch("concatenates", 100, 20_000, 1_000, 1, 7);
        events.complete("cpu_op", "autograd::engine::evaluate_function: CatBackward0", "1", "2", 10_000, 5_000, number);
        events.complete("cpu_op", "CatBackward0", "1", "2", 10_100, 4_000, number + gradient);

        Row cat = row(perf(TestTraces.of(events), PLAIN), "aten::cat");

        assertThat(Objects.requireNonNull(cat.figures().work()).bytes()).isEqualTo(2 * 24 * 4);
    }

    /** Of a copy nothing is left to be known; of what was launched before the recording began, nothing can be. */
    @Test
    void copiesAreNoWorkThatAModelLacks() {
        events.op("my::own", 0, 5_000, MM).launch("k", 100, 20_000, 1_000, 1, 7);
        events.op("my::copies", 10_000, 5_000, MM)
                .call("cudaMemcpyAsync", 10_100, 1_000, 2)
                .device("gpu_memcpy", "Memcpy DtoD", 30_000, 3_000, 2, 7, "");
        events.device("gpu_memset", "Memset (Device)", 40_000, 500, 99, 7, "");

        WorkCoverage.Result coverage = new WorkCoverage(rules(false)).run(new DerivedCache(TestTraces.of(events)));

        assertThat(coverage.time(Part.COPY)).isEqualTo(3_500);
        assertThat(coverage.time(Part.NOT_MODELLED)).isEqualTo(1_000);
        assertThat(coverage.time(Part.NO_LAUNCH)).isZero();
        assertThat(coverage.notModelled()).extracting(WorkCoverage.Row::family).containsExactly("my::own");
    }

    @Test
    void everyActivityWithALaunchBelongsToOneOperator() {
        Trace trace = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2), 1);
        DerivedCache cache = new DerivedCache(trace);
        PerfEvents operators = cache.get(new PerfEvents.Key(rules(false)));
        int n = cache.get(rules(false).activity()).size();
        int[] owners = new int[n];
        for (int i = 0; i < operators.size(); i++) {
            for (int k = operators.from(i); k < operators.to(i); k++) {
                owners[k]++;
            }
        }
        assertThat(owners).containsOnly(1);
    }

    @Test
    void familiesTellOperatorsApartByTheirParameters() {
        events.op("aten::mm", 0, 10_000, MM).launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::mm", 20_000, 10_000, MM).launch("gemm", 21_000, 200_000, 4_000, 2, 7);
        events.op("aten::mm", 40_000, 10_000, MM.replace("[4, 8]", "[2, 8]"))
                .launch("gemm", 41_000, 300_000, 1_000, 3, 7);
        FamilySummary.Result result = new FamilySummary(
                        rules(false), FamilySummary.Layout.standard(), false, false, null)
                .run(new DerivedCache(TestTraces.of(events)));
        assertThat(result.sheets()).extracting(FamilySummary.Sheet::name).containsExactly("GEMM");
        List<FamilySummary.Row> rows = result.sheets().getFirst().rows();
        assertThat(rows).extracting(FamilySummary.Row::time).containsExactly(6_000L, 1_000L);
        assertThat(result.sheets().getFirst().parameters()).contains("M", "N", "K");
        Table table = result.tables().getFirst();
        int m = table.schema().indexOf("param: M");
        assertThat(table.longs(m).get(0)).isEqualTo(4);
        assertThat(table.longs(m).get(1)).isEqualTo(2);
    }

    /** Each operator has all kernels inside of it, so that all that are looked at would grow with the square. */
    @Test
    void operatorsInsideOfVeryManyWithModelsHaveNone() {
        int depth = 150;
        for (int i = 0; i < depth; i++) {
            events.op("aten::mm", i, 10_000 - 2 * i, MM);
        }
        for (int i = 0; i < depth; i++) {
            events.launch("gemm", 5_000 + i, 100_000 + 10 * i, 10, i + 1, 7);
        }
        DerivedCache cache = new DerivedCache(TestTraces.of(events));
        FamilySummary.Row row = new FamilySummary(rules(false), FamilySummary.Layout.standard(), false, false, null)
                .run(cache)
                .sheets()
                .getFirst()
                .rows()
                .getFirst();
        assertThat(row.figures().kernelTime().count()).isEqualTo(100);
        assertThat(row.figures().kernelTime().min()).isEqualTo(10L * depth);
    }

    @Test
    void pointsOfTheRooflineChartLieBeneathItsRoofs() {
        events.op("aten::mm", 0, 10_000, MM).launch("gemm", 1_000, 100_000, 2_000, 1, 7);
        events.op("aten::unknown", 20_000, 10_000).launch("unknown", 21_000, 200_000, 4_000, 2, 7);
        PerfSummary.Result result = perf(TestTraces.of(events), PLAIN);
        Scatter chart = Objects.requireNonNull(RooflineChart.of(result, Device.named("H100")));
        assertThat(chart.series()).hasSize(1);
        assertThat(chart.series().getFirst().x()[0]).isCloseTo(1024 / 896.0, within(1e-9));
        assertThat(chart.series().getFirst().y()[0]).isCloseTo(1024 / 2e-6 / 1e12, within(1e-9));
        assertThat(chart.lines()).hasSize(1);
        assertThat(chart.lines().getFirst().name()).startsWith("matrix_fp32");
        Scatter bare = Objects.requireNonNull(RooflineChart.of(result, null));
        assertThat(bare.lines()).isEmpty();
    }
}
