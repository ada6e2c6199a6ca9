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
import org.junit.jupiter.api.Test;

/** Iterations replay one graph of two kernels, which was captured inside two operators. */
class CaptureMergeTest {
    private static final CallTree.Key TREE = new CallTree.Key(Nesting.BY_TIME, true);

    private final EventText events = new EventText();

    private void replay(long at, long correlation, String... kernels) {
        events.annotation("step[DECODE bs=2]", at, 1_000).call("hipGraphLaunch", at + 100, 50, correlation);
        for (int i = 0; i < kernels.length; i++) {
            events.kernel(kernels[i], at + 200 + 100 * i, 50, correlation, 3);
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
        List<CapturedGraph> graphs = CapturedGraph.of(capture(), TREE);
        return CaptureMerge.merge(
                trace, LaunchRule.CORRELATION, (batch, launches) -> batch == 2 ? graphs : null, Additions.WITHIN);
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
}
