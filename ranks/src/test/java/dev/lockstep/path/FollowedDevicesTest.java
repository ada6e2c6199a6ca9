// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What devices and libraries do that is not as simple as one thing after the other. Times are in us. */
class FollowedDevicesTest {
    private static final long US = 1_000;

    private static Dependencies.Result run(EventText events, String... edits) {
        return new Dependencies(
                        WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100")),
                        null,
                        new ReportOptions.Paths("all", List.of(edits)))
                .run(new DerivedCache(TestTraces.of(events)));
    }

    private static Table table(Dependencies.Result result, String name) {
        return result.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** How long the recording is with an edit, in ns. */
    private static long after(EventText events, String edit) {
        Table whatIf = table(run(events, edit), "what_if");
        return whatIf.longs(whatIf.schema().indexOf("after_us")).get(0);
    }

    /** Class, name, and duration of the pieces of the path. */
    private static List<String> path(EventText events) {
        Table path = table(run(events), "critical_path");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            rows.add(path.strings(path.schema().indexOf("class")).get(row) + " "
                    + path.strings(path.schema().indexOf("name")).get(row) + " "
                    + BigDecimal.valueOf(
                                    path.longs(path.schema().indexOf("duration us"))
                                            .get(row),
                                    3)
                            .stripTrailingZeros()
                            .toPlainString());
        }
        return rows;
    }

    /** Edges of each kind as the sheet lists them. */
    private static Map<String, Long> edges(EventText events) {
        Table quality = table(run(events), "dependency_quality");
        Map<String, Long> edges = new HashMap<>();
        for (int row = 0; row < quality.rows(); row++) {
            edges.put(
                    quality.strings(quality.schema().indexOf("edge kind")).get(row),
                    quality.longs(quality.schema().indexOf("count")).get(row));
        }
        return edges;
    }

    // ---- kernels that overlap
    // -----------------------------------------------------------------------------------------

    /** Launched at once: a 5-105, b 100-200, c 201-301; b and a overlap by 5. */
    private static EventText overlapping() {
        return new EventText()
                .launch("a", 0, 5 * US, 100 * US, 1, 7)
                .launch("b", US, 100 * US, 100 * US, 2, 7)
                .launch("c", 2 * US, 201 * US, 100 * US, 3, 7);
    }

    @Test
    void timeThatTwoKernelsOfAStreamShareIsTheFirstOnes() {
        assertThat(path(overlapping()))
                .containsExactly(
                        "launch_latency a 5",
                        "computation a 95",
                        "computation b 100",
                        "kernel_gap c 1",
                        "computation c 100");
    }

    @ParameterizedTest
    @CsvSource({
        "kernel:*=x1, 301",
        // b starts when 95 of 100 parts of a are done, whatever a takes
        "kernel:a=x0.5, 253.5",
        "kernel:a=x0, 206",
        "kernel:a=x2, 396",
        "kernel:b=x0, 201",
        "kernel:*=x0.5, 153.5",
        "kernel:*=x0, 6"
    })
    void aKernelThatOverlapsTheOneBeforeComesWhenThatOneHasDoneAsMuch(String edit, BigDecimal after) {
        assertThat(after(overlapping(), edit)).isEqualTo(after.movePointRight(3).longValueExact());
    }

    @Test
    void fusedKernelsCountOnceWhatTheyDidAtOnce() {
        assertThat(after(overlapping(), "fuse:a,b")).isEqualTo(301 * US);
        assertThat(after(overlapping(), "fuse:a,b=x0.5")).isEqualTo((301 * US) - (195 * US) / 2);
    }

    /** Within a long kernel a short one comes and goes; what follows waits for both. */
    @Test
    void whatFollowsAKernelInsideOfAnotherWaitsForBoth() {
        EventText events = new EventText()
                .launch("long", 0, 5 * US, 100 * US, 1, 7)
                .launch("short", US, 50 * US, 10 * US, 2, 7)
                .launch("next", 2 * US, 106 * US, 100 * US, 3, 7);
        assertThat(path(events)).contains("computation long 100", "kernel_gap next 1");
        assertThat(after(events, "kernel:long=x0.2")).isEqualTo(206 * US - 80 * US);
        assertThat(after(events, "kernel:short=x0")).isEqualTo(206 * US);
    }

    /** Circles between moments of one time are cut elsewhere, and overlaps stay. */
    @Test
    void overlapsAreNotCutWithCircles() {
        GraphBuilder builder = new GraphBuilder();
        int track = builder.track(new PathTrack(0, "stream 7", "0"));
        int x = builder.vertex(0, track, PathClass.HOST);
        int y = builder.vertex(0, track, PathClass.HOST);
        int start = builder.vertex(0, track, PathClass.COMPUTATION);
        int end = builder.vertex(100, track, PathClass.COMPUTATION);
        int nextStart = builder.vertex(90, track, PathClass.COMPUTATION);
        int nextEnd = builder.vertex(190, track, PathClass.COMPUTATION);
        builder.edge(EdgeKind.WAIT, x, y, 0);
        builder.edge(EdgeKind.WAIT, y, x, 0);
        builder.edge(EdgeKind.THREAD, y, start, 0);
        builder.edge(EdgeKind.RUN, start, end, 100);
        builder.overlap(EdgeKind.STREAM, end, nextStart);
        builder.edge(EdgeKind.RUN, nextStart, nextEnd, 100);
        DependencyGraph graph = builder.build();
        assertThat(graph.source(nextStart, EdgeKind.STREAM)).isEqualTo(end);
        graph.proveIdentity();
    }

    // ---- what launches take
    // -------------------------------------------------------------------------------------------

    /** Calls of 4 to 13 us, one of 900; kernels start this long after they begin, or end. */
    private static EventText launches(boolean fromEnds, long later) {
        EventText events = new EventText();
        long host = 0;
        for (int i = 0; i < 12; i++) {
            long call = i == 6 ? 900 : 4 + i % 10;
            events.call("cudaLaunchKernel", host * US, call * US, i + 1);
            events.kernel("k", (host + (fromEnds ? call : 0) + later) * US, 20 * US, i + 1, 7);
            host += call + 40;
        }
        return events;
    }

    @Test
    void startsFollowTheEndsOfCallsWhereTheyDo() {
        EventText events = launches(true, 2);
        // what stays without the host is the kernels and a launch
        assertThat(after(events, "host=x0")).isEqualTo((12 * 20 + 2) * US);
        assertThat(path(events))
                .contains("host cudaLaunchKernel 900", "launch_latency k 2")
                .noneMatch(piece -> piece.startsWith("unresolved"));
    }

    @Test
    void startsFollowTheBeginningsOfCallsWhereTheyDo() {
        EventText events = launches(false, 15);
        assertThat(path(events)).contains("launch_latency k 15", "host cudaLaunchKernel 900");
        assertThat(after(events, "host=x0")).isEqualTo((12 * 20 + 15) * US);
    }

    /** The call of 900 us lasts on after its kernel has started: it did not load it first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallThatLastsOnHasLaunchedBefore(boolean fromEnds) {
        EventText events = launches(fromEnds, fromEnds ? 2 : 15)
                .call("cudaLaunchKernel", 2_000 * US, 500 * US, 50)
                .kernel("early", 2_015 * US, 600 * US, 50, 7);
        // it runs beside its call
        assertThat(path(events)).contains("computation early 600");
        assertThat(after(events, "host=x0")).isBetween((12 * 20 + 600) * US, (12 * 20 + 620) * US);
    }

    /** Its kernel starts 0.4 us after the end of the call, others 15: it was launched before, and launching takes no 0.4 us. */
    @Test
    void oneStartThatComesSoonDoesNotSayWhatLaunchingTakes() {
        EventText events = launches(true, 15)
                .call("cudaLaunchKernel", 2_000 * US, 30 * US, 50)
                .kernel("early", 2_030 * US + 400, 20 * US, 50, 7);
        assertThat(after(events, "host=x0")).isEqualTo((13 * 20 + 15) * US);
    }

    // ---- calls that wait
    // ----------------------------------------------------------------------------------------------

    /** Ten kernels of 100 one after the other, launched at once; then a call until 1,030 and one that finds nothing to wait for. */
    private static EventText waiting(String call) {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            events.launch("k" + i, i * 2 * US, (5 + i * 101) * US, 100 * US, i + 1, 7);
        }
        return events.call(call, 30 * US, 1_000 * US, 50)
                .op("aten::add", 1_040 * US, 100 * US)
                .call(call, 1_150 * US, 4 * US, 51)
                .op("aten::add", 1_154 * US, 46 * US);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cudaFree",
                "hipFree",
                "cudaFreeHost",
                "cudaMallocHost",
                "cudaEventDestroy",
                "hipHostUnregister",
                "cuModuleUnload",
                "aclrtSynchronizeStreamWithTimeout",
                "zeEventHostSynchronize",
                "urQueueFinish"
            })
    void callsThatReturnWhenTheDeviceIsThroughWaitForIt(String call) {
        EventText events = waiting(call);
        assertThat(after(events, "kernel:*=x0.5")).isEqualTo(1_200 * US - 500 * US);
        assertThat(path(events)).contains("computation k9 100", "sync_latency " + call + " 16");
    }

    /** One call found work under way and left it there. */
    @ParameterizedTest
    @ValueSource(strings = {"cudaFree", "cudaMalloc", "cudaEventDestroy"})
    void callsOfANameThatReturnsWhileWorkIsLeftDoNotWait(String call) {
        EventText events = waiting(call).call(call, 22 * US, 5 * US, 60);
        assertThat(after(events, "kernel:*=x0.5")).isEqualTo(1_200 * US);
        assertThat(path(events)).anyMatch(piece -> piece.startsWith("host " + call));
    }

    /** Recorders of Ascend write calls of a thread to another process. It waits in them all the same. */
    @Test
    void aThreadWaitsInItsCallsThatLieOnAnotherTrack() {
        EventText events = new EventText()
                .raw(named("process_name", 7, 0, "Python"))
                .raw(named("process_name", 7392, 0, "CANN"))
                .raw(named("process_name", 7587, 0, "Ascend Hardware"))
                .raw(named("thread_name", 7587, 1, "Stream 1"))
                .complete("cpu_op", "aten::mm", "7", "5", 0, 1_200 * US, "")
                .complete("", "Node@launch", "7392", "5", 10 * US, 5 * US, "\"connection_id\": 1")
                .complete("", "MatMul", "7587", "1", 20 * US, 1_000 * US, "\"connection_id\": 1")
                .complete("", "AscendCL@aclrtSynchronizeStreamWithTimeout", "7392", "5", 100 * US, 930 * US, "");
        assertThat(after(events, "kernel:MatMul=x0")).isEqualTo((100 + 10 + 170) * US);
        assertThat(after(events, "host=x0")).isEqualTo((1_000 + 10 + 10) * US);
        assertThat(path(events)).contains("computation MatMul 1000", "host aten::mm 170");
    }

    private static String named(String what, int process, int thread, String name) {
        return "{\"ph\": \"M\", \"name\": \"" + what + "\", \"pid\": " + process + ", \"tid\": " + thread
                + ", \"args\": {\"name\": \"" + name + "\"}}";
    }

    /** What goes through a buffer: the call returns a little before the device is done, or a while later. */
    @ParameterizedTest
    @CsvSource({"Memcpy HtoD (Pageable -> Device), 3040, 60", "Memcpy DtoH (Device -> Pageable), 3500, 60"})
    void copiesThroughABufferHoldTheirCallUp(String name, long returns, long left) {
        EventText events = new EventText()
                .call("cudaMemcpyAsync", 0, returns * US, 1)
                .device("gpu_memcpy", name, 50 * US, 3_000 * US, 1, 7, "")
                .call("cudaMemcpyAsync", (returns + 10) * US, 5 * US, 2)
                .device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", (returns + 20) * US, 30 * US, 2, 7, "")
                .op("aten::add", (returns + 15) * US, 100 * US);
        assertThat(after(events, "class:copy=x0")).isEqualTo((returns + 115 - 3_000) * US);
    }

    // ---- what else is recorded
    // ----------------------------------------------------------------------------------------

    /** One graph: b and c follow a, d follows both, as arrows say; c and d lie on another stream. */
    private static EventText graph(boolean arrows) {
        EventText events = new EventText()
                .call("cudaGraphLaunch", 0, 10 * US, 1)
                .kernel("a", 15 * US, 100 * US, 1, 7)
                .kernel("b", 116 * US, 300 * US, 1, 7)
                .kernel("c", 117 * US, 50 * US, 1, 13)
                .kernel("d", 418 * US, 100 * US, 1, 13);
        if (arrows) {
            arrow(events, 1, 7, 115, 7, 116);
            arrow(events, 2, 7, 115, 13, 117);
            arrow(events, 3, 7, 416, 13, 418);
            arrow(events, 4, 13, 167, 13, 418);
        }
        return events;
    }

    private static void arrow(EventText events, long id, int from, long ts, int to, long start) {
        String end = "\"cat\": \"ac2g\", \"name\": \"ac2g\", \"pid\": 0, \"id\": " + ((1L << 40) + id);
        events.raw("{\"ph\": \"s\", " + end + ", \"tid\": " + from + ", \"ts\": " + ts + "}");
        events.raw("{\"ph\": \"f\", \"bp\": \"e\", " + end + ", \"tid\": " + to + ", \"ts\": " + start + "}");
    }

    @Test
    void arrowsBetweenActivitiesOfAGraphAreWhatTheyWaitFor() {
        assertThat(edges(graph(true))).containsEntry("wait", 4L).containsEntry("node", 2L);
        assertThat(after(graph(true), "kernel:b=x0")).isEqualTo((167 + 2 + 100) * US);
        assertThat(run(graph(true)).knowsEdgesOfGraphs()).isTrue();

        assertThat(edges(graph(false))).doesNotContainKey("wait").containsEntry("node", 2L);
        assertThat(after(graph(false), "kernel:b=x0")).isEqualTo(518 * US);
        assertThat(run(graph(false)).knowsEdgesOfGraphs()).isFalse();
    }

    /** The arrows from calls to what they launch say nothing of that. */
    @Test
    void arrowsFromCallsAreNoWaits() {
        assertThat(edges(overlapping())).doesNotContainKey("wait");
    }

    /** A task that waits, as Ascend writes it or as a kernel: what comes behind it waits for what ended in its time. */
    @Test
    void tasksThatWaitDoNoWork() {
        EventText events = new EventText()
                .launch("first", 0, 5 * US, 95 * US, 1, 7)
                .launch("other", US, 6 * US, 900 * US, 2, 13)
                .kernel("event_wait", 101 * US, 810 * US, 50, 7)
                .launch("next", 2 * US, 913 * US, 100 * US, 3, 7);
        assertThat(after(events, "kernel:other=x0.5")).isEqualTo((1_013 - 450) * US);
        assertThat(after(events, "kernel:event_wait=x0")).isEqualTo(1_013 * US);
        assertThat(path(events)).contains("computation other 900").noneMatch(p -> p.startsWith("computation event"));
    }

    // ---- what hangs on nothing
    // ----------------------------------------------------------------------------------------

    /** A task on a stream of its own that nothing launched, 1,000 behind all others. */
    @Test
    void whatWaitsForNothingComesAsMuchLater() {
        EventText events = new EventText()
                .launch("a", 0, 5 * US, 500 * US, 1, 7)
                .launch("b", US, 506 * US, 94 * US, 2, 7)
                .kernel("mark", 1_600 * US, 20, 99, 9);
        assertThat(after(events, "kernel:a=x0")).isEqualTo(1_600 * US + 20 - 500 * US);
        assertThat(path(events)).contains("computation a 500", "computation b 94", "computation mark 0.02");
    }

    /** The second thread launches from 300 on; nothing says who began it. */
    @Test
    void aThreadThatBeginsLaterGoesOnFromWhereTheFirstOneIs() {
        EventText events = new EventText()
                .complete("cpu_op", "main", "1", "1", 0, 400 * US, "")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "1", 10 * US, 5 * US, "\"correlation\": 1")
                .kernel("a", 20 * US, 30 * US, 1, 7)
                .complete("cpu_op", "second", "1", "2", 300 * US, 200 * US, "")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "2", 310 * US, 5 * US, "\"correlation\": 2")
                .kernel("b", 320 * US, 30 * US, 2, 7);
        assertThat(after(events, "host=x1")).isEqualTo(500 * US);
        assertThat(after(events, "host=x0.5")).isEqualTo(250 * US);
        assertThat(edges(events)).containsEntry("hand_over", 1L);
    }
}
