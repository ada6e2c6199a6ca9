// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.merge.MergedFiles;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.timeline.ChromeJsonWriter;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.timeline.perfetto.PerfettoWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What recorders write down of the edges inside of graphs, in each way that they do, decides the path. */
class RecordedEdgesTest {
    private static final long US = 1_000;

    /** One launch of a graph, as render stages. */
    private static final class Stages {
        private final Message trace = new Message();

        Stages() {
            Message texts = new Message();
            for (int i = 0; i < 2; i++) {
                texts.message(24, new Message().number(1, 1 + i).text(2, i == 0 ? "Kernel" : "Graph Event"));
            }
            for (int stream : new int[] {7, 13, 20}) {
                texts.message(24, new Message().number(1, 100 + stream).text(2, "stream " + stream));
            }
            packet(new Message().number(10, 1).number(13, 1).message(12, texts));
            packet(new Message()
                    .message(
                            60,
                            new Message()
                                    .number(1, 1)
                                    .message(3, new Message().number(1, 500).text(6, "python"))));
            packet(new Message()
                    .message(
                            60,
                            new Message()
                                    .number(1, 2)
                                    .number(5, 1)
                                    .message(
                                            4,
                                            new Message()
                                                    .number(1, 500)
                                                    .number(2, 500)
                                                    .text(5, "main"))));
            Message call = new Message()
                    .number(9, 1)
                    .number(11, 2)
                    .text(22, "cuda_runtime")
                    .text(23, "cudaGraphLaunch")
                    .message(4, new Message().text(10, "correlation").number(4, 1));
            packet(new Message().number(8, 0).number(10, 1).message(11, call));
            packet(new Message()
                    .number(8, 10 * US)
                    .number(10, 1)
                    .message(11, new Message().number(9, 2).number(11, 2)));
        }

        private void packet(Message packet) {
            trace.message(1, packet);
        }

        Stages node(int id, boolean kernel, String name, long ts, long duration, int stream, int... waits) {
            Message stage = new Message()
                    .number(1, id)
                    .number(2, duration)
                    .number(13, 100 + stream)
                    .number(14, kernel ? 1 : 2)
                    .text(17, name)
                    .message(6, new Message().text(1, "correlation").text(2, "1"));
            for (int wait : waits) {
                stage.number(18, wait);
            }
            packet(new Message().number(8, ts).number(10, 1).message(53, stage));
            return this;
        }

        /** A call on the thread that waits for some stages. */
        Stages call(String name, long ts, long duration, int... waits) {
            Message correlation = new Message();
            for (int wait : waits) {
                correlation.number(2, wait);
            }
            Message call = new Message()
                    .number(9, 1)
                    .number(11, 2)
                    .text(22, "cuda_runtime")
                    .text(23, name)
                    .message(3000, correlation);
            packet(new Message().number(8, ts).number(10, 1).message(11, call));
            packet(new Message()
                    .number(8, ts + duration)
                    .number(10, 1)
                    .message(11, new Message().number(9, 2).number(11, 2)));
            return this;
        }

        Trace read() throws IOException {
            return TestTraces.read(trace.toBytes(), 1, Keep.EVERYTHING);
        }
    }

    private static Dependencies.Result run(Trace trace, String... edits) {
        return new Dependencies(
                        WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100")),
                        null,
                        new ReportOptions.Paths("all", List.of(edits)))
                .run(new DerivedCache(trace));
    }

    private static Table table(Dependencies.Result result, String name) {
        return result.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long after(Trace trace, String edit) {
        Table whatIf = table(run(trace, edit), "what_if");
        return whatIf.longs(whatIf.schema().indexOf("after_us")).get(0);
    }

    private static List<String> path(Trace trace) {
        Table path = table(run(trace), "critical_path");
        List<String> names = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            names.add(path.strings(path.schema().indexOf("name")).get(row));
        }
        return names;
    }

    /** b and c follow a, d follows b; with the planted edge it follows c, which ends last, on another stream. */
    private static Stages graph(boolean planted) {
        Stages stages = new Stages()
                .node(1, true, "a", 15 * US, 100 * US, 7)
                .node(2, true, "b", 116 * US, 300 * US, 7, 1)
                .node(3, true, "c", 117 * US, 310 * US, 13, 1);
        return planted
                ? stages.node(4, true, "d", 430 * US, 100 * US, 20, 2, 3)
                : stages.node(4, true, "d", 430 * US, 100 * US, 20, 2);
    }

    @Test
    void aPlantedEdgeMovesThePath() throws IOException {
        assertThat(path(graph(true).read())).contains("a", "c", "d").doesNotContain("b");
        assertThat(path(graph(false).read())).contains("a", "b", "d").doesNotContain("c");
        assertThat(run(graph(true).read()).knowsEdgesOfGraphs()).isTrue();
        assertThat(after(graph(true).read(), "kernel:c=x0")).isEqualTo((416 + 3 + 100) * US);
        assertThat(after(graph(false).read(), "kernel:c=x0")).isEqualTo(530 * US);
    }

    /** A call of which nothing but its record says for what it waits: the shorter of two kernels, or the longer. */
    @Test
    void aCallGoesOnWithTheStageThatItNames() throws IOException {
        for (int named : new int[] {2, 3}) {
            Trace trace = graph(false)
                    .node(5, true, "later", 540 * US, 30 * US, 7)
                    .call("cuWaitSomehow", 20 * US, named == 2 ? 397 * US : 408 * US, named)
                    .read();
            for (Trace one : List.of(trace, MergedFiles.written(trace, new PerfettoWriter()))) {
                assertThat(hostWaits(one)).as("for stage %d", named).containsExactly(named == 2 ? "b" : "c");
            }
            assertThat(hostWaits(MergedFiles.written(trace, new ChromeJsonWriter())))
                    .containsExactly(named == 2 ? "b" : "c");
        }
    }

    /** What the calls of the host waited for that arrows lead to. */
    private static List<String> hostWaits(Trace trace) {
        DerivedCache cache = new DerivedCache(trace);
        DeviceActivity activity = cache.get(AnalysisRules.standard().activity());
        DeviceArrows arrows = new DeviceArrows(trace, activity);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            IntList waited = arrows.awaitedBy(i);
            if (waited != null) {
                for (int k = 0; k < waited.size(); k++) {
                    names.add(trace.name(activity.slice(waited.get(k))));
                }
            }
        }
        return names;
    }

    /** The same as JSON. */
    @Test
    void jsonAndStagesGiveTheSamePath() throws IOException {
        EventText events = new EventText()
                .call("cudaGraphLaunch", 0, 10 * US, 1)
                .kernel("a", 15 * US, 100 * US, 1, 7)
                .kernel("b", 116 * US, 300 * US, 1, 7)
                .kernel("c", 117 * US, 310 * US, 1, 13)
                .kernel("d", 430 * US, 100 * US, 1, 20);
        arrow(events, 1, 7, 115, 7, 116);
        arrow(events, 2, 7, 115, 13, 117);
        arrow(events, 3, 7, 416, 20, 430);
        arrow(events, 4, 13, 427, 20, 430);
        assertThat(path(TestTraces.of(events))).isEqualTo(path(graph(true).read()));
        assertThat(waits(TestTraces.of(events))).isEqualTo(waits(graph(true).read()));
    }

    private static void arrow(EventText events, long id, int from, long ts, int to, long start) {
        String end = "\"cat\": \"ac2g\", \"name\": \"ac2g\", \"pid\": 0, \"id\": " + ((1L << 40) + id);
        events.raw("{\"ph\": \"s\", " + end + ", \"tid\": " + from + ", \"ts\": " + ts + "}");
        events.raw("{\"ph\": \"f\", \"bp\": \"e\", " + end + ", \"tid\": " + to + ", \"ts\": " + start + "}");
    }

    /** Which activity waits for which, by their names. */
    private static SortedSet<String> waits(Trace trace) {
        DerivedCache cache = new DerivedCache(trace);
        DeviceActivity activity = cache.get(AnalysisRules.standard().activity());
        IntList waits = new DeviceArrows(trace, activity).waits;
        TreeSet<String> names = new TreeSet<>();
        for (int i = 0; i < waits.size(); i += 2) {
            names.add(trace.name(activity.slice(waits.get(i))) + " after "
                    + trace.name(activity.slice(waits.get(i + 1))));
        }
        return names;
    }

    /** A graph records an event behind a kernel and waits for it on another stream. */
    @Test
    void nodesThatMarkMomentsHandOnWhatTheyWaitFor() throws IOException {
        Trace trace = new Stages()
                .node(1, true, "a", 15 * US, 100 * US, 7)
                .node(2, false, "record", 115 * US, 0, 7, 1)
                .node(3, false, "wait", 116 * US, 0, 13, 2)
                .node(4, true, "b", 117 * US, 300 * US, 13, 3)
                .read();
        assertThat(waits(trace)).containsExactly("b after a");
    }

    /** Random graphs on three streams; kernels of a stream follow each other without a gap at times. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void mergesKeepWhatWaitsForWhat(long seed) throws IOException {
        Random random = new Random(seed);
        Stages stages = new Stages();
        TreeSet<String> planted = new TreeSet<>();
        long[] free = {20 * US, 20 * US, 20 * US};
        long[] ends = new long[40];
        for (int i = 0; i < ends.length; i++) {
            int stream = random.nextInt(3);
            int first = random.nextInt(i + 1);
            int second = random.nextInt(i + 1);
            long ts = Math.max(free[stream], Math.max(first < i ? ends[first] : 0, second < i ? ends[second] : 0));
            ts += random.nextBoolean() ? 0 : random.nextInt(9) * US;
            ends[i] = ts + 2 + random.nextInt(20_000);
            free[stream] = ends[i];
            int[] waits = first == i || second == i
                    ? new int[0]
                    : first == second ? new int[] {first + 1} : new int[] {first + 1, second + 1};
            for (int wait : waits) {
                planted.add("k" + (i + 1) + " after k" + wait);
            }
            stages.node(i + 1, true, "k" + (i + 1), ts, ends[i] - ts, new int[] {7, 13, 20}[stream], waits);
        }
        Trace trace = stages.read();
        assertThat(waits(trace)).isEqualTo(planted);
        for (TraceWriter writer : List.of(new ChromeJsonWriter(), new PerfettoWriter())) {
            assertThat(waits(MergedFiles.written(trace, writer)))
                    .as(writer.toString())
                    .isEqualTo(planted);
        }
    }
}
