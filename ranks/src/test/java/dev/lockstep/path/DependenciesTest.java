// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.UserException;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependenciesTest {
    private static final long US = 1_000;
    private static final WorkRules RULES =
            WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100"));

    /**
     * A host thread that opens an operator, launches a on stream 7 and b on stream 13, which waits for a by an event; then it
     * waits for everything. Times in us:
     *
     * <pre>
     * host  0 op 30, launch a 10-12, record 13-14, wait 15-16, launch b 20-22, synchronize 40-95, op 95-100
     * 7     a 15-55
     * 13    b 57-90
     * </pre>
     */
    private static EventText twoStreams() {
        return new EventText()
                .op("aten::linear", 0, 30 * US)
                .call("cudaLaunchKernel", 10 * US, 2 * US, 1)
                .kernel("a", 15 * US, 40 * US, 1, 7)
                .call("cudaEventRecord", 13 * US, US, 2)
                .call("cudaStreamWaitEvent", 15 * US, US, 3)
                .complete(
                        "cuda_sync",
                        "Stream Wait Event",
                        "0",
                        "13",
                        15 * US,
                        US,
                        "\"stream\": 13, \"correlation\": 3, \"wait_on_stream\": 7,"
                                + " \"wait_on_cuda_event_record_corr_id\": 2")
                .call("cudaLaunchKernel", 20 * US, 2 * US, 4)
                .kernel("b", 57 * US, 33 * US, 4, 13)
                .call("cudaDeviceSynchronize", 40 * US, 55 * US, 5)
                .op("aten::item", 95 * US, 5 * US);
    }

    private static List<Table> tables(EventText events, String window, String... edits) {
        return tables(events, null, window, edits);
    }

    private static List<Table> tables(EventText events, String stepAnnotation, String window, String[] edits) {
        return new Dependencies(RULES, stepAnnotation, new ReportOptions.Paths(window, List.of(edits)))
                .run(new DerivedCache(TestTraces.of(events)))
                .tables();
    }

    private static Table table(List<Table> tables, String name) {
        return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }

    private static List<String> path(EventText events) {
        Table path = table(tables(events, "all"), "critical_path");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            rows.add(path.strings(path.schema().indexOf("class")).get(row) + " "
                    + path.strings(path.schema().indexOf("name")).get(row) + " "
                    + path.longs(path.schema().indexOf("duration us")).get(row) / US);
        }
        return rows;
    }

    @Test
    void whereTheHeapHasNoRoomForTheGraphItIsLeftOutAndSaid() {
        DerivedCache cache = new DerivedCache(TestTraces.of(twoStreams()));
        Dependencies dependencies = new Dependencies(RULES, null, new ReportOptions.Paths("all", List.of("host=x0")));
        assertThat(dependencies.run(cache, 1 << 20).notApplicable()).isNull();
        assertThat(cache.trace().diagnostics().hasLoss()).isFalse();

        Dependencies.Result left = dependencies.run(cache, 1_000);
        assertThat(left.notApplicable()).contains("needs a heap of").contains("LOCKSTEP_HEAP=1g");
        assertThat(left.tables()).isEmpty();
        assertThat(left.path()).isEmpty();
        assertThat(left.opportunities()).isEmpty();
        assertThat(cache.trace().diagnostics().hasLoss()).isTrue();
        assertThat(cache.trace().diagnostics().problems())
                .singleElement()
                .satisfies(entry -> assertThat(entry.code()).isEqualTo("no_room"));
    }

    /** Every edge leads from a vertex that stands before, whatever the numbers, and what waits in circles between equal times is cut. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void verticesStandBehindWhatTheyWaitFor(long seed) {
        Random random = new Random(seed);
        GraphBuilder builder = new GraphBuilder();
        int track = builder.track(new PathTrack(0, "stream 7", "0"));
        int n = 200;
        for (int v = 0; v < n; v++) {
            builder.vertex(random.nextInt(40), track, PathClass.COMPUTATION);
        }
        for (int e = 0; e < 3 * n; e++) {
            builder.edge(EdgeKind.STREAM, random.nextInt(n), random.nextInt(n), 0);
        }
        DependencyGraph graph = builder.build();
        int[] place = new int[n];
        for (int i = 0; i < n; i++) {
            place[graph.order[i]] = i;
        }
        assertThat(graph.order).doesNotHaveDuplicates();
        int edges = 0;
        for (int v = 0; v < n; v++) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                assertThat(place[graph.source[e]]).isLessThan(place[v]);
                edges++;
            }
        }
        assertThat(edges).isGreaterThan(n / 2);
        graph.proveIdentity();
    }

    @Test
    void thePathGoesBackThroughWaitsBetweenStreams() {
        assertThat(path(twoStreams()))
                .containsExactly(
                        "host aten::linear 10",
                        "launch_latency a 5",
                        "computation a 40",
                        "kernel_gap b 2",
                        "computation b 33",
                        "sync_latency cudaDeviceSynchronize 5",
                        "host aten::item 5");
    }

    @Test
    void withoutTheHostTheLongestStreamIsLeft() {
        // Stream 7 is busy for 60 us and ends before the short work of stream 13, which the host launches late.
        EventText events = new EventText()
                .op("aten::linear", 0, 100 * US)
                .call("cudaLaunchKernel", 10 * US, 2 * US, 1)
                .kernel("a", 15 * US, 60 * US, 1, 7)
                .call("cudaLaunchKernel", 90 * US, 2 * US, 2)
                .kernel("b", 96 * US, US, 2, 13);

        Table whatIf = table(tables(events, "all", "host=x0"), "what_if");

        assertThat(whatIf.longs(whatIf.schema().indexOf("after_us")).get(0)).isBetween(60 * US, 70 * US);
    }

    @Test
    void everyPieceSaysWhoseItIs() {
        Table path = table(tables(twoStreams(), "all"), "critical_path");

        assertThat(path.strings(path.schema().indexOf("op")).get(2)).isEqualTo("aten::linear");
        assertThat(path.strings(path.schema().indexOf("track")).get(2)).isEqualTo("stream 7");
        assertThat(path.strings(path.schema().indexOf("edge")).get(3)).isEqualTo("wait");
        assertThat(path.bools(path.schema().indexOf("inferred")).get(3)).isFalse();
    }

    @Test
    void gapsOfComputationAddUpToAllTimeWithoutIt() {
        Table gaps = table(tables(twoStreams(), null), "compute_gaps");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < gaps.rows(); row++) {
            rows.add(gaps.strings(gaps.schema().indexOf("cause")).get(row) + " "
                    + gaps.longs(gaps.schema().indexOf("time us")).get(row) / US);
        }

        // a is launched by 12 and starts at 15; b waits for a until 55 and starts at 57; nothing follows from 90 to 100
        assertThat(rows)
                .containsExactlyInAnyOrder(
                        "launch_starved 12", "launch_latency 3", "blocked_by_kernel 2", "launch_starved 10");
    }

    /** As where frames of all threads end with the recording. */
    @Test
    void ofThreadsThatEndTogetherTheSameIsWalkedWhateverTheOrderOfTheFile() {
        EventText events = new EventText()
                .complete("cpu_op", "one", "1", "11", 0, 100 * US, "")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "11", 10 * US, 2 * US, "\"correlation\": 1")
                .kernel("a", 15 * US, 10 * US, 1, 7)
                .complete("cpu_op", "two", "1", "12", 5 * US, 95 * US, "")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "12", 40 * US, 2 * US, "\"correlation\": 2")
                .kernel("b", 45 * US, 10 * US, 2, 7);
        EventText backwards = new EventText();
        events.events().reversed().forEach(backwards::raw);

        assertThat(path(events)).contains("host one 88").isEqualTo(path(backwards));
    }

    /** So does PyTorch 2.11 with CUDA 13: that a stream or the host waits is known, for what is not. */
    @Test
    void waitsThatNameNothingAreInferredLikeUnrecordedOnes() {
        EventText unnamed = new EventText();
        twoStreams().events().stream()
                .map(e -> e.replace("_corr_id\": 2", "_corr_id\": -1")
                        .replace("\"wait_on_stream\": 7", "\"wait_on_stream\": -1"))
                .forEach(unnamed::raw);
        theWaitOfTwoStreamsIsInferred(unnamed);
    }

    private static void theWaitOfTwoStreamsIsInferred(EventText events) {
        Dependencies.Result result = new Dependencies(RULES, null, new ReportOptions.Paths("all", List.of()))
                .run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.knowsWaits()).isFalse();
        assertThat(result.inferredEdges()).isEqualTo(1);
        assertThat(path(events)).contains("computation a 40", "kernel_gap b 2", "computation b 33");
    }

    /** The host waits for the kernel that it launched, as its time shows, whether the event's recording is named or not. */
    @ParameterizedTest
    @ValueSource(ints = {2, -1})
    void aWaitForAnEventIsNoWorkOfTheHost(int recorded) {
        EventText events = new EventText()
                .op("aten::linear", 0, 8 * US)
                .call("cudaLaunchKernel", 2 * US, 2 * US, 1)
                .kernel("a", 10 * US, 80 * US, 1, 7)
                .call("cudaEventRecordWithFlags", 5 * US, US, 2)
                .call("cudaEventSynchronize", 10 * US, 85 * US, 3)
                .complete(
                        "cuda_sync",
                        "Event Sync",
                        "0",
                        "1",
                        10 * US,
                        85 * US,
                        "\"stream\": -1, \"correlation\": 3, \"wait_on_stream\": " + (recorded < 0 ? -1 : 7)
                                + ", \"wait_on_cuda_event_record_corr_id\": " + recorded)
                .op("aten::add", 96 * US, 4 * US);

        assertThat(path(events)).contains("computation a 80").noneMatch(piece -> piece.startsWith("host cudaEvent"));
    }

    @Test
    void whatIsNotRecordedIsInferredAndSaidToBe() {
        EventText bare = new EventText();
        twoStreams().events().stream().filter(e -> !e.contains("cuda_sync")).forEach(bare::raw);
        theWaitOfTwoStreamsIsInferred(bare);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "host=x1 100 100",
                "kernel:a=x0.5 100 80",
                "kernel:?=x0.5 100 63.5",
                "kernel:c=x0 100 100",
                "op:aten::linear=x0 100 50",
                "class:computation=x2 100 173",
                "class:copy=x0 100 100",
                "host=x0 100 85",
                "host=x0.5;kernel:b=x0 100 59.5"
            })
    void otherDurationsGiveOtherLengths(String row) {
        String[] parts = row.split(" ");
        Table whatIf = table(tables(twoStreams(), null, parts[0]), "what_if");

        assertThat(whatIf.longs(whatIf.schema().indexOf("before_us")).get(0)).isEqualTo(ns(parts[1]));
        assertThat(whatIf.longs(whatIf.schema().indexOf("after_us")).get(0)).isEqualTo(ns(parts[2]));
    }

    /**
     * Three kernels on one stream, the last two close together, the third of which waits for nothing else. Times in us:
     *
     * <pre>
     * host  launches 0-2, 2-4, 4-6; synchronize 6-120
     * 7     a 5-45, b 50-70, c 72-112
     * </pre>
     */
    private static EventText threeInARow() {
        return new EventText()
                .launch("a", 0, 5 * US, 40 * US, 1, 7)
                .launch("b", 2 * US, 50 * US, 20 * US, 2, 7)
                .launch("c", 4 * US, 72 * US, 40 * US, 3, 7)
                .call("cudaDeviceSynchronize", 6 * US, 114 * US, 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fuse:b,c 118",
                "fuse:a,b,c 113",
                "fuse:?,? 115",
                "fuse:b,c=x0.5 88",
                "fuse:c,b 120",
                "fuse:a,c 120",
                "fuse:b,c;kernel:b=x0 58"
            })
    void fusedKernelsFollowWithoutGaps(String row) {
        String[] parts = row.split(" ");
        Table whatIf = table(tables(threeInARow(), null, parts[0]), "what_if");

        assertThat(whatIf.longs(whatIf.schema().indexOf("after_us")).get(0)).isEqualTo(ns(parts[1]));
    }

    @Test
    void kernelsThatWaitForAnotherStreamAreNotFused() {
        EventText events = twoStreams().kernel("c", 92 * US, 2 * US, 4, 13);
        Table whatIf = table(tables(events, null, "fuse:a,b"), "what_if");

        assertThat(whatIf.longs(whatIf.schema().indexOf("gain_us")).get(0)).isZero();
    }

    /** A product of two matrices of 4096 x 4096 in bf16: 2 * 4096^3 operations, 3 * 2 * 4096^2 bytes. */
    private static EventText product() {
        return new EventText()
                .op(
                        "aten::mm",
                        0,
                        20 * US,
                        "\"Input Dims\": [[4096, 4096], [4096, 4096]], \"Input type\": [\"c10::BFloat16\","
                                + " \"c10::BFloat16\"]")
                .launch("gemm", 2 * US, 10 * US, 1000 * US, 1, 7)
                .launch("add", 30 * US, 1012 * US, 100 * US, 2, 7)
                .call("cudaDeviceSynchronize", 40 * US, 1080 * US, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernel:gemm=roofline", "op:aten::mm=roofline", "class:computation=roofline"})
    void modelledKernelsMayTakeWhatGoodOnesTake(String edit) {
        List<Table> tables = tables(product(), null, edit);
        Table whatIf = table(tables, "what_if");
        long roofline =
                Math.round(2.0 * 4096 * 4096 * 4096 / Device.named("A100").flopsPerSecond("matrix_bf16") * 1e9 / 0.85);

        assertThat(whatIf.longs(whatIf.schema().indexOf("gain_us")).get(0)).isCloseTo(1000 * US - roofline, within(2L));
        Table opportunities = table(tables, "opportunities");
        assertThat(opportunities.strings(opportunities.schema().indexOf("edit")).get(0))
                .isEqualTo("op:aten::mm=roofline");
    }

    @Test
    void withoutRooflinesNothingIsSaidOfThem() {
        assertThatThrownBy(() -> tables(twoStreams(), null, "class:computation=roofline"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no roofline of a kernel is known");
    }

    private static long ns(String us) {
        return new BigDecimal(us).multiply(BigDecimal.valueOf(US)).longValueExact();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "=x1",
                "host=fast",
                "host:a=x1",
                "kernel:=x1",
                "class:idle=x0",
                "launch=x2",
                "fuse:a",
                "fuse:a,",
                "fuse:a,b=fast",
                "class:copy=roofline",
                "host=roofline",
                "rank:1=fast",
                "rank:a=x2",
                "class:late_peer=x2",
                "collective:all_reduce=fast",
                "collective:a:b:c=x1",
                "collective:all_reduce=bandwidth:3",
                "gpu=x1"
            })
    void whatCannotBeTriedIsRefusedWithWhatCan(String edit) {
        assertThatThrownBy(() -> tables(twoStreams(), null, edit))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot try '" + edit + "'");
    }

    @Test
    void aCallThatReturnsBeforeItsDeviceClockSaysSoStillWaited() {
        EventText skewed = new EventText()
                .launch("a", 0, 5 * US, 95 * US, 1, 7)
                .call("cudaDeviceSynchronize", 10 * US, 86 * US, 2)
                .op("aten::item", 96 * US, 8 * US);

        assertThat(path(skewed)).containsExactly("launch_latency a 5", "computation a 91", "host aten::item 8");
    }

    @Test
    void workOfAnotherThreadIsHandedOver() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10 * US, "\"Sequence number\": 3")
                .complete(
                        "cpu_op",
                        "autograd::engine::evaluate_function: MmBackward0",
                        "1",
                        "2",
                        15 * US,
                        30 * US,
                        "\"Sequence number\": 3")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "2", 40 * US, 2 * US, "\"correlation\": 1")
                .kernel("k", 46 * US, 4 * US, 1, 7)
                .op("aten::add", 47 * US, 13 * US);
        Table path = table(tables(events, "all", "host=x0"), "critical_path");

        List<String> edges = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            edges.add(path.strings(path.schema().indexOf("edge")).get(row));
        }
        assertThat(edges).containsSubsequence("thread", "hand_over", "thread", "hand_over", "thread");
        Table whatIf = table(tables(events, null, "host=x0"), "what_if");
        // what stays: 5 us until the other thread goes on, 6 until its kernel starts, and the kernel
        assertThat(whatIf.longs(whatIf.schema().indexOf("after_us")).get(0)).isEqualTo(15 * US);
    }

    /**
     * Four passes of 20 us, in steps of two; a pass launches a kernel 5 us after it began, which runs for 9 us. Marks of the
     * user bear numbers that stand in the profiler's, too, and an operator has the times of a step.
     */
    private static EventText passes() {
        EventText events = new EventText();
        for (int i = 0; i < 4; i++) {
            long at = i * 20L * US;
            if (i % 2 == 0) {
                events.annotation("block_1" + i, at, 40 * US)
                        .annotation("ProfilerStep#" + (10 + i / 2), at, 40 * US)
                        .annotation("outer", at + US, 39 * US)
                        .annotation("outer", at + 3 * US, 17 * US)
                        .annotation("epoch " + (7 + i), at + 2 * US, 38 * US);
            }
            events.annotation("forward", at + 4 * US, 16 * US)
                    .call("cudaLaunchKernel", at + 5 * US, US, i + 1)
                    .kernel("k" + i, at + 9 * US, 9 * US, i + 1, 7)
                    .call("cudaDeviceSynchronize", at + 8 * US, 11 * US, 100 + i);
        }
        return events;
    }

    private static List<String> windows(List<Table> tables) {
        Table path = table(tables, "critical_path");
        Map<String, long[]> bounds = new LinkedHashMap<>();
        for (int row = 0; row < path.rows(); row++) {
            long start = path.longs(path.schema().indexOf("start us")).get(row);
            long end = start + path.longs(path.schema().indexOf("duration us")).get(row);
            long[] window = bounds.computeIfAbsent(
                    path.strings(path.schema().indexOf("window")).get(row), name -> new long[] {start, start});
            assertThat(start).isEqualTo(window[1]);
            window[1] = end;
        }
        List<String> rows = new ArrayList<>();
        bounds.forEach((name, window) -> rows.add(name + " " + window[0] / US + "-" + window[1] / US));
        return rows;
    }

    @ParameterizedTest
    @CsvSource({
        "step, ProfilerStep#10 0-40 ProfilerStep#11 40-80",
        "ProfilerStep, ProfilerStep#10 0-40 ProfilerStep#11 40-80",
        "ProfilerStep#1, ProfilerStep#11 40-80",
        "epoch, epoch 7 2-40 epoch 9 42-80",
        "epoch#0, epoch 7 2-40",
        "forward, forward#0 4-20 forward#1 24-40 forward#2 44-60 forward#3 64-80",
        "forward#2, forward#2 44-60",
        "outer, outer#0 1-40 outer#1 3-20 outer#2 41-80 outer#3 43-60",
        "block, block_10 0-40 block_12 40-80",
        "all, all 0-80"
    })
    void pathsAreOfTheWindowsAskedFor(String window, String expected) {
        assertThat(String.join(" ", windows(tables(passes(), window)))).isEqualTo(expected);
    }

    @Test
    void aPathOfAnAnnotationHoldsWhatHeldItUp() {
        Table path = table(tables(passes(), "forward#2"), "critical_path");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            rows.add(path.strings(path.schema().indexOf("class")).get(row) + " "
                    + path.longs(path.schema().indexOf("duration us")).get(row) / US);
        }

        assertThat(rows).containsExactly("host 1", "launch_latency 4", "computation 9", "sync_latency 1", "host 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"backward", "forward#4", "ward"})
    void windowsThatTheTraceDoesNotHaveAreRefused(String window) {
        assertThatThrownBy(() -> tables(passes(), window))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(window);
    }

    @Test
    void gapsAreCutAtTheMarksThatTheUserNames() {
        Table gaps = table(tables(passes(), "forward", null, new String[0]), "compute_gaps");
        SortedMap<Long, Long> times = new TreeMap<>();
        for (int row = 0; row < gaps.rows(); row++) {
            LongColumn steps = gaps.longs(gaps.schema().indexOf("step"));
            times.merge(
                    steps.isMissing(row) ? -1 : steps.get(row),
                    gaps.longs(gaps.schema().indexOf("time us")).get(row) / US,
                    Long::sum);
        }

        // of every pass, 4 us lie before the mark, and in it 5 before its kernel and 2 after
        assertThat(times).isEqualTo(Map.of(-1L, 16L, 0L, 7L, 1L, 7L, 2L, 7L, 3L, 7L));
        assertThat(windows(tables(passes(), "forward", "step", new String[0])))
                .containsExactly("forward#0 4-20", "forward#1 24-40", "forward#2 44-60", "forward#3 64-80");
    }

    /** Random programs of a host and three streams, with waits, copies that block and synchronisations. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void piecesTileTheWindowAndReplaysGiveWhatWasRecorded(int seed) {
        Trace trace = TestTraces.of(program(new Random(seed)));
        Dependencies.Result result = new Dependencies(
                        RULES, null, new ReportOptions.Paths("all", List.of("host=x1", "class:computation=x1")))
                .run(new DerivedCache(trace));
        Table path = table(result.tables(), "critical_path");
        long at = path.longs(path.schema().indexOf("start us")).get(0);
        long start = at;
        for (int row = 0; row < path.rows(); row++) {
            assertThat(path.longs(path.schema().indexOf("start us")).get(row)).isEqualTo(at);
            at += path.longs(path.schema().indexOf("duration us")).get(row);
        }
        assertThat(at - start).isEqualTo(result.length());
        Table whatIf = table(result.tables(), "what_if");
        for (int row = 0; row < whatIf.rows(); row++) {
            assertThat(whatIf.longs(whatIf.schema().indexOf("gain_us")).get(row))
                    .isZero();
        }
        long gaps = 0;
        for (GapCause cause : GapCause.values()) {
            gaps += result.gapTime(cause);
        }
        assertThat(gaps).isEqualTo(result.length() - computing(trace));
    }

    /** Time in which a kernel ran, counted moment by moment. */
    private static long computing(Trace trace) {
        Slices slices = trace.slices();
        long reached = Long.MIN_VALUE;
        long time = 0;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.KERNEL) {
                time += Math.max(0, slices.end(i) - Math.max(reached, slices.ts(i)));
                reached = Math.max(reached, slices.end(i));
            }
        }
        return time;
    }

    private static EventText program(Random random) {
        EventText events = new EventText();
        long[] free = new long[3];
        long host = 0;
        for (int i = 1; i <= 200; i++) {
            host += random.nextInt(8) * US;
            long call = host;
            host += US + random.nextInt(3) * US;
            int stream = random.nextInt(3);
            long begin = Math.max(call + 4 * US, free[stream] + random.nextInt(2) * US);
            long length = random.nextInt(30) * US;
            free[stream] = begin + length;
            boolean copy = random.nextInt(5) == 0;
            if (copy && random.nextBoolean()) {
                host = Math.max(host, free[stream] + 2 * US);
            }
            events.call(copy ? "cudaMemcpyAsync" : "cudaLaunchKernel", call, host - call, i);
            events.device(
                    copy ? "gpu_memcpy" : "kernel", copy ? "Memcpy DtoH" : "k" + i % 7, begin, length, i, stream, "");
            if (random.nextInt(20) == 0) {
                long wait = host;
                for (long end : free) {
                    host = Math.max(host, end + 2 * US);
                }
                events.call("cudaDeviceSynchronize", wait, host - wait, 1000 + i);
            }
        }
        return events;
    }
}
