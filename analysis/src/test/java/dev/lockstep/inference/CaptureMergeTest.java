// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Iterations replay one graph of two kernels, which was captured inside two operators. */
class CaptureMergeTest {
    private static final CallTree.Key TREE = new CallTree.Key(Nesting.BY_TIME, true);

    private final EventText events = new EventText();

    private void replay(long at, long correlation, String... kernels) {
        events.annotation("step[DECODE bs=2]", at, 1_000).call("hipGraphLaunch", at + 100, 50, correlation);
        for (int i = 0; i < kernels.length; i++) {
            events.kernel(kernels[i], at + 200 + 100L * i, 50, correlation, 3);
        }
    }

    private static Trace capture() {
        return TestTraces.of(new EventText()
                .python("model.py(1): forward", 0, 1_000)
                .call("hipStreamBeginCapture", 10, 5, 1)
                .python("layer.py(5): run", 90, 500)
                .op("aten::mm", 100, 100, "\"Input Dims\": [[2, 8], [8, 4]]")
                .complete("cuda_runtime", "hipLaunchKernel", "1", "1", 120, 10, "\"kernel\": \"multiply\"")
                .op("aten::add", 300, 100)
                .complete("cuda_runtime", "hipLaunchKernel", "1", "1", 320, 10, "\"kernel\": \"plus\"")
                .op("aten::view", 500, 10)
                .call("hipStreamEndCapture", 900, 5, 2));
    }

    private static Trace merge(Trace trace) throws IOException {
        return merge(trace, Additions.WITHIN);
    }

    private static Trace merge(Trace trace, Additions additions) throws IOException {
        List<CapturedGraph> graphs = CapturedGraph.of(capture(), TREE, false);
        return CaptureMerge.merge(
                trace, LaunchRule.CORRELATION, (batch, launches) -> batch == 2 ? graphs : null, additions);
    }

    private static List<String> launchers(Trace trace) {
        Launchers launchers = new DerivedCache(trace)
                .get(new Launchers.Key(TREE, LaunchRule.CORRELATION, null, KernelRules.standard()));
        List<String> found = new ArrayList<>();
        for (int i = 0; i < launchers.size(); i++) {
            for (int k = 0; k < launchers.activityCount(i); k++) {
                found.add(trace.name(launchers.slice(i)) + " > " + trace.name(launchers.activity(i, k)));
            }
        }
        return found;
    }

    private static List<String> codes(Trace trace) {
        return trace.diagnostics().problems().stream().map(Entry::code).toList();
    }

    @Test
    void theCallsOfACaptureStandUnderEveryReplay() throws IOException {
        replay(0, 7, "multiply", "plus");
        replay(2_000, 8, "multiply", "plus");
        Trace trace = TestTraces.of(events);
        assertThat(launchers(trace))
                .containsExactly(
                        "hipGraphLaunch > multiply",
                        "hipGraphLaunch > plus",
                        "hipGraphLaunch > multiply",
                        "hipGraphLaunch > plus");
        Trace merged = merge(trace);
        assertThat(launchers(merged))
                .containsExactly("aten::mm > multiply", "aten::add > plus", "aten::mm > multiply", "aten::add > plus");
        assertThat(codes(merged)).isEqualTo(codes(trace));
    }

    @Test
    void copiesHaveTheArgumentsAndTheFramesOfTheCapture() throws IOException {
        replay(0, 7, "multiply", "plus");
        Trace merged = merge(TestTraces.of(events));
        int copy = TestTraces.slice(merged, "aten::mm");
        OpDetails details = merged.view(OpDetails.KEY);
        assertThat(details).isNotNull();
        assertThat(merged.strings().orNull(details.inputDims(details.of(copy)))).isEqualTo("[[2, 8], [8, 4]]");
        CallTree tree = new DerivedCache(merged).get(TREE);
        List<String> above = new ArrayList<>();
        for (int node = tree.parent(copy); node >= 0; node = tree.parent(node)) {
            above.add(merged.name(node));
        }
        assertThat(above).containsExactly("layer.py(5): run", "CaptureRoot", "hipGraphLaunch");
        assertThat(merged.slices().ts(copy)).isBetween(100L, 150L);
    }

    @Test
    void aGraphThatDoesNotFitItsCaptureStaysAsItIsAndIsCounted() throws IOException {
        replay(0, 7, "multiply", "other");
        Trace merged = merge(TestTraces.of(events));
        assertThat(launchers(merged)).containsExactly("hipGraphLaunch > multiply", "hipGraphLaunch > other");
        assertThat(codes(merged)).contains("graph_capture_unmatched");
    }

    @Test
    void graphsWithoutCaptureAndOutsideOfIterationsAreCounted() throws IOException {
        replay(0, 7, "multiply", "plus");
        events.call("hipGraphLaunch", 5_000, 50, 9).kernel("plus", 5_100, 10, 9, 3);
        Trace merged = CaptureMerge.merge(
                TestTraces.of(events), LaunchRule.CORRELATION, (batch, launches) -> null, Additions.WITHIN);
        assertThat(codes(merged)).contains("graph_capture_missing", "graph_launch_unassigned");
    }

    @ParameterizedTest
    @EnumSource(Additions.class)
    void eachOfSeveralLaunchesOfOneGraphIsFilled(Additions additions) throws IOException {
        events.annotation("step[DECODE bs=2]", 0, 4_000);
        for (int i = 0; i < 4; i++) {
            long at = 100 + 900L * i;
            events.call("hipGraphLaunch", at, 50, 7 + i)
                    .kernel("multiply", at + 100, 50, 7 + i, 3)
                    .kernel("plus", at + 200, 50, 7 + i, 3);
        }
        Trace merged = merge(TestTraces.of(events), additions);
        assertThat(launchers(merged)).hasSize(8).allMatch(text -> text.startsWith("aten::"));
        assertThat(codes(merged)).noneMatch(code -> code.startsWith("graph_"));
    }

    private static EventText captured(EventText text, long at, String operator, String... kernels) {
        text.call("hipStreamBeginCapture", at, 5, at);
        for (int i = 0; i < kernels.length; i++) {
            long start = at + 10 + 20L * i;
            text.op(operator + i, start, 18)
                    .complete(
                            "cuda_runtime",
                            "hipLaunchKernel",
                            "1",
                            "1",
                            start + 2,
                            5,
                            "\"kernel\": \"" + kernels[i] + "\"");
        }
        return text.call("hipStreamEndCapture", at + 800, 5, at + 1);
    }

    private Trace mergeWith(EventText captures) throws IOException {
        List<CapturedGraph> graphs = CapturedGraph.of(TestTraces.of(captures), TREE, false);
        return CaptureMerge.merge(
                TestTraces.of(events), LaunchRule.CORRELATION, (batch, launches) -> graphs, Additions.WITHIN);
    }

    @Test
    void aGraphIsTheOneWhoseCallsEnqueueWhatRanWhereverItWasCaptured() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::first", "multiply", "plus");
        captured(captures, 2_000, "own::second", "plus", "divide", "multiply");
        replay(0, 7, "plus", "divide", "multiply");
        assertThat(launchers(mergeWith(captures)))
                .containsExactly("own::second0 > plus", "own::second1 > divide", "own::second2 > multiply");
    }

    @Test
    void ofSeveralCapturesThatFitNoneIsTaken() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::first", "multiply", "plus");
        captured(captures, 2_000, "own::second", "multiply", "plus");
        replay(0, 7, "multiply", "plus");
        Trace merged = mergeWith(captures);
        assertThat(launchers(merged)).allMatch(text -> text.startsWith("hipGraphLaunch"));
        assertThat(codes(merged)).contains("graph_capture_ambiguous");
    }

    @Test
    void aKernelThatWasChosenAnewHasTheOperatorOfTheOneAtItsPlace() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::", "norm", "Cijk_MT128x128_A", "plus", "divide");
        replay(0, 7, "norm", "triton_tem_fused_mm_4", "plus", "divide");
        Trace merged = mergeWith(captures);
        assertThat(launchers(merged))
                .containsExactly("own::0 > norm", "own::1 > triton_tem_fused_mm_4", "own::2 > plus", "own::3 > divide");
        assertThat(merged.diagnostics().problems())
                .filteredOn(problem -> problem.code().equals("graph_kernel_replaced"))
                .extracting(Entry::count)
                .containsExactly(1L);
    }

    @Test
    void whereItCannotBeToldWhichCallAKernelHasItStaysWithTheLaunch() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::", "norm", "plus", "plus", "divide", "multiply", "softmax");
        replay(0, 7, "norm", "plus", "divide", "multiply", "softmax");
        Trace merged = mergeWith(captures);
        assertThat(launchers(merged)).contains("hipGraphLaunch > plus", "own::0 > norm", "own::3 > divide");
        assertThat(codes(merged)).contains("graph_kernel_untold");
    }

    @Test
    void whatOneLaunchLostAnotherOfTheSameGraphHas() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::", "norm", "plus", "plus", "divide");
        String[] kernels = {"norm", "plus", "plus", "divide"};
        for (int launch = 0; launch < 2; launch++) {
            long at = 3_000L * launch;
            events.annotation("step[DECODE bs=2]", at, 1_000).call("cudaGraphLaunch", at + 100, 50, 7 + launch);
            for (int i = 0; i < kernels.length; i++) {
                if (launch == 0 || i != 1) {
                    String node = "\"graph id\": 3, \"graph node id\": " + (i + 1);
                    events.device("kernel", kernels[i], at + 200 + 100L * i, 50, 7 + launch, 3, node);
                }
            }
        }
        Trace merged = mergeWith(captures);
        assertThat(launchers(merged))
                .containsExactly(
                        "own::0 > norm",
                        "own::1 > plus",
                        "own::2 > plus",
                        "own::3 > divide",
                        "own::0 > norm",
                        "own::2 > plus",
                        "own::3 > divide");
        assertThat(codes(merged)).noneMatch(code -> code.startsWith("graph_"));
    }

    /** As recorded without stacks; one kernel is launched outside of operators, and another thread works on something else. */
    @Test
    void capturesNeedNoStacks() throws IOException {
        EventText captures = captured(new EventText(), 1_000, "own::", "norm", "plus")
                .complete("cuda_runtime", "hipModuleLaunchKernel", "1", "1", 1_500, 5, "\"kernel\": \"of_a_library\"")
                .complete("cpu_op", "own::of_the_loader", "1", "2", 1_400, 50, "");
        replay(0, 7, "norm", "plus", "of_a_library");
        Trace merged = mergeWith(captures);
        assertThat(launchers(merged))
                .containsExactly("own::0 > norm", "own::1 > plus", "hipModuleLaunchKernel > of_a_library");
        assertThat(codes(merged)).noneMatch(code -> code.startsWith("graph_"));
        assertThat(IntStream.range(0, merged.slices().size()).mapToObj(merged::name))
                .doesNotContain("own::of_the_loader");
    }

    @Test
    void kernelsThatCopyAndFillAreCopiesAndFills() throws IOException {
        EventText captures = new EventText().python("model.py(1): forward", 0, 10_000);
        captured(captures, 1_000, "own::", "norm", "plus", "divide");
        captures.op("own::copy_", 1_200, 18)
                .call("hipMemcpyWithStream", 1_202, 5, 90)
                .op("own::zero_", 1_300, 18)
                .call("hipMemsetAsync", 1_302, 5, 91);
        replay(0, 7, "norm", "plus", "divide", "__amd_rocclr_copyBuffer", "__amd_rocclr_fillBufferAligned");
        assertThat(launchers(mergeWith(captures)))
                .contains("own::copy_ > __amd_rocclr_copyBuffer", "own::zero_ > __amd_rocclr_fillBufferAligned");
    }
}
