// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComputeGapsTest {
    private static final long US = 1_000;
    private static final int KERNELS = 300;

    private final EventText events = new EventText();

    /** Steps that count how often one is looked at. */
    private static final class Counted extends AbstractList<Step> {
        private final List<Step> steps;
        private long looks;

        Counted(List<Step> steps) {
            this.steps = steps;
        }

        @Override
        public Step get(int i) {
            looks++;
            return steps.get(i);
        }

        @Override
        public int size() {
            return steps.size();
        }
    }

    private List<ComputeGaps.Row> gaps(List<Step> steps, long end) {
        DerivedCache cache = new DerivedCache(TestTraces.of(events));
        GraphBuilder builder = new GraphBuilder();
        RankGraph rank = RankGraph.of(cache, AnalysisRules.standard(), new int[0], builder);
        return ComputeGaps.of(builder.build(), rank, steps, 0, end);
    }

    /** A kernel of 4 us every 10 us on each of two devices, the second 5 us later. */
    private void kernels(long from) {
        for (int i = 0; i < KERNELS; i++) {
            long at = from + 10L * i * US;
            events.launch("a", at, at + 2 * US, 4 * US, i + 1, 7)
                    .call("cudaLaunchKernel", at + 5 * US, US, 1_000 + i)
                    .complete(
                            "kernel",
                            "b",
                            "1",
                            "7",
                            at + 7 * US,
                            4 * US,
                            "\"device\": 1, \"stream\": 7, \"correlation\": " + (1_000 + i));
        }
    }

    @Test
    void everyStepIsLookedAtAFewTimesHoweverManyGapsLieBehindIt() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < KERNELS; i++) {
            steps.add(new Step(i, i * US, i * US + US / 2));
        }
        long from = KERNELS * US;
        kernels(from);
        Counted counted = new Counted(steps);
        gaps(counted, from + 10L * KERNELS * US);

        long gaps = 2L * (KERNELS + 1);
        assertThat(counted.looks).isLessThan(4 * (2L * steps.size() + 3 * gaps));
    }

    @Test
    void gapsOfEachDeviceAreCutAtEveryBound() {
        kernels(0);
        long end = 10L * KERNELS * US;
        List<Step> steps = List.of(new Step(4, 5 * US, 20 * US), new Step(5, 20 * US, end - 5 * US));
        long[][] times = new long[2][3];
        for (ComputeGaps.Row row : gaps(steps, end)) {
            times[row.key().device().equals("0") ? 0 : 1][row.key().step() + 1] += row.time() / US;
        }

        // of every 10 us, device 0 computes from 2 to 6, device 1 from 7 to 11; idle in 0-5 and the last 5, 5-20,
        // between
        assertThat(times[0]).containsExactly(2 + 4, 6 + 4, 6L * (KERNELS - 2) - 4);
        assertThat(times[1]).containsExactly(5 + 2, 2 + 6, 6L * (KERNELS - 2) - 2);
    }

    /**
     * A copy of 5 us waits for a collective of 4 ms on another stream, and computation for the copy; the signal from stream to
     * stream takes 18 us, as it does on some devices.
     */
    private void copyBehindACollective() {
        events.launch("a", 0, 10 * US, 90 * US, 1, 7)
                .launch("ncclDevKernel_AllReduce_Sum_f32", 2 * US, 102 * US, 4_000 * US, 2, 20)
                .call("cudaMemcpyAsync", 4 * US, US, 3)
                .device("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 4_120 * US, 5 * US, 3, 7, "")
                .launch("b", 6 * US, 4_126 * US, 50 * US, 4, 7);
    }

    @Test
    void whatACopyWaitedForItselfIsNotHeldUpByTheCopy() {
        copyBehindACollective();
        ComputeGaps.Row gap = gaps(List.of(), 4_176 * US).getFirst();

        assertThat(gap.key().cause()).isEqualTo(GapCause.BLOCKED_BY_COPY);
        assertThat(gap.time()).isEqualTo(4_026 * US);
        assertThat(gap.held().communication()).isBetween(4_000 * US, 4_020 * US);
        assertThat(gap.held().copies()).isBetween(5 * US, 6 * US);
    }

    @Test
    void aGapsPartsThatAreHeldUpAreCutAtSteps() {
        copyBehindACollective();
        long held = 0;
        long inSecond = 0;
        for (ComputeGaps.Row row :
                gaps(List.of(new Step(0, 0, 2_102 * US), new Step(1, 2_102 * US, 5_000 * US)), 4_176 * US)) {
            held += row.held().communication();
            inSecond += row.key().step() == 1 ? row.held().communication() : 0;
            assertThat(row.held().communication() + row.held().copies()).isLessThanOrEqualTo(row.time());
        }

        assertThat(held).isBetween(4_000 * US, 4_020 * US);
        assertThat(inSecond).isEqualTo(held - 2_000 * US);
    }

    /** On AMD, copies are kernels; waiting on a device computes nothing either. */
    @Test
    void kernelsThatCopyOrWaitEndNoGap() {
        events.launch("a", 0, 10 * US, 10 * US, 1, 7)
                .launch("__amd_rocclr_copyBuffer", 2 * US, 20 * US, 300 * US, 2, 7)
                .launch("b", 4 * US, 321 * US, 10 * US, 3, 7)
                .launch("packet", 6 * US, 331 * US, 50 * US, 4, 7)
                .launch("c", 8 * US, 382 * US, 10 * US, 5, 7);
        List<ComputeGaps.Row> gaps = gaps(List.of(), 392 * US);

        assertThat(gaps.stream().mapToLong(ComputeGaps.Row::time).sum()).isEqualTo((392 - 30) * US);
        assertThat(gaps.stream().mapToLong(gap -> gap.held().copies()).sum()).isBetween(300 * US, 301 * US);
    }
}
