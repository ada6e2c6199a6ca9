// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdleCausesTest {
    private static final long US = 1_000;

    private static IdleCauses.Result causes(EventText events) {
        return new IdleCauses(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(events)));
    }

    /** A gap from 100 to 1,100 us, whose next kernel was launched at 1,090 us. */
    private static EventText gap() {
        return new EventText().launch("a", -10 * US, 0, 100 * US, 1, 7).launch("b", 1_090 * US, 1_100 * US, US, 2, 7);
    }

    private static String only(EventText events) {
        IdleCauses.Result result = causes(events);
        assertThat(result.rows()).hasSize(1);
        IdleCauses.Row row = result.rows().getFirst();
        assertThat(row.gaps()).isEqualTo(1);
        assertThat(row.time()).isEqualTo(1_000 * US).isEqualTo(row.longest()).isEqualTo(result.idle());
        assertThat(row.at()).isEqualTo(100 * US);
        return row.cause() + " " + row.kind() + " " + row.name() + " in " + row.frame();
    }

    @Test
    void theInnermostThatCoversMoreThanHalfIsTheCause() {
        EventText events = gap().annotation("epoch", 0, 2_000 * US)
                .python("train.py(3): step", 150 * US, 900 * US)
                .op("aten::cat", 200 * US, 501 * US)
                .op("aten::narrow", 250 * US, 400 * US);

        assertThat(only(events)).isEqualTo("OPERATOR CPU_OP aten::cat in train.py(3): step");
    }

    @Test
    void halfIsNotMoreThanHalf() {
        EventText events = gap().annotation("epoch", 0, 2_000 * US).op("aten::cat", 200 * US, 500 * US);

        assertThat(only(events)).isEqualTo("ANNOTATION ANNOTATION epoch in epoch");
    }

    @Test
    void loadingOfDataIsKnownByWhatLiesAroundAndNamedAsPeopleKnowIt() {
        EventText events = gap().python("torch/utils/data/dataloader.py(703): __next__", 100 * US, 980 * US)
                .annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 101 * US, 970 * US)
                .python("torch/utils/data/_utils/fetch.py(52): fetch", 102 * US, 960 * US)
                .python("<built-in function zoom_shift>", 103 * US, 950 * US);

        assertThat(only(events))
                .isEqualTo("DATA_LOADER PYTHON <built-in function zoom_shift> in"
                        + " enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    }

    @ParameterizedTest
    @CsvSource({
        "cudaMalloc, ALLOCATION",
        "hipFree, ALLOCATION",
        "cudaHostAlloc, ALLOCATION",
        "cuMemMap, ALLOCATION",
        "cuModuleLoadData, MODULE_LOADING",
        "cudaStreamCreateWithFlags, SET_UP",
        "cudaStreamSynchronize, SYNCHRONISATION",
        "hipDeviceSynchronize, SYNCHRONISATION",
        "cudaMemcpy, SYNCHRONISATION",
        "cudaMemcpyAsync, CALL",
        "cudaLaunchKernel, CALL"
    })
    void callsAreKnownByName(String call, IdleCause cause) {
        assertThat(only(gap().call(call, 110 * US, 900 * US, 9)))
                .isEqualTo(cause + " RUNTIME_CALL " + call + " in null");
    }

    @Test
    void callsOfWhichAWaitWasRecordedBlock() {
        EventText events = gap().call("cudaMemcpyAsync", 110 * US, 900 * US, 9)
                .device("cuda_sync", "Stream Sync", 110 * US, 900 * US, 9, 7, "");

        assertThat(only(events)).startsWith("SYNCHRONISATION RUNTIME_CALL cudaMemcpyAsync");
    }

    @Test
    void whatHadBeenLaunchedWaitedOnTheDevice() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .launch("b", 90 * US, 1_100 * US, US, 2, 7)
                .annotation("epoch", 0, 2_000 * US);

        assertThat(only(events)).isEqualTo("QUEUED KERNEL b in null");
    }

    @Test
    void aLaunchThatLastsThroughTheGapIsTheHosts() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .call("cudaLaunchKernel", 90 * US, 1_020 * US, 2)
                .kernel("b", 1_100 * US, US, 2, 7);

        assertThat(only(events)).isEqualTo("CALL RUNTIME_CALL cudaLaunchKernel in null");
    }

    @Test
    void operatorsOneAfterTheOtherAreSeveral() {
        EventText events = gap();
        for (int i = 0; i < 6; i++) {
            events.op("aten::view", (110 + 100 * i) * US, 90 * US);
        }

        assertThat(only(events)).isEqualTo("SEVERAL null null in null");
    }

    @Test
    void anotherThreadThatLaunchesCountsWhereTheLaunchingOneDidNothingAndAnyOtherThreadDoesNot() {
        EventText events = gap().complete("python_function", "queue.py(1): get", "1", "3", 0, 2_000 * US, "");
        assertThat(only(events)).isEqualTo("UNRECORDED null null in null");

        events.complete("cuda_runtime", "cudaLaunchKernel", "1", "2", -20 * US, US, "\"correlation\": 3")
                .kernel("c", 0, 50 * US, 3, 7)
                .complete("cpu_op", "aten::backward", "1", "2", 120 * US, 900 * US, "");
        assertThat(only(events)).isEqualTo("OPERATOR CPU_OP aten::backward in null");
    }

    @Test
    void withoutAHostItIsSaidWhatEndsTheGap() {
        EventText events = new EventText().kernel("a", 0, 100 * US, 1, 7).kernel("b", 1_100 * US, US, 2, 7);

        assertThat(only(events)).isEqualTo("NO_HOST KERNEL b in null");
    }

    @Test
    void stepsOfTheProfilerAndObjectsOfPythonHaveOneName() {
        EventText events = new EventText();
        for (int i = 0; i < 3; i++) {
            events.launch("k", i * 100L * US, i * 100L * US + 1, 10 * US, i + 1, 7)
                    .annotation("ProfilerStep#" + i, i * 100L * US, 100 * US - 1)
                    .python("<built-in method to of Tensor object at 0x7ce2" + i + ">", i * 100L * US + 9, 70 * US);
        }

        assertThat(causes(events).rows())
                .extracting(r -> r.name() + " in " + r.frame())
                .containsExactly("<built-in method to of Tensor object> in <built-in method to of Tensor object>");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theOnePassFindsWhatLookingAtEverySliceForEveryGapFinds(int seed) {
        Trace trace = TestTraces.of(random(new Random(seed)));
        DerivedCache cache = new DerivedCache(trace);
        AnalysisRules rules = AnalysisRules.standard();
        DeviceGaps gaps = cache.get(new DeviceGaps.Key(rules.activity()));
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        HostInGaps host = new HostInGaps(cache, gaps, links);

        int found = 0;
        for (int gap = 0; gap < gaps.size(); gap++) {
            int launch = links.launchOf(gaps.next(gap));
            int thread = launch < 0 ? -1 : trace.slices().track(launch);
            int expected = innermost(trace.slices(), gaps, gap, thread);
            if (expected >= 0) {
                assertThat(host.slice(gap)).as("gap %d", gap).isEqualTo(expected);
                found++;
            } else if (thread >= 0) {
                boolean several = covered(trace.slices(), gaps, gap, thread) * 2 > gaps.length(gap);
                assertThat(host.several(gap)).as("gap %d", gap).isEqualTo(several);
            }
        }
        assertThat(gaps.size()).isGreaterThan(100);
        assertThat(found).isGreaterThan(50);
        assertThat(new IdleCauses(rules).run(cache).idle())
                .isEqualTo(new IdleGaps(rules).run(cache).time(null, Long.MAX_VALUE));
    }

    /** Of those that cover more than half, the one that begins last; of those that begin together, the shortest. */
    private static int innermost(Slices slices, DeviceGaps gaps, int gap, int thread) {
        int best = -1;
        for (int i = 0; i < slices.size(); i++) {
            long shared = Math.min(slices.end(i), gaps.end(gap)) - Math.max(slices.ts(i), gaps.start(gap));
            if (slices.track(i) == thread && shared * 2 > gaps.length(gap)) {
                best = i;
            }
        }
        return best;
    }

    private static long covered(Slices slices, DeviceGaps gaps, int gap, int thread) {
        long total = 0;
        for (long at = gaps.start(gap); at < gaps.end(gap); at++) {
            for (int i = 0; i < slices.size(); i++) {
                if (slices.track(i) == thread && slices.ts(i) <= at && at < slices.end(i)) {
                    total++;
                    break;
                }
            }
        }
        return total;
    }

    /** Nested slices on two threads, and kernels that they launch; all times are short, so that edges meet. */
    private static EventText random(Random random) {
        EventText events = new EventText();
        for (int thread = 1; thread <= 2; thread++) {
            nest(events, random, thread, 0, 4_000, 0);
        }
        int correlation = 1;
        for (long at = 0; at < 4_000; at += 5 + random.nextInt(20)) {
            String thread = Integer.toString(1 + random.nextInt(2));
            events.complete("cuda_runtime", "cudaLaunchKernel", "1", thread, at, 1, "\"correlation\": " + correlation);
            events.kernel("k", at + 1 + random.nextInt(3), 1 + random.nextInt(12), correlation++, 7);
        }
        return events;
    }

    private static void nest(EventText events, Random random, int thread, long from, long to, int depth) {
        long at = from;
        while (at < to && depth < 5) {
            long end = Math.min(to, at + 1 + random.nextInt(depth == 0 ? 600 : (int) Math.max(1, (to - from))));
            if (random.nextInt(4) > 0) {
                String category = random.nextBoolean() ? "cpu_op" : "python_function";
                events.complete(category, "s", "1", Integer.toString(thread), at, end - at, "");
                nest(events, random, thread, at, end, depth + 1);
            }
            at = end + random.nextInt(3);
        }
    }
}
