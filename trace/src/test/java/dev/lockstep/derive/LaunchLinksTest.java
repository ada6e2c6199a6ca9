// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LaunchLinksTest {
    private final EventText events = new EventText();

    private static String launchOf(Trace trace, LaunchRule rule, String kernel) {
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(rule));
        return TestTraces.name(trace, links.launchOf(slice(trace, kernel)));
    }

    @ParameterizedTest
    @EnumSource(LaunchRule.class)
    void theCallWithTheNumberIsTheLaunch(LaunchRule rule) {
        events.call("cudaLaunchKernel", 0, 10, 1).arrow(1, 0, 100, 7).kernel("k1", 100, 10, 1, 7);
        events.call("cudaMemcpyAsync", 20, 10, 2).arrow(2, 20, 200, 7).device("gpu_memcpy", "copy", 200, 10, 2, 7, "");
        events.kernel("lost", 300, 10, 9, 7);
        Trace trace = TestTraces.of(events);
        assertThat(launchOf(trace, rule, "k1")).isEqualTo("cudaLaunchKernel");
        assertThat(launchOf(trace, rule, "copy")).isEqualTo("cudaMemcpyAsync");
        assertThat(launchOf(trace, rule, "lost")).isEqualTo("-");
    }

    @Test
    void arrowsAreNeededByOneRuleOnly() {
        events.call("cudaLaunchKernel", 0, 10, 1).kernel("k", 100, 10, 1, 7);
        Trace trace = TestTraces.of(events);
        assertThat(launchOf(trace, LaunchRule.CORRELATION, "k")).isEqualTo("cudaLaunchKernel");
        assertThat(launchOf(trace, LaunchRule.FLOW_ARROWS, "k")).isEqualTo("-");
    }

    @ParameterizedTest
    @EnumSource(LaunchRule.class)
    void aGraphLaunchesManyActivities(LaunchRule rule) {
        events.call("cudaGraphLaunch", 0, 10, 5);
        for (int i = 0; i < 4; i++) {
            events.kernel("k" + i, 100 + i * 10, 5, 5, 7 + i % 2);
        }
        Trace trace = TestTraces.of(events);
        for (int i = 0; i < 4; i++) {
            assertThat(launchOf(trace, rule, "k" + i)).isEqualTo("cudaGraphLaunch");
        }
    }

    @Test
    void anArrowLeadsToTheLastActivityOnItsTrack() {
        events.call("cudaLaunchKernel", 0, 10, 5).arrow(5, 0, 100, 7);
        events.kernel("first", 100, 5, 5, 7).kernel("second", 110, 5, 5, 7).kernel("elsewhere", 120, 5, 5, 8);
        Trace trace = TestTraces.of(events);
        assertThat(launchOf(trace, LaunchRule.FLOW_ARROWS, "first")).isEqualTo("-");
        assertThat(launchOf(trace, LaunchRule.FLOW_ARROWS, "second")).isEqualTo("cudaLaunchKernel");
        assertThat(launchOf(trace, LaunchRule.FLOW_ARROWS, "elsewhere")).isEqualTo("-");
        assertThat(launchOf(trace, LaunchRule.CORRELATION, "elsewhere")).isEqualTo("cudaLaunchKernel");
    }

    @Test
    void callsThatShareANumberAreCounted() {
        events.call("cudaLaunchKernel", 0, 10, 5)
                .call("cudaLaunchKernelExC", 20, 10, 5)
                .kernel("k", 100, 5, 5, 7);
        Trace trace = TestTraces.of(events);
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        assertThat(links.ambiguous()).isEqualTo(1);
        assertThat(launchOf(trace, LaunchRule.CORRELATION, "k")).isEqualTo("cudaLaunchKernelExC");
    }

    @Test
    void ofCallsWithinEachOtherTheOutermostIsTheLaunch() {
        events.call("hipArray3DCreate", 10, 8, 5)
                .call("hipMemsetAsync", 10, 9, 5)
                .kernel("k", 30, 5, 5, 7);
        Trace trace = TestTraces.of(events);
        assertThat(launchOf(trace, LaunchRule.CORRELATION, "k")).isEqualTo("hipMemsetAsync");
    }

    @Test
    void withoutCorrelationTheExternalIdLeadsToTheInnermostOperator() {
        events.op("outer", 0, 1_000, "\"External id\": 4").op("inner", 100, 500, "\"External id\": 4");
        events.complete("kernel", "k", "0", "7", 2_000, 10, "\"stream\": 7, \"External id\": 4");
        Trace trace = TestTraces.of(events);
        assertThat(launchOf(trace, LaunchRule.CORRELATION, "k")).isEqualTo("inner");
    }

    @Test
    void correlationZeroJoinsNothing() {
        events.call("cudaLaunchKernel", 0, 10, 0).kernel("k", 100, 5, 0, 7);
        assertThat(launchOf(TestTraces.of(events), LaunchRule.CORRELATION, "k")).isEqualTo("-");
    }
}
