// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.StepsByRank.Step;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnTimesTest {
    private static final long US = 1_000;

    /** Steps of 300 us: the host loads data, then computes from the 100th on for 80 us, then all reduce until the 270th. */
    private static List<Step> steps(long loading) {
        EventText events = new EventText();
        for (int step = 0; step < 3; step++) {
            long at = 300 * US * step;
            int id = 10 * step + 1;
            long begin = at + 100 * US + loading;
            events.annotation("ProfilerStep#" + step, at, 290 * US)
                    .call("cudaLaunchKernel", begin - 10 * US, US, id)
                    .kernel("compute", begin, 80 * US, id, 7)
                    .call("cudaLaunchKernel", begin - 5 * US, US, id + 1)
                    .kernel(
                            "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                            begin + 80 * US,
                            at + 270 * US - begin - 80 * US,
                            id + 1,
                            20);
        }
        return OwnTimesTest.of(events);
    }

    private static List<Step> of(EventText events) {
        return new ArrayList<>(
                KeptRank.withoutPart(new DerivedCache(TestTraces.of(events))).steps());
    }

    /** In every step, the last one too: the first begins with its mark, the others with the end of the one before. */
    @Test
    void loadingBeforeTheFirstKernelBelongsToTheStep() {
        List<Step> quick = steps(0);
        List<Step> slow = steps(50 * US);

        assertThat(quick).extracting(Step::own).containsExactly(200 * US, 210 * US, 210 * US);
        assertThat(slow).extracting(Step::own).containsExactly(250 * US, 260 * US, 260 * US);
        assertThat(slow).extracting(Step::period).containsExactly(290 * US, 300 * US, 300 * US);
    }

    /** What is exposed of the communication of a step while the next has begun counts once. */
    @Test
    void communicationThatRunsIntoTheNextStepIsTakenOffOnce() {
        EventText events = new EventText();
        for (int step = 0; step < 2; step++) {
            long at = 100 * US * step;
            int id = 10 * step + 1;
            events.annotation("ProfilerStep#" + step, at, 100 * US)
                    .call("cudaLaunchKernel", at, US, id)
                    .kernel("compute", at + (step == 0 ? 0 : 40) * US, 10 * US, id, 7)
                    .call("cudaLaunchKernel", at + US, US, id + 1)
                    .kernel(
                            "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                            at + (step == 0 ? 10 : 50) * US,
                            130 * US - (step == 0 ? 0 : 40 * US),
                            id + 1,
                            20);
        }

        assertThat(of(events)).extracting(Step::own).containsExactly(10 * US, 10 * US);
    }

    /** Behind the last kernel of its step, and of the whole recording. */
    @Test
    void whatIsDoneAtTheEndBelongsToTheStep() {
        EventText events = new EventText();
        for (int step = 0; step < 2; step++) {
            long at = 300 * US * step;
            events.annotation("ProfilerStep#" + step, at, 290 * US)
                    .call("cudaLaunchKernel", at, US, step + 1)
                    .kernel("compute", at + 10 * US, 80 * US, step + 1, 7);
        }

        assertThat(of(events)).extracting(Step::own).containsExactly(290 * US, 300 * US);
    }
}
