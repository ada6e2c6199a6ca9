// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuTimelineTest {
    private static final AnalysisRules RULES = AnalysisRules.standard();

    private static Parts parts(Trace trace, long microIdle) {
        return new GpuTimeline(RULES, microIdle, false)
                .run(new DerivedCache(trace))
                .blocks()
                .getFirst();
    }

    @ParameterizedTest(name = "seed {0} {1}")
    @CsvSource({"1, CUDA", "2, CUDA", "3, ROCM", "4, ROCM"})
    void partsOfSyntheticTracesAddUpToTheTotal(long seed, Vendor vendor) {
        TraceRecipe recipe =
                SyntheticTraces.smallRecipe(2).withSeed(seed).withVendor(vendor).withSteps(1);
        check(SyntheticTraces.synthetic(recipe, 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6, 7, 8})
    void partsOfRandomActivityAddUpToTheTotal(long seed) {
        Random random = new Random(seed);
        String[] names = {"gemm", "ncclDevKernel", "Memcpy DtoD", "Context Sync"};
        EventText events = new EventText();
        for (int i = 0; i < 120; i++) {
            int what = random.nextInt(names.length);
            events.kernel(names[what], random.nextInt(400), random.nextInt(12), i + 1, random.nextInt(3));
        }
        check(TestTraces.of(events));
    }

    /** Compares with what a walk over all starts and ends says about each stretch between two of them. */
    private static void check(Trace trace) {
        DeviceActivity activity = new DerivedCache(trace).get(RULES.activity());
        Slices slices = trace.slices();
        TreeSet<Long> edges = new TreeSet<>();
        for (int i = 0; i < activity.size(); i++) {
            if (slices.dur(activity.slice(i)) > 0) {
                edges.add(slices.ts(activity.slice(i)));
                edges.add(slices.end(activity.slice(i)));
            }
        }
        long[] alone = new long[KernelClass.values().length];
        long[] any = new long[KernelClass.values().length];
        long idle = 0;
        Long from = edges.first();
        for (Long to = edges.higher(from); to != null; from = to, to = edges.higher(to)) {
            Set<KernelClass> running = EnumSet.noneOf(KernelClass.class);
            for (int i = 0; i < activity.size() && slices.ts(activity.slice(i)) < to; i++) {
                if (slices.end(activity.slice(i)) >= to) {
                    running.add(activity.classOf(activity.slice(i)));
                }
            }
            for (KernelClass c : running) {
                any[c.ordinal()] += to - from;
            }
            if (running.isEmpty()) {
                idle += to - from;
            } else {
                alone[running.iterator().next().ordinal()] += to - from;
            }
        }
        Parts p = parts(trace, 20_000);
        assertThat(p.total()).isEqualTo(edges.last() - edges.first());
        assertThat(p.computation()).isEqualTo(any[0]);
        assertThat(p.communication()).isEqualTo(any[1]);
        assertThat(p.memory()).isEqualTo(any[2]);
        assertThat(p.exposedCommunication()).isEqualTo(alone[1]);
        assertThat(p.exposedMemory()).isEqualTo(alone[2]);
        assertThat(p.exposedOther()).isEqualTo(alone[3]);
        assertThat(p.idle()).isEqualTo(idle);
        assertThat(p.microIdle()).isBetween(0L, idle);
        IdleGaps.Result gaps = new IdleGaps(RULES).run(new DerivedCache(trace));
        assertThat(gaps.time(null, Long.MAX_VALUE)).isEqualTo(idle);
        assertThat(gaps.count(null, Long.MAX_VALUE)).isEqualTo(p.gaps());
        assertThat(gaps.span()).isEqualTo(p.total());
    }

    @Test
    void idleTimeIsSplitAtALength() {
        EventText events = new EventText()
                .kernel("a", 0, 10_000, 1, 7)
                .kernel("b", 15_000, 10_000, 2, 7)
                .kernel("c", 125_000, 10_000, 3, 7);
        Parts p = parts(TestTraces.of(events), 100_000);
        assertThat(p.idle()).isEqualTo(105_000);
        assertThat(p.microIdle()).isEqualTo(5_000);
        assertThat(p.gaps()).isEqualTo(2);
    }

    @Test
    void streamsAndStepsAreTimelinesOfTheirOwn() {
        EventText events = new EventText();
        for (int step = 0; step < 2; step++) {
            long at = step * 1_000_000L;
            events.annotation("ProfilerStep#" + step, at, 1_000_000)
                    .launch("gemm", at + 1_000, at + 900_000, 200_000, 2 * step + 1, 7)
                    .launch("ncclDevKernel", at + 3_000, at + 1_000_000, 300_000, 2 * step + 2, 20);
        }
        DerivedCache cache = new DerivedCache(TestTraces.of(events));
        StepTimeline.Result steps = new StepTimeline(RULES, null).run(cache);
        assertThat(steps.rows()).hasSize(2).allSatisfy(row -> {
            assertThat(row.activities()).isEqualTo(2);
            assertThat(row.parts().total()).isEqualTo(400_000);
            assertThat(row.parts().exposedCommunication()).isEqualTo(200_000);
        });
        StreamTimeline.Result streams = new StreamTimeline(RULES).run(cache);
        assertThat(streams.rows()).extracting(r -> r.stream().stream()).containsExactly("7", "20");
        assertThat(streams.rows().get(1).parts().busy()).isEqualTo(600_000);
    }
}
