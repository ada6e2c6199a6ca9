// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.Totals;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceDifferenceTest {
    private static final String SMALL = "\"Input Dims\": [[8, 8]], \"Input type\": [\"float\"]";
    private static final String LARGE = "\"Input Dims\": [[64, 64]], \"Input type\": [\"float\"]";

    private int correlation;

    private static TraceDifference.Result difference(Trace baseline, Trace candidate) {
        return new TraceDifference(AnalysisRules.standard())
                .run(new DerivedCache(baseline), new DerivedCache(candidate));
    }

    private static TraceDifference.Result difference(EventText baseline, EventText candidate) {
        return difference(TestTraces.of(baseline), TestTraces.of(candidate));
    }

    /** Adds an operator of 100 us at a place in line, which launches one kernel. */
    private EventText op(EventText events, String name, int place, String kernel, long duration, String args) {
        long ts = place * 100_000L;
        return events.op(name, ts, 50_000, args).launch(kernel, ts + 10_000, ts + 20_000, duration, ++correlation, 7);
    }

    private EventText op(EventText events, String name, int place, String kernel, long duration) {
        return op(events, name, place, kernel, duration, SMALL);
    }

    private static List<CauseRow> work(TraceDifference.Result result) {
        return result.causes().stream().filter(r -> r.cause().isWork()).toList();
    }

    @Test
    void theSameKernelMayTakeLonger() {
        EventText before = op(new EventText(), "aten::mm", 0, "gemm", 10_000);
        EventText after = op(new EventText(), "aten::mm", 0, "gemm", 15_000);
        TraceDifference.Result result = difference(before, after);
        assertThat(work(result)).containsExactly(new CauseRow(Cause.SAME_KERNEL, "aten::mm", 10_000, 15_000, 1, 1));
        assertThat(result.causes().getFirst().contributionNs()).isEqualTo(5_000);
    }

    /** More threads than can be compared each with each, numbered the other way round; one of them does more than before. */
    @Test
    void ofManyThreadsThoseThatDoTheSameArePaired() {
        int threads = ThreadPairs.MOST + 100;
        EventText before = new EventText();
        EventText after = new EventText();
        for (int i = 0; i < threads; i++) {
            onThread(before, i, "aten::op" + i, i, 100);
            onThread(after, threads - i, "aten::op" + i, i, 200);
        }
        onThread(after, threads - 7, "aten::further", threads, 300);

        assertThat(work(difference(before, after)))
                .hasSize(threads + 1)
                .filteredOn(row -> row.cause() != Cause.SAME_KERNEL)
                .containsExactly(new CauseRow(Cause.ONLY_CANDIDATE, "aten::further", 0, 300, 0, 1));
    }

    private void onThread(EventText events, int thread, String name, int place, long duration) {
        long ts = place * 10_000L;
        String tid = String.valueOf(thread);
        correlation++;
        events.complete("cpu_op", name, "1", tid, ts, 5_000, SMALL)
                .complete(
                        "cuda_runtime",
                        "cudaLaunchKernel",
                        "1",
                        tid,
                        ts + 1_000,
                        100,
                        "\"correlation\": " + correlation)
                .kernel("gemm", ts + 2_000, duration, correlation, 7);
    }

    @Test
    void theSameOperatorMayRunOtherKernelsInsideOtherOperators() {
        EventText before = new EventText()
                .op("aten::_convolution", 0, 90_000)
                .op("aten::cudnn_convolution", 1_000, 80_000)
                .launch("pack", 10_000, 20_000, 1_000, 1, 7)
                .launch("cudnn", 12_000, 22_000, 9_000, 2, 7);
        EventText after = new EventText()
                .op("aten::_convolution", 0, 90_000)
                .op("aten::miopen_convolution", 1_000, 80_000)
                .launch("miopen", 10_000, 20_000, 4_000, 1, 7);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.OTHER_KERNELS, "aten::_convolution", 10_000, 4_000, 2, 1));
    }

    @Test
    void furtherKernelsOfAnOperatorCountApart() {
        EventText before = op(new EventText(), "aten::mm", 0, "gemm", 10_000);
        EventText after =
                op(new EventText(), "aten::mm", 0, "gemm", 10_000).launch("reduce", 15_000, 40_000, 3_000, 99, 7);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.KERNEL_COUNT, "aten::mm", 0, 3_000, 0, 1));
    }

    @Test
    void operatorsOfOneSideAreToldFromFurtherCalls() {
        EventText before = op(op(new EventText(), "aten::mm", 0, "gemm", 10_000), "aten::old", 1, "k", 2_000);
        EventText after = op(
                op(op(new EventText(), "aten::mm", 0, "gemm", 10_000), "aten::new", 1, "k", 5_000),
                "aten::mm",
                2,
                "gemm",
                10_000);
        assertThat(work(difference(before, after)))
                .containsExactly(
                        new CauseRow(Cause.CALL_COUNT, "aten::mm", 0, 10_000, 0, 1),
                        new CauseRow(Cause.ONLY_CANDIDATE, "aten::new", 0, 5_000, 0, 1),
                        new CauseRow(Cause.ONLY_BASELINE, "aten::old", 2_000, 0, 1, 0));
    }

    @Test
    void operatorsWithInputsOfTheSameShapesArePairedBeforeOthers() {
        EventText before = op(op(new EventText(), "aten::mm", 0, "a", 10_000, LARGE), "aten::mm", 1, "b", 1_000);
        EventText after = op(new EventText(), "aten::mm", 0, "a", 10_000, LARGE);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.CALL_COUNT, "aten::mm", 1_000, 0, 1, 0));
    }

    @Test
    void aFurtherWrapperIsLookedThrough() {
        EventText before = op(new EventText(), "aten::addmm", 0, "gemm", 10_000);
        EventText after = new EventText().op("aten::linear", 0, 60_000);
        after.op("aten::addmm", 1_000, 50_000, SMALL).launch("gemm", 10_000, 20_000, 12_000, 1, 7);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.SAME_KERNEL, "aten::addmm", 10_000, 12_000, 1, 1));
    }

    @Test
    void callsOfTheRuntimesOfTwoVendorsAreOne() {
        EventText before = new EventText().call("cudaLaunchKernel", 0, 1_000, 1).kernel("a", 5_000, 1_000, 1, 7);
        EventText after = new EventText().call("hipLaunchKernel", 0, 1_000, 1).kernel("b", 5_000, 4_000, 1, 7);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.OTHER_KERNELS, "LaunchKernel", 1_000, 4_000, 1, 1));
    }

    @Test
    void activityWithoutALaunchStandsUnderItsOwnName() {
        EventText before = new EventText().kernel("graph_node", 0, 1_000, 1, 7);
        EventText after = new EventText().kernel("graph_node", 0, 3_000, 1, 7);
        assertThat(work(difference(before, after)))
                .containsExactly(new CauseRow(Cause.UNLINKED, "graph_node", 1_000, 3_000, 1, 1));
    }

    @Test
    void gapsAndOverlapsCompleteTheDifference() {
        EventText before = op(op(new EventText(), "aten::mm", 0, "gemm", 10_000), "aten::add", 1, "add", 5_000);
        EventText after = op(new EventText(), "aten::mm", 0, "gemm", 10_000);
        after.op("aten::add", 30_000, 5_000, SMALL).launch("add", 31_000, 25_000, 5_000, 50, 8);
        TraceDifference.Result result = difference(before, after);
        assertThat(result.baseline()).isEqualTo(new Totals(15_000, 0, 90_000));
        assertThat(result.candidate()).isEqualTo(new Totals(15_000, 5_000, 0));
        assertThat(result.causes())
                .containsExactly(
                        new CauseRow(Cause.IDLE, "unrecorded", 50_000, 0, 1, 0),
                        new CauseRow(Cause.IDLE, "operator", 30_000, 0, 1, 0),
                        new CauseRow(Cause.IDLE, "launch_latency", 9_000, 0, 1, 0),
                        new CauseRow(Cause.OVERLAP, null, 0, 5_000, 0, 0),
                        new CauseRow(Cause.IDLE, "launching", 1_000, 0, 1, 0));
        assertThat(result.causes().stream().mapToLong(CauseRow::contributionNs).sum())
                .isEqualTo(-95_000);
    }

    @Test
    void threadsArePairedByWhatTheyDo() {
        EventText before = op(new EventText(), "aten::mm", 0, "gemm", 10_000);
        before.complete("cpu_op", "AddBackward", "1", "2", 200_000, 50_000, "");
        before.complete("cuda_runtime", "cudaLaunchKernel", "1", "2", 210_000, 1_000, "\"correlation\": 70");
        before.kernel("add", 220_000, 5_000, 70, 7);
        EventText after = new EventText();
        after.complete("cpu_op", "AddBackward", "1", "5", 0, 50_000, "");
        after.complete("cuda_runtime", "cudaLaunchKernel", "1", "5", 10_000, 1_000, "\"correlation\": 70");
        after.kernel("add", 20_000, 6_000, 70, 7);
        op(after, "aten::mm", 3, "gemm", 12_000);
        assertThat(work(difference(before, after)))
                .containsExactly(
                        new CauseRow(Cause.SAME_KERNEL, "aten::mm", 10_000, 12_000, 1, 1),
                        new CauseRow(Cause.SAME_KERNEL, "AddBackward", 5_000, 6_000, 1, 1));
    }

    @Test
    void framesOfPythonOnOneSideChangeNothing() {
        EventText before = op(op(new EventText(), "aten::mm", 0, "gemm", 10_000), "aten::add", 1, "add", 5_000);
        EventText after = new EventText().python("train.py(1): step", 0, 900_000);
        op(op(after, "aten::mm", 0, "gemm", 10_000), "aten::add", 1, "add", 5_000);
        assertThat(difference(before, after).isEmpty()).isTrue();
    }

    @Test
    void counterpartsOfActivitiesAreThoseOfTheirOperators() {
        EventText before = op(new EventText(), "aten::mm", 0, "gemm", 10_000);
        Trace after = TestTraces.of(op(new EventText(), "aten::mm", 0, "other_gemm", 15_000));
        IntList activity = new IntList(1);
        activity.add(TestTraces.slice(after, "other_gemm"));
        assertThat(difference(TestTraces.of(before), after).counterparts().of(activity))
                .isEqualTo(new Counterparts.Counterpart(1, 10_000, 15_000));
        assertThat(difference(TestTraces.of(before), after).counterparts().of(new IntList(1)))
                .isNull();
    }

    static Stream<TraceRecipe> recipes() {
        TraceRecipe small = SyntheticTraces.smallRecipe(2);
        return Stream.of(
                small,
                small.withSteps(3),
                small.withPythonStacks(true),
                small.withLayers(3),
                small.withVendor(Vendor.ROCM),
                small.withSeed(small.seed() + 1));
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void aTraceDoesNotDifferFromItself(TraceRecipe recipe) {
        Trace trace = SyntheticTraces.synthetic(recipe, 0);
        TraceDifference.Result result = difference(trace, trace);
        assertThat(result.isEmpty()).isTrue();
        assertThat(result.ops()).isNotEmpty().allMatch(r -> r.matched() == r.candidateCalls());
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void contributionsAddUpAndTurnRoundWithTheTraces(TraceRecipe recipe) {
        Trace one = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2).withSeed(99), 0);
        Trace two = SyntheticTraces.synthetic(recipe, 1);
        TraceDifference.Result there = difference(one, two);
        TraceDifference.Result back = difference(two, one);
        long total = there.candidate().span() - there.baseline().span();
        long work = there.candidate().work() - there.baseline().work();
        assertThat(sum(there.causes())).isEqualTo(total);
        assertThat(sum(work(there))).isEqualTo(work);
        assertThat(there.ops().stream()
                        .mapToLong(TraceDifference.OpRow::differenceNs)
                        .sum())
                .isEqualTo(work);
        assertThat(there.kernels().stream()
                        .mapToLong(TraceDifference.KernelRow::differenceNs)
                        .sum())
                .isEqualTo(work);
        assertThat(sum(back.causes())).isEqualTo(-total);
        assertThat(sum(work(back))).isEqualTo(-work);
        assertThat(back.baseline()).isEqualTo(there.candidate());
    }

    private static long sum(List<CauseRow> causes) {
        return causes.stream().mapToLong(CauseRow::contributionNs).sum();
    }

    @Test
    void theOrderOfEventsInTheFilesChangesNothing() {
        EventText before = new EventText();
        EventText after = new EventText();
        for (int i = 0; i < 40; i++) {
            op(before, "op" + i % 5, i, "k" + i % 3, 1_000 + i);
            op(after, "op" + i % 7, i, "k" + i % 4, 1_000 + i * 2L);
        }
        List<Table> wanted = difference(before, after).tables();
        List<Table> shuffled = difference(before.shuffled(1), after.shuffled(2)).tables();
        assertThat(cells(shuffled)).isEqualTo(cells(wanted));
    }

    private static List<String> cells(List<Table> tables) {
        return tables.stream()
                .flatMap(t -> java.util.stream.IntStream.range(0, t.rows()).mapToObj(row -> row(t, row)))
                .toList();
    }

    private static String row(Table table, int row) {
        StringBuilder text = new StringBuilder(table.name());
        for (int column = 0; column < table.schema().size(); column++) {
            text.append('|')
                    .append(new dev.lockstep.write.CellText(table, column, dev.lockstep.write.CellStyle.PLAIN).at(row));
        }
        return text.toString();
    }

    /** Whatever a row says of times, its places say, too; of idle time the gaps are places, which several things fill. */
    @Test
    void thePlacesOfARowAddUpToItsTimes() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withSteps(1).withStraggler(1, 1.3);
        TraceDifference.Result result =
                difference(SyntheticTraces.synthetic(recipe, 0), SyntheticTraces.synthetic(recipe.withSteps(2), 1));
        List<Evidence> kernels = result.places("diff_kernels");
        assertThat(kernels).hasSameSizeAs(result.kernels());
        for (int row = 0; row < kernels.size(); row++) {
            TraceDifference.KernelRow kernel = result.kernels().get(row);
            assertTimes(kernels.get(row), kernel.baselineNs(), kernel.candidateNs());
        }
        List<Evidence> causes = result.places("diff_causes");
        assertThat(causes).hasSameSizeAs(result.causes());
        for (int row = 0; row < causes.size(); row++) {
            CauseRow cause = result.causes().get(row);
            boolean overlap = cause.cause() == Cause.OVERLAP;
            assertThat(causes.get(row).isEmpty()).isEqualTo(overlap);
            if (cause.cause() != Cause.IDLE) {
                assertTimes(causes.get(row), overlap ? 0 : cause.baselineNs(), overlap ? 0 : cause.candidateNs());
            }
        }
        Evidence.Pairs pairs =
                (Evidence.Pairs) result.places("diff_matched_ops").getFirst();
        assertThat(pairs.count()).isEqualTo(result.pairs().getFirst().pairs());
        assertThat(result.places("diff_ops")).hasSameSizeAs(result.ops());
        Evidence.Pair whole = ((Evidence.Pairs) result.places("diff_totals").getFirst())
                .pairs()
                .getFirst();
        assertThat(length(whole.baseline())).isEqualTo(result.baseline().span());
        assertThat(length(whole.candidate())).isEqualTo(result.candidate().span());
    }

    private static void assertTimes(Evidence places, long baseline, long candidate) {
        List<Evidence.Pair> pairs = ((Evidence.Pairs) places).pairs();
        assertThat(pairs.stream().mapToLong(pair -> length(pair.baseline())).sum())
                .isEqualTo(baseline);
        assertThat(pairs.stream().mapToLong(pair -> length(pair.candidate())).sum())
                .isEqualTo(candidate);
    }

    private static long length(Evidence.@Nullable Place place) {
        return place == null ? 0 : place.length();
    }
}
