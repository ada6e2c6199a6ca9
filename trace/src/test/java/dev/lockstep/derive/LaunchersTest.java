// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LaunchersTest {
    private final EventText events = new EventText();

    private static Launchers launchers(Trace trace, @Nullable KernelClass leftOut) {
        return new DerivedCache(trace)
                .get(new Launchers.Key(
                        new CallTree.Key(Nesting.BY_TIME, false),
                        LaunchRule.CORRELATION,
                        leftOut,
                        KernelRules.standard()));
    }

    private static List<String> names(Trace trace, Launchers launchers) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < launchers.size(); i++) {
            StringBuilder text = new StringBuilder(trace.name(launchers.slice(i))).append(':');
            for (int k = 0; k < launchers.activityCount(i); k++) {
                text.append(' ').append(trace.name(launchers.activity(i, k)));
            }
            names.add(text.toString());
        }
        return names;
    }

    @Test
    void theInnermostOperatorAroundTheCallIsTheLauncher() {
        events.op("aten::linear", 0, 100_000).op("aten::mm", 10_000, 50_000);
        events.launch("gemm", 20_000, 200_000, 10_000, 1, 7).launch("bias", 70_000, 220_000, 5_000, 2, 7);
        Trace trace = TestTraces.of(events);
        Launchers launchers = launchers(trace, null);
        assertThat(names(trace, launchers)).containsExactly("aten::linear: bias", "aten::mm: gemm");
        assertThat(launchers.directBusy(trace.slices(), 0)).isEqualTo(5_000);
        assertThat(launchers.subtreeBusy(trace.slices())).startsWith(15_000, 10_000);
        assertThat(launchers.launcherOf(TestTraces.slice(trace, "gemm")))
                .isEqualTo(TestTraces.slice(trace, "aten::mm"));
    }

    @Test
    void theWrapperOfGraphsIsPassedOver() {
        events.op("forward", 0, 100_000).op("execute", 10_000, 50_000).launch("k", 20_000, 200_000, 10_000, 1, 7);
        Trace trace = TestTraces.of(events);
        assertThat(names(trace, launchers(trace, null))).containsExactly("forward: k");
    }

    @Test
    void aCallWithoutAnOperatorStandsForItself() {
        events.launch("k", 20_000, 200_000, 10_000, 1, 7).kernel("unlinked", 300_000, 10, 99, 7);
        Trace trace = TestTraces.of(events);
        assertThat(names(trace, launchers(trace, null))).containsExactly("cudaLaunchKernel: k");
    }

    @Test
    void collectivesMayBeLeftOut() {
        events.op("mm", 0, 10_000).launch("gemm", 1_000, 200_000, 10_000, 1, 7);
        events.op("c10d::allreduce_", 20_000, 10_000).launch("ncclDevKernel_AllReduce", 21_000, 210_000, 10_000, 2, 20);
        Trace trace = TestTraces.of(events);
        assertThat(names(trace, launchers(trace, null))).hasSize(2);
        assertThat(names(trace, launchers(trace, KernelClass.COMMUNICATION))).containsExactly("mm: gemm");
    }

    @Test
    void overlappingActivitiesCountOnce() {
        events.op("mm", 0, 10_000).launch("a", 1_000, 200_000, 10_000, 1, 7).launch("b", 3_000, 205_000, 10_000, 2, 8);
        Trace trace = TestTraces.of(events);
        assertThat(launchers(trace, null).directBusy(trace.slices(), 0)).isEqualTo(15_000);
    }
}
