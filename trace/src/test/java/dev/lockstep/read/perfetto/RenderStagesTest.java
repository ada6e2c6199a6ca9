// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.read.perfetto.PacketText.begin;
import static dev.lockstep.read.perfetto.PacketText.end;
import static dev.lockstep.read.perfetto.PacketText.event;
import static dev.lockstep.read.perfetto.PacketText.number;
import static dev.lockstep.read.perfetto.PacketText.process;
import static dev.lockstep.read.perfetto.PacketText.thread;
import static dev.lockstep.read.perfetto.StageText.extra;
import static dev.lockstep.read.perfetto.StageText.interned;
import static dev.lockstep.read.perfetto.StageText.named;
import static dev.lockstep.read.perfetto.StageText.packet;
import static dev.lockstep.read.perfetto.StageText.size;
import static dev.lockstep.read.perfetto.StageText.specifications;
import static dev.lockstep.read.perfetto.StageText.stage;
import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.CounterValues;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenderStagesTest {
    private static final long T = 1_754_300_000_000_000_000L;

    private static Trace read(PacketText packets) throws IOException {
        Trace trace = TestTraces.read(packets.toBytes());
        assertThat(trace.diagnostics().problems()).isEmpty();
        return trace;
    }

    /** Kind, name, start, duration, number of the launch, device and stream of each slice on a device. */
    private static List<String> work(Trace trace) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.slices().kind(i).isOnDevice()) {
                int row = details == null ? -1 : details.of(i);
                String line = trace.slices().kind(i) + " " + trace.name(i) + " "
                        + trace.slices().ts(i) + "+" + trace.slices().dur(i) + " #"
                        + trace.slices().correlation(i);
                lines.add(
                        details == null || row < 0
                                ? line
                                : line + " " + details.device(row) + "/" + details.stream(row) + " "
                                        + text(trace, details.grid(row)) + text(trace, details.block(row)) + " "
                                        + details.registers(row) + " " + details.sharedMemory(row) + " "
                                        + details.bytes(row));
            }
        }
        return lines;
    }

    private static String text(Trace trace, int id) {
        return id < 0 ? "-" : trace.strings().get(id);
    }

    @Test
    void aStageSaysAllThatPyTorchsProfilerSaysOfAKernel() throws IOException {
        Message data = specifications("[007] stream 7")
                .message(2, named(1, "gemm"))
                .message(23, new Message().number(1, 1).number(2, 4711))
                .message(1000, named(1, "_Z4gemm").text(3, "gemm(float*)"))
                .message(1001, named(1, "registers_per_thread"))
                .message(1001, named(2, "shared_mem_dynamic"));
        Message launch = new Message()
                .message(1, size(8, 16, 1))
                .message(2, size(128, 1, 1))
                .message(3, new Message().number(1, 1).number(4, 64))
                .message(3, new Message().number(1, 2).number(4, 2048))
                .message(3, new Message().text(2, "shared_mem_static").number(3, 1024));
        Message kernel =
                stage(1, 1, 1, 60).number(5, 1).number(20, 1).number(19, 1).message(21, launch);
        extra(extra(extra(kernel, "correlation", "12"), "graph id", "5"), "graph node id", "3");
        Message unnamed = extra(stage(2, 1, 1, 5).number(19, 1), "correlation", "13");
        Message copy = extra(extra(stage(3, 2, 1, 7), "bytes", "4096"), "correlation", "14");
        extra(extra(extra(copy, "copy kind", "DtoH"), "src kind", "device"), "dst kind", "pinned");
        Trace trace = read(new PacketText()
                .packet(interned(1, data))
                .packet(packet(T, kernel))
                .packet(packet(T + 100, unnamed))
                .packet(packet(T + 200, copy))
                .packet(packet(T + 300, extra(stage(4, 3, 1, 2), "correlation", "15")))
                .packet(packet(T - 5, stage(5, 4, 1, 500).text(17, "step")))
                .packet(packet(T + 350, extra(stage(6, 5, 1, 0), "correlation", "16")))
                .packet(packet(T + 360, extra(stage(7, 6, 1, 9), "correlation", "17"))));
        long t = T - trace.info().originNs();
        assertThat(work(trace))
                .containsExactly(
                        "DEVICE_ANNOTATION step " + (t - 5) + "+500 #-1",
                        "KERNEL gemm " + t + "+60 #12 0/7 [8, 16, 1][128, 1, 1] 64 3072 -1",
                        "KERNEL gemm(float*) " + (t + 100) + "+5 #13 0/7 -- -1 -1 -1",
                        "MEMCPY Memcpy DtoH (Device -> Pinned) " + (t + 200) + "+7 #14 0/7 -- -1 -1 4096",
                        "MEMSET Memset " + (t + 300) + "+2 #15 0/7 -- -1 -1 -1",
                        "DEVICE_SYNC Graph Event " + (t + 350) + "+0 #16",
                        "DEVICE_SYNC Host Node " + (t + 360) + "+9 #17");
        GraphDetails graphs = Objects.requireNonNull(trace.view(GraphDetails.KEY));
        assertThat(graphs.graph(graphs.of(slice(trace, "gemm")))).isEqualTo(5);
        assertThat(graphs.node(graphs.of(slice(trace, "gemm")))).isEqualTo(3);
        assertThat(trace.counts().byPhase()).isNotEmpty();
        assertThat(trace.diagnostics().observations()).noneMatch(o -> o.code().equals("foreign_packets"));
        assertThat(trace.tracks()
                        .get(trace.slices().track(slice(trace, "gemm")))
                        .threadName())
                .isEqualTo("[007] stream 7");
    }

    @Test
    void olderStagesNameTheirKindsByPlace() throws IOException {
        Message specs = new Message()
                .message(2, new Message().text(1, "Graphics"))
                .message(2, new Message().text(1, "Compute"))
                .message(3, new Message().text(1, "Kernel"))
                .message(3, new Message().text(1, "Memcpy"));
        Trace trace = read(new PacketText()
                .packet(packet(
                        1_000,
                        new Message()
                                .number(1, 9)
                                .number(2, 30)
                                .number(3, 1)
                                .number(4, 0)
                                .text(17, "k")
                                .message(7, specs)))
                .packet(packet(
                        2_000,
                        new Message().number(1, 10).number(2, 5).number(3, 0).number(4, 1))));
        assertThat(work(trace))
                .containsExactly("KERNEL k 1000+30 #9 0/1 -- -1 -1 -1", "MEMCPY Memcpy 2000+5 #10 0/0 -- -1 -1 -1");
    }

    /** Two queues that claim one number, and one without any. */
    @Test
    void eachQueueIsAStream() throws IOException {
        Trace trace = read(new PacketText()
                .packet(interned(1, specifications("stream 0007", "[7] other", "copies")))
                .packet(packet(1, stage(1, 1, 1, 5)))
                .packet(packet(2, stage(2, 1, 2, 5)))
                .packet(packet(3, stage(3, 1, 3, 5))));
        assertThat(work(trace).stream().map(line -> line.split(" ")[4])).containsExactly("0/7", "0/8", "0/103");
    }

    private static PacketText host() {
        return new PacketText().packet(process(1, 4711, "python")).packet(thread(2, 1, 4711, 4711, "main"));
    }

    /** Of a graph the launch names the root alone; its numbers are those of the launches of nobody else. */
    @Test
    void stagesBelongToTheCallThatSubmittedThem() throws IOException {
        Trace trace = read(host().packet(interned(1, specifications("stream 7")))
                .packet(event(10, 1, StageText.call(2, "cudaLaunchKernel", 21)))
                .packet(event(12, 1, end(2)))
                .packet(event(20, 1, StageText.call(2, "cudaGraphLaunch", 22).message(4, number("correlation", 500))))
                .packet(event(22, 1, end(2)))
                .packet(packet(100, stage(21, 1, 1, 5).text(17, "alone")))
                .packet(packet(110, stage(22, 1, 1, 5).text(17, "root")))
                .packet(packet(120, stage(23, 1, 1, 5).number(18, 22).text(17, "leaf")))
                .packet(packet(
                        130, stage(24, 1, 1, 5).bytes(18, new byte[] {22, 23}).text(17, "last"))));
        assertThat(trace.slices().correlation(slice(trace, "cudaLaunchKernel")))
                .isEqualTo(trace.slices().correlation(slice(trace, "alone")))
                .isEqualTo(21);
        for (String name : List.of("cudaGraphLaunch", "root", "leaf", "last")) {
            assertThat(trace.slices().correlation(slice(trace, name))).as(name).isEqualTo(500);
        }
        assertThat(arrows(trace))
                .containsExactlyInAnyOrder(
                        "s 21 10",
                        "f 21 100",
                        "s 500 20",
                        "f 500 110", // launches
                        "s wait0 115",
                        "f wait0 120",
                        "s wait1 115",
                        "f wait1 130",
                        "s wait2 125",
                        "f wait2 130");
    }

    private static List<String> arrows(Trace trace) {
        List<String> arrows = new ArrayList<>();
        for (int i = 0; i < trace.flows().size(); i++) {
            long id = trace.flows().id(i);
            arrows.add(trace.flows().phase(i) + " " + (id >= 1L << 40 ? "wait" + (id - (1L << 40)) : id) + " "
                    + trace.flows().ts(i));
            assertThat(trace.strings().get(trace.flows().category(i))).isEqualTo("ac2g");
        }
        return arrows;
    }

    @Test
    void callsOfOtherRecordersAreCallsWhateverTheirCategory() throws IOException {
        Message call = begin(2, "gpu_compute.api", "cuLaunchKernel")
                .message(3000, new Message().number(1, 9))
                .message(4, number("correlation_id", 9));
        Trace trace = read(host().packet(event(10, 1, call)).packet(event(12, 1, end(2))));
        assertThat(trace.slices().kind(0)).isEqualTo(SliceKind.DRIVER_CALL);
        assertThat(trace.slices().correlation(0)).isEqualTo(9);
    }

    /** The slice knows the whole time, the stage ends where the next one begins; what it waited for is kept. */
    @Test
    void workThatIsToldTwiceCountsOnce() throws IOException {
        PacketText packets = new PacketText()
                .packet(process(10, 0, "GPU 0"))
                .packet(thread(11, 10, 0, 7, "stream 7"))
                .packet(interned(1, specifications("stream 7")));
        for (int i = 0; i < 3; i++) {
            packets.packet(event(
                    100 + 10 * i, 1, begin(11, "kernel", "k" + i).message(4, number("correlation", i + 1))));
            packets.packet(event(100 + 10 * i + 9, 1, end(11)));
            Message twin = extra(stage(i + 1, 1, 1, i == 1 ? 4 : 9).text(17, "k" + i), "correlation", "" + (i + 1));
            packets.packet(packet(100 + 10 * i, i == 0 ? twin : twin.number(18, i)));
        }
        packets.packet(packet(300, extra(stage(4, 1, 1, 9).text(17, "other"), "correlation", "4")));
        Trace trace = read(packets);
        assertThat(work(trace).stream().map(line -> line.split(" #")[0]))
                .containsExactly("KERNEL k0 100+9", "KERNEL k1 110+9", "KERNEL k2 120+9", "KERNEL other 300+9");
        assertThat(trace.counts().device()).isEqualTo(4);
        assertThat(trace.diagnostics().observations()).anySatisfy(o -> {
            assertThat(o.code()).isEqualTo("recorded_twice");
            assertThat(o.count()).isEqualTo(3);
        });
        assertThat(arrows(trace)).containsExactly("s wait0 109", "f wait0 110", "s wait1 119", "f wait1 120");
    }

    @Test
    void slicesWithoutCategoriesAreToldByTheirArguments() throws IOException {
        Message kernel = new Message().number(9, 1).number(11, 11).text(23, "gemm");
        for (String name : List.of("device", "stream", "correlation")) {
            kernel.message(4, number(name, 3));
        }
        Message copy = new Message().number(9, 1).number(11, 11).text(23, "Memcpy HtoD (Pinned -> Device)");
        for (String name : List.of("device", "stream", "correlation")) {
            copy.message(4, number(name, 4));
        }
        PacketText packets = host().packet(process(10, 0, "GPU 0")).packet(thread(11, 10, 0, 7, "stream 7"));
        List<Message> all = List.of(
                new Message().number(9, 1).number(11, 2).text(23, "ProfilerStep#4"),
                new Message().number(9, 1).number(11, 2).text(23, "aten::mm").message(4, number("External id", 5)),
                new Message()
                        .number(9, 1)
                        .number(11, 2)
                        .text(23, "cudaLaunchKernel")
                        .message(4, number("correlation", 3)),
                new Message()
                        .number(9, 1)
                        .number(11, 2)
                        .text(23, "cuLaunchKernel")
                        .message(4, number("correlation", 6)),
                new Message().number(9, 1).number(11, 2).text(23, "somewhere"),
                kernel,
                copy);
        for (int i = 0; i < all.size(); i++) {
            packets.packet(event(10L * i, 1, all.get(i)));
            packets.packet(event(10L * i + 5, 1, end(i < 5 ? 2 : 11)));
        }
        Trace trace = read(packets);
        List<SliceKind> kinds = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            kinds.add(trace.slices().kind(i));
        }
        assertThat(kinds)
                .containsExactly(
                        SliceKind.ANNOTATION,
                        SliceKind.CPU_OP,
                        SliceKind.RUNTIME_CALL,
                        SliceKind.DRIVER_CALL,
                        SliceKind.HOST_OTHER,
                        SliceKind.KERNEL,
                        SliceKind.MEMCPY);
    }

    @Test
    void countersAndNamesOfGpusAreRead() throws IOException {
        Message specs = new Message()
                .message(1, new Message().number(1, 0).text(2, "Power (W)"))
                .message(1, new Message().number(1, 1).text(2, "SM Clock (MHz)"));
        Message first = new Message()
                .message(2, new Message().number(1, 0).fraction(3, 512.5))
                .message(2, new Message().number(1, 1).number(2, 1980))
                .number(3, 1)
                .number(4, 7);
        Message inline = new Message()
                .message(1, new Message().message(1, new Message().number(1, 3).text(2, "Fan")))
                .message(2, new Message().number(1, 3).number(2, 30));
        Trace trace = read(new PacketText()
                .packet(new Message()
                        .message(
                                128,
                                new Message()
                                        .message(
                                                1, new Message().text(1, "H200").text(3, "x"))))
                .packet(interned(
                        1,
                        specifications("stream 7")
                                .message(47, new Message().number(1, 7).message(2, specs))))
                .packet(new Message().number(8, 50).number(10, 1).message(52, first))
                .packet(new Message().number(8, 60).number(10, 1).message(52, inline))
                .packet(packet(70, stage(1, 1, 1, 2).text(17, "k"))));
        CounterValues values = Objects.requireNonNull(trace.view(CounterValues.KEY));
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < trace.marks().size(); i++) {
            seen.add(trace.tracks().get(trace.marks().track(i)).process() + " "
                    + trace.strings().get(trace.marks().name(i)) + " "
                    + trace.marks().ts(i) + " "
                    + trace.strings().get(values.values(i)));
        }
        assertThat(seen)
                .containsExactly(
                        "GPU 1 Counters Power (W) 50 {\"\": 512.5}",
                        "GPU 1 Counters SM Clock (MHz) 50 {\"\": 1980}",
                        "GPU 0 Counters Fan 60 {\"\": 30}");
        assertThat(trace.info().devices()).containsExactly(new TraceInfo.Device(0, "H200"));
    }

    /** All begins of a kind, then all its ends; ranges that touch, nest, begin together or take no time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void endsBehindAllBeginsOfAKindCloseTheirOwn(long seed) throws IOException {
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>();
        PacketText packets = host();
        for (String kind : List.of("cpu_op", "user_annotation")) {
            List<long[]> slices = new ArrayList<>();
            nested(random, 0, 400, 4, slices);
            for (int i = 0; i < slices.size(); i++) {
                packets.packet(event(slices.get(i)[0], 1, begin(2, kind, kind + i)));
                expected.add(kind + i + " " + slices.get(i)[0] + "+" + (slices.get(i)[1] - slices.get(i)[0]));
            }
            for (long[] slice : slices) {
                packets.packet(event(slice[1], 1, end(2)));
            }
        }
        Trace trace = read(packets);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            found.add(trace.name(i) + " " + trace.slices().ts(i) + "+"
                    + trace.slices().dur(i));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void nested(Random random, long from, long to, int depth, List<long[]> into) {
        long at = from;
        while (depth > 0 && at <= to) {
            long end = Math.min(to, at + random.nextInt((int) (to - from) + 1));
            into.add(new long[] {at, end});
            nested(random, at, end, random.nextInt(depth), into);
            at = end + (random.nextBoolean() ? 0 : 1 + random.nextInt(9));
            if (at == end && at == to) {
                return;
            }
        }
    }

    /** The same facts as JSON of PyTorch's profiler and as render stages. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void stagesAndJsonOfTheSameWorkAreEqual(long seed) throws IOException {
        Random random = new Random(seed);
        EventText json = new EventText();
        List<Message> packets = new ArrayList<>();
        long ts = 1_000_000;
        for (int i = 1; i <= 200; i++) {
            int stream = random.nextBoolean() ? 7 : 20;
            int kind = 1 + random.nextInt(3);
            long duration = 1L + random.nextInt(5_000);
            ts += random.nextInt(6_000);
            String args = "\"device\": 0, \"stream\": " + stream + ", \"correlation\": " + i;
            Message stage = extra(stage(i, kind, stream == 7 ? 1 : 2, duration), "correlation", String.valueOf(i));
            String name = kind == 2 ? "Memcpy HtoD (Pageable -> Device)" : kind == 3 ? "Memset" : "kernel" + i % 5;
            if (kind == 1) {
                long x = 1L + random.nextInt(99);
                args += ", \"grid\": [" + x + ", 2, 1], \"block\": [64, 1, 1], \"registers per thread\": " + x;
                Message registers =
                        new Message().text(2, "registers_per_thread").number(4, x);
                stage.text(17, name)
                        .message(
                                21,
                                new Message()
                                        .message(1, size(x, 2, 1))
                                        .message(2, size(64, 1, 1))
                                        .message(3, registers));
            } else {
                long bytes = random.nextInt(1 << 20) + 1L;
                args += ", \"bytes\": " + bytes;
                extra(stage, "bytes", String.valueOf(bytes));
            }
            if (kind == 2) {
                extra(extra(extra(stage, "copy kind", "HtoD"), "src kind", "pageable"), "dst kind", "device");
            }
            String category = kind == 1 ? "kernel" : kind == 2 ? "gpu_memcpy" : "gpu_memset";
            json.complete(category, name, "0", String.valueOf(stream), ts, duration, args);
            packets.add(packet(ts, stage));
        }
        Collections.shuffle(packets, random);
        PacketText stages = new PacketText().packet(interned(1, specifications("[007] stream 7", "[020] stream 20")));
        packets.forEach(stages::packet);
        assertThat(work(read(stages))).isEqualTo(work(TestTraces.of(json)));
    }
}
