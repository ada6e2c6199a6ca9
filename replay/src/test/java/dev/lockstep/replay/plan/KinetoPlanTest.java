// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.replay.plan.PlannedOperator.Counts;
import dev.lockstep.replay.plan.ReplayPlan.Container;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;

class KinetoPlanTest {
    private static final String ONE =
            "\"Input Dims\": [[4,4]], \"Input type\": [\"float\"], \"Concrete Inputs\": [\"\"]";
    private static final String TWO = "\"Input Dims\": [[4,4],[4,4]], \"Input type\": [\"float\",\"float\"],"
            + " \"Concrete Inputs\": [\"\",\"\"]";

    private static String op(String name, double ts, double dur, String arguments) {
        return "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" + name + "\",\"pid\":1,\"tid\":1,\"ts\":" + ts
                + ",\"dur\":" + dur + ",\"args\":{" + arguments + "}},\n";
    }

    private static String launched(int correlation, double ts, double dur) {
        return "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":" + ts
                + ",\"dur\":0.5,\"args\":{\"correlation\":" + correlation + "}},\n"
                + "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" + (ts + 100)
                + ",\"dur\":"
                + dur + ",\"args\":{\"correlation\":" + correlation
                + ",\"device\":0,\"stream\":7,\"grid\":[2,1,1],\"block\":[64,1,1]}},\n";
    }

    private static ReplayPlan plan(String events) {
        return KinetoPlan.of(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void containersAreLeftOutAndWorkersTakeTheirBookkeepingAlong() {
        ReplayPlan plan = plan(op("aten::linear", 0, 20, TWO)
                + op("aten::t", 1, 4, ONE)
                + op("aten::transpose", 2, 2, ONE)
                + op("aten::addmm", 6, 10, TWO)
                + op("aten::expand", 7, 2, ONE)
                + op("aten::as_strided", 7.5, 1, ONE)
                + launched(1, 12, 30));

        assertThat(plan.operators()).extracting(o -> o.call().name()).containsExactly("aten::transpose", "aten::addmm");
        assertThat(plan.containers()).containsExactly(new Container("aten::linear", 1), new Container("aten::t", 1));
        PlannedOperator addmm = plan.operators().get(1);
        assertThat(addmm.counts()).isEqualTo(new Counts(1, 0, 1));
        assertThat(addmm.recorded().cpuNs()).isEqualTo(10_000);
        assertThat(addmm.recorded().deviceNs()).isEqualTo(30_000);
        assertThat(addmm.recorded().kernels())
                .containsExactly(new PlannedOperator.Kernel("k", "[2, 1, 1]", "[64, 1, 1]", 1, 30_000));
        assertThat(plan.source().basis()).isEqualTo(TimeBasis.DEVICE);
    }

    @Test
    void onTheHostAloneAnOperatorWithAKernelOfItsOwnIsTheUnit() {
        ReplayPlan plan = plan(op("aten::sum", 0, 10, ONE)
                + op("aten::sum", 1, 8, ONE)
                + op("aten::as_strided", 2, 1, ONE)
                + op("aten::fill_", 4, 1, ONE));

        assertThat(plan.operators()).hasSize(1);
        assertThat(plan.operators().getFirst().counts()).isEqualTo(new Counts(1, 0, 2));
        assertThat(plan.source().basis()).isEqualTo(TimeBasis.CPU);
    }

    @Test
    void theOrderIsThatOfTheMiddleStepOrOfAll() {
        String step =
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":9},\n";
        String calls = op("aten::mm", 1, 2, TWO)
                + op("aten::neg", 4, 2, ONE)
                + op("aten::neg", 11, 2, ONE)
                + op("aten::mm", 14, 2, TWO)
                + op("aten::neg", 17, 1, ONE)
                + op("aten::mm", 21, 2, TWO);

        assertThat(plan(calls).order()).containsExactly(0, 1, 1, 0, 1, 0);
        assertThat(plan(step.formatted(7, 0) + step.formatted(8, 10) + step.formatted(9, 20) + calls)
                        .order())
                .containsExactly(1, 0, 1);
    }

    @Test
    void equalCallsAreOneAndCountWithinSteps() {
        String step =
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":9},\n";
        ReplayPlan plan = plan(step.formatted(1, 0)
                + step.formatted(2, 10)
                + op("aten::mm", 1, 2, TWO)
                + op("aten::mm", 12, 2, TWO)
                + op("aten::mm", 30, 2, TWO)
                + op("aten::mm", 40, 2, TWO.replace("4,4", "8,8")));

        assertThat(plan.steps().count()).isEqualTo(2);
        assertThat(plan.operators())
                .extracting(PlannedOperator::counts)
                .containsExactly(new Counts(3, 2, 0), new Counts(1, 0, 0));
    }

    @Test
    void whatCannotBeRunSaysWhyAndWhatIsInsideIsLookedAtByItself() {
        ReplayPlan plan = plan(op("c10d::allreduce_", 0, 5, ONE)
                + op("record_param_comms", 1, 2, ONE)
                + op(
                        "aten::_foreach_add_",
                        10,
                        9,
                        "\"Input Dims\": [[],[]], \"Input type\": [\"TensorList\",\"TensorList\"]")
                + op("aten::result_type", 11, 1, TWO)
                + launched(3, 13, 8)
                + op("aten::mm", 30, 5, "\"External id\": 4")
                + op("triton_fused_add", 40, 5, ONE)
                + op("AddBackward0", 50, 5, ONE)
                + op("ProfilerStep#7", 60, 5, ""));

        assertThat(plan.operators())
                .extracting(o -> o.call().name(), PlannedOperator::gap)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("c10d::allreduce_", ReplayGap.COLLECTIVE),
                        org.assertj.core.groups.Tuple.tuple("aten::_foreach_add_", ReplayGap.SHAPES_MISSING),
                        org.assertj.core.groups.Tuple.tuple("aten::result_type", null),
                        org.assertj.core.groups.Tuple.tuple("aten::mm", ReplayGap.SHAPES_MISSING),
                        org.assertj.core.groups.Tuple.tuple("triton_fused_add", ReplayGap.COMPILED_CODE));
        ReplayCoverage coverage = ReplayCoverage.planned(plan);
        assertThat(coverage.calls()).isEqualTo(5);
        assertThat(coverage.callsPercent()).isEqualTo(20);
        assertThat(coverage.timePercent()).isZero();
        assertThat(coverage.gaps()).extracting(ReplayCoverage.Missing::calls).containsExactly(2L, 1L, 1L);
    }

    @Test
    void whatReachesFilesOrRunsCodeIsNeverRun() {
        ReplayPlan plan = plan(op("aten::from_file", 0, 5, ONE)
                + op("script::define", 10, 5, ONE)
                + op("script::rms_norm_backward", 20, 5, ONE)
                + op("prim::rpc_async", 30, 5, ONE)
                + op("aten::relu", 40, 5, ONE));

        assertThat(plan.operators())
                .extracting(PlannedOperator::gap)
                .containsExactly(ReplayGap.REFUSED, ReplayGap.REFUSED, null, ReplayGap.REFUSED, null);
    }

    @Test
    void theEchoOfAnOperatorIsNoOperator() {
        ReplayPlan plan = plan(op("aten::detach", 0, 5, ONE) + op("detach", 1, 2, ONE));

        assertThat(plan.operators()).extracting(o -> o.call().name()).containsExactly("aten::detach");
        assertThat(plan.operators().getFirst().counts().inside()).isZero();
    }

    @Test
    void vendorsConvolutionsHaveAnEquivalent() {
        ReplayPlan plan = plan(
                op(
                        "aten::miopen_convolution",
                        0,
                        5,
                        "\"Input Dims\": [[1,3,8,8],[6,3,3,3],[],[],[],[],[],[],[]], \"Input type\": [\"float\",\"float\",\"\","
                                + "\"ScalarList\",\"ScalarList\",\"ScalarList\",\"Scalar\",\"Scalar\",\"Scalar\"],"
                                + " \"Concrete Inputs\": [\"\",\"\",\"\",\"[1, 2]\",\"[2, 2]\",\"[3, 3]\",\"1\",\"False\",\"False\"]"));

        PlannedOperator.Call equivalent = plan.operators().getFirst().substitute();
        assertThat(equivalent).isNotNull();
        assertThat(equivalent.name()).isEqualTo("aten::convolution");
        assertThat(equivalent.arguments().subList(2, 9))
                .containsExactly(
                        Argument.NONE,
                        wholes(2, 2),
                        wholes(1, 2),
                        wholes(3, 3),
                        new Argument.Truth(false),
                        wholes(0, 0),
                        new Argument.Whole(1));
    }

    private static Argument wholes(long a, long b) {
        return new Argument.Values(List.of(new Argument.Whole(a), new Argument.Whole(b)));
    }

    @Test
    void stridedViewsReachAsFarAsTheyLook() {
        ReplayPlan plan = plan(op(
                "aten::as_strided",
                0,
                5,
                "\"Input Dims\": [[4],[],[],[]], \"Input type\": [\"float\",\"ScalarList\",\"ScalarList\",\"Scalar\"],"
                        + " \"Concrete Inputs\": [\"\",\"[3, 2]\",\"[10, 1]\",\"5\"]"));

        // 5 + 2 * 10 + 1 * 1 + 1
        assertThat(Argument.tensors(plan.operators().getFirst().call().arguments()))
                .extracting(TensorSpec::storageElements)
                .containsExactly(27L);
    }
}
