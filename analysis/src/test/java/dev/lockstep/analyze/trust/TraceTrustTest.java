// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.report.Trust.Verdict;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTrustTest {
    private static final long US = 1_000;

    private static Trust trust(EventText events) {
        return TraceTrust.of(DerivedCache.believing(TestTraces.of(events)));
    }

    private static List<String> codes(Trust trust) {
        return trust.reasons().stream().map(Reason::code).toList();
    }

    private static Reason only(Trust trust) {
        assertThat(trust.reasons()).hasSize(1);
        return trust.reasons().getFirst();
    }

    /** Kernels of 10 us, one each 20 us, each launched 5 us before it begins. */
    private static EventText kernels(int count) {
        EventText events = new EventText();
        for (int i = 0; i < count; i++) {
            events.launch("k" + i % 3, i * 20 * US, (i * 20 + 5) * US, 10 * US, i + 1, 7);
        }
        return events;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void syntheticRunsAreSound(int ranks) {
        for (Trace trace :
                SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(ranks).withSeed(ranks))) {
            assertThat(TraceTrust.of(DerivedCache.believing(trace)).reasons()).isEmpty();
        }
        Trace graphs = SyntheticTraces.synthetic(
                SyntheticTraces.smallRecipe(ranks).withGraphs(true).withSeed(10 + ranks), 0);
        assertThat(TraceTrust.of(DerivedCache.believing(graphs)).reasons()).isEmpty();
    }

    /** Independent count: every kernel that is dropped is a launch without activity. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 10, 25, 50})
    void droppedKernelsAreCounted(int percent) {
        Random random = new Random(percent);
        EventText events = new EventText();
        int lost = 0;
        int all = 400;
        for (int i = 0; i < all; i++) {
            boolean drop = random.nextInt(100) < percent;
            lost += drop ? 1 : 0;
            if (drop) {
                events.call("cudaLaunchKernel", i * 20 * US, US, i + 1);
            } else {
                events.launch("k", i * 20 * US, (i * 20 + 5) * US, 10 * US, i + 1, 7);
            }
        }
        Trust trust = trust(events);
        if (lost * 50 <= all) {
            assertThat(trust.reasons()).isEmpty();
        } else {
            Reason reason = only(trust);
            assertThat(reason.code()).isEqualTo("lost_activity");
            assertThat(reason.count()).isEqualTo(lost);
            assertThat(reason.of()).isEqualTo(all);
            assertThat(reason.share()).isEqualTo((double) lost / all);
            assertThat(reason.withheld()).contains(Topic.IDLE, Topic.ACTIONS, Topic.HOST);
            assertThat(trust.verdict()).isEqualTo(Verdict.LIMITED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cudaLaunchKernel",
                "cudaLaunchKernelExC",
                "cuLaunchKernel",
                "cuLaunchKernelEx",
                "cudaLaunchCooperativeKernel",
                "cudaGraphLaunch",
                "cudaMemcpyAsync",
                "cudaMemsetAsync",
                "hipLaunchKernel",
                "hipExtModuleLaunchKernel",
                "hipLaunchCooperativeKernel",
                "hipGraphLaunch",
                "hipMemcpyAsync",
                "urEnqueueKernelLaunch",
                "zeCommandListAppendLaunchKernel",
                "zeCommandListAppendMemoryCopy",
                "aclrtLaunchKernel",
                "Node@launch",
                "aclrtMemcpyAsync"
            })
    void launchesOfAllSpellingsAreMissed(String name) {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            events.call(name, i * 20 * US, US, i + 1);
        }
        assertThat(only(trust(events)).count()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cudaLaunchHostFunc",
                "cudaGraphAddKernelNode",
                "cudaGraphAddMemcpyNode",
                "cudaMemPoolSetAttribute",
                "cudaStreamSynchronize",
                "cudaFuncGetAttributes"
            })
    void otherCallsLaunchNothing(String name) {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            events.call(name, i * 20 * US, US, i + 1);
        }
        assertThat(trust(events).reasons()).isEmpty();
    }

    /** Fills of no bytes run nowhere: that some have no activity shows no loss. */
    @Test
    void fillsWithoutActivityAreNoLossOfTheirOwn() {
        EventText events = kernels(40);
        for (int i = 0; i < 30; i++) {
            events.call("cudaMemsetAsync", (i * 20 + 3) * US, US, 1_000 + i);
        }
        assertThat(trust(events).reasons()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cudaStreamBeginCapture,cudaStreamEndCapture", "hipStreamBeginCapture,hipStreamEndCapture"})
    void whatACaptureLaunchesDoesNotRun(String begin, String end) {
        EventText events = kernels(20);
        events.call(begin, 1_000 * US, US, 500);
        for (int i = 0; i < 50; i++) {
            events.call("cudaLaunchKernel", (1_010 + i) * US, US / 2, 600 + i);
        }
        events.call(end, 1_100 * US, US, 501);
        assertThat(trust(events).reasons()).isEmpty();
        events.call("cudaLaunchKernel", 1_200 * US, US, 700);
        events.call("cudaLaunchKernel", 1_210 * US, US, 701);
        assertThat(only(trust(events)).count()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void graphsThatLackNodesAreCounted(long seed) {
        Random random = new Random(seed);
        int nodes = 20 + random.nextInt(30);
        EventText events = new EventText();
        int touched = 0;
        for (int g = 0; g < 12; g++) {
            int kept = g == 3 ? nodes : 1 + random.nextInt(nodes);
            touched += kept < nodes ? 1 : 0;
            events.call("cudaGraphLaunch", g * 1_000 * US, US, g + 1);
            for (int n = 0; n < kept; n++) {
                events.device(
                        "kernel",
                        "n" + n,
                        (g * 1_000 + 10 + n * 5) * US,
                        4 * US,
                        g + 1,
                        7,
                        "\"graph id\": 3, \"graph node id\": " + (n + 1));
            }
        }
        Reason reason = only(trust(events));
        assertThat(reason.code()).isEqualTo("lost_activity");
        assertThat(reason.count()).isEqualTo(touched);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aStretchedKernelIsCutAtTheNextStart(long seed) {
        Random random = new Random(seed);
        int stretched = random.nextInt(90);
        long length = (40 + random.nextInt(100_000)) * US;
        EventText events = new EventText();
        for (int i = 0; i < 100; i++) {
            events.launch("k", i * 20 * US, (i * 20 + 5) * US, i == stretched ? length : 10 * US, i + 1, 7);
        }
        DerivedCache cache = DerivedCache.believing(TestTraces.of(events));
        Slices slices = cache.trace().slices();
        long last =
                IntStream.range(0, slices.size()).mapToLong(slices::end).max().orElseThrow();
        assertThat(last).isEqualTo((99 * 20 + 15) * US);
        Reason reason = only(TraceTrust.of(cache));
        assertThat(reason.code()).isEqualTo("impossible_duration");
        assertThat(reason.count()).isEqualTo(1);
        double recorded = 99 * 10 * US + length;
        assertThat(reason.share()).isEqualTo((length - 20 * US) / recorded);
    }

    /** Programmatic launch lets the next kernel begin some microseconds early, here on each of a whole stream. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 8})
    void earlyStartsOfProgrammaticLaunchAreSound(long overlap) {
        EventText events = new EventText();
        for (int i = 0; i < 50; i++) {
            events.launch("k", i * 10 * US, (50 + i * 20) * US, (20 + overlap) * US, i + 1, 7);
        }
        assertThat(trust(events).reasons()).isEmpty();
    }

    @Test
    void branchesOfOneGraphOverlap() {
        EventText events = new EventText().call("cudaGraphLaunch", 0, US, 1);
        for (int i = 0; i < 30; i++) {
            events.kernel("n" + i, (10 + i * 10) * US, (i % 7 == 0 ? 100 : 8) * US, 1, 7);
        }
        assertThat(trust(events).reasons()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 46, 1_000})
    void kernelsBeforeTheirLaunchTellThatClocksDisagree(long early) {
        EventText events = new EventText();
        for (int i = 0; i < 30; i++) {
            events.launch("k", (i * 2_000 + 1_000) * US, (i * 2_000 + 1_000 - early) * US, 10 * US, i + 1, 7);
        }
        Reason reason = only(trust(events));
        assertThat(reason.code()).isEqualTo("kernels_before_launch");
        assertThat(reason.count()).isEqualTo(30);
        assertThat(reason.withheld()).contains(Topic.HOST);
    }

    @Test
    void correlationNumbersOfSeveralProcessesAreAmbiguous() {
        EventText events = new EventText();
        for (int i = 0; i < 5; i++) {
            String number = "\"correlation\": " + (i + 1);
            events.complete("cuda_runtime", "cudaLaunchKernel", "1", "1", i * 20 * US, US, number);
            events.complete("cuda_runtime", "cudaLaunchKernel", "2", "2", i * 20 * US, US, number);
            events.kernel("a", (i * 20 + 5) * US, 5 * US, i + 1, 7);
            events.kernel("b", (i * 20 + 12) * US, 5 * US, i + 1, 7);
        }
        assertThat(codes(trust(events))).contains("ambiguous_links");
    }

    @Test
    void eventsWithoutTimesAreLeftOutAndSaid() {
        EventText events = new EventText();
        for (int i = 0; i < 20; i++) {
            events.launch("k", (5_000_000 + i * 20) * US, (5_000_005 + i * 20) * US, 10 * US, i + 1, 7);
            events.op("lost", 0, 0);
            events.kernel("lost", 0, 0, 100 + i, 7);
        }
        Trust trust = TraceTrust.of(DerivedCache.believing(TestTraces.parse(TestTraces.document(events.toString()))));
        Reason reason = only(trust);
        assertThat(reason.code()).isEqualTo("impossible_time");
        assertThat(reason.count()).isEqualTo(40);
        assertThat(reason.withheld()).contains(Topic.IDLE, Topic.ACTIONS);
    }

    @Test
    void marksOfStepsThatCrossAreSaid() {
        EventText events = kernels(100);
        events.annotation("ProfilerStep#0", 0, 600 * US).annotation("ProfilerStep#1", 500 * US, 500 * US);
        events.annotation("ProfilerStep#2", 1_000 * US, 500 * US).annotation("ProfilerStep#3", 1_500 * US, 500 * US);
        Reason reason = only(trust(events));
        assertThat(reason.code()).isEqualTo("overlapping_steps");
        assertThat(reason.count()).isEqualTo(1);
        assertThat(reason.of()).isEqualTo(4);
        assertThat(reason.withheld()).containsExactly(Topic.STEPS);
    }

    @Test
    void stacksOfPythonAreACaveat() {
        EventText events = kernels(10);
        for (int i = 0; i < 20; i++) {
            events.python("f", i * 20 * US, 5 * US);
        }
        Trust trust = trust(events);
        assertThat(codes(trust)).containsExactly("profiler_overhead");
        assertThat(trust.verdict()).isEqualTo(Verdict.SOUND);
        assertThat(trust.lines()).isEmpty();
    }
}
