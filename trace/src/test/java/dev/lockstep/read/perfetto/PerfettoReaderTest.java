// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.read.perfetto.PacketText.begin;
import static dev.lockstep.read.perfetto.PacketText.descriptor;
import static dev.lockstep.read.perfetto.PacketText.end;
import static dev.lockstep.read.perfetto.PacketText.event;
import static dev.lockstep.read.perfetto.PacketText.named;
import static dev.lockstep.read.perfetto.PacketText.number;
import static dev.lockstep.read.perfetto.PacketText.process;
import static dev.lockstep.read.perfetto.PacketText.string;
import static dev.lockstep.read.perfetto.PacketText.thread;
import static dev.lockstep.testkit.TestTraces.slice;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.Packing;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class PerfettoReaderTest extends TraceReaderContract {
    @Override
    protected TraceReader reader() {
        return new PerfettoReader();
    }

    @Override
    protected List<Sample> samples() {
        PacketText plain = sdk();
        return List.of(
                new Sample("sdk", plain.toBytes(), plain.eventEnds()),
                new Sample("packed", plain.packed(), new int[0]),
                new Sample("rocprof", rocprof().toBytes(), new int[0]),
                new Sample("stages", stages().toBytes(), new int[0]));
    }

    /** What GPUs say of themselves, in the newer way and in the older one. */
    private static PacketText stages() {
        Message data = StageText.specifications("[007] stream 7", "copies")
                .message(23, new Message().number(1, 1).number(2, 42))
                .message(1000, StageText.named(1, "k").text(3, "k()"))
                .message(1001, StageText.named(1, "registers_per_thread"))
                .message(
                        47,
                        new Message().number(1, 1).message(2, new Message().message(1, StageText.named(3, "Power"))));
        Message launch = new Message()
                .message(1, StageText.size(1, 2, 3))
                .message(2, StageText.size(64, 1, 1))
                .message(3, new Message().number(1, 1).number(3, 32));
        Message older = new Message()
                .number(2, 3)
                .number(4, 0)
                .message(
                        7,
                        new Message()
                                .message(2, new Message().text(1, "q"))
                                .message(3, new Message().text(1, "Kernel")));
        return new PacketText()
                .packet(process(10, 42, "python"))
                .packet(thread(20, 10, 42, 43, "main"))
                .packet(StageText.interned(1, data))
                .packet(event(900, 1, StageText.call(20, "cudaLaunchKernel", 1, 2)))
                .packet(event(910, 1, end(20)))
                .packet(StageText.packet(
                        1_000,
                        StageText.extra(
                                        StageText.stage(1, 1, 1, 50)
                                                .number(19, 1)
                                                .number(5, 1),
                                        "correlation",
                                        "9")
                                .message(21, launch)))
                .packet(StageText.packet(
                        1_060, StageText.extra(StageText.stage(2, 2, 2, 10).number(18, 1), "bytes", "4096")))
                .packet(StageText.packet(2_000, older))
                .packet(new Message()
                        .number(8, 1_010)
                        .number(10, 1)
                        .message(
                                52,
                                new Message()
                                        .number(4, 1)
                                        .message(2, new Message().number(1, 3).fraction(3, 0.5))))
                .packet(new Message().message(128, new Message().message(1, new Message().text(1, "H200"))));
    }

    /** What a program writes with Perfetto's SDK: texts and clocks of a sequence, defaults, all types of events. */
    private static PacketText sdk() {
        Message clocks = new Message()
                .message(1, new Message().number(1, 6).number(2, 1_000_000))
                .message(
                        1,
                        new Message().number(1, 64).number(2, 500).number(3, 1).number(4, 1000));
        Message defaults = new Message().number(58, 64).message(11, new Message().number(11, 20));
        Message texts = new Message()
                .message(1, new Message().number(1, 1).text(2, "cpu_op"))
                .message(2, new Message().number(1, 1).text(2, "aten::mm"))
                .message(3, new Message().number(1, 1).text(2, "External id"))
                .message(3, new Message().number(1, 2).text(2, "Input Dims"))
                .message(29, new Message().number(1, 7).text(2, "[[2,3], [3,4]]"));
        Message mm = new Message()
                .number(3, 1)
                .number(10, 1)
                .number(9, 1)
                .fixed(47, 99)
                .message(4, new Message().number(1, 1).number(4, 5))
                .message(4, new Message().number(1, 2).number(17, 7));
        Message kernel = begin(30, "kernel", "gemm")
                .fixed(48, 99)
                .message(4, number("correlation", 12))
                .message(4, number("stream", 7))
                .message(4, number("device", 0))
                .message(
                        4,
                        new Message()
                                .text(10, "grid")
                                .message(12, new Message().number(4, 1))
                                .message(12, new Message().number(4, 2)));
        return new PacketText()
                .packet(new Message()
                        .number(10, 1)
                        .number(13, 1)
                        .message(59, defaults)
                        .message(6, clocks))
                .packet(process(10, 42, "python"))
                .packet(thread(20, 10, 42, 43, "main"))
                .packet(thread(30, 10, 42, 44, "stream 7"))
                .packet(descriptor(new Message()
                        .number(1, 40)
                        .number(5, 10)
                        .text(2, "power")
                        .message(8, new Message())))
                .packet(new Message()
                        .number(8, 1)
                        .number(13, 2)
                        .message(12, texts)
                        .message(11, mm)
                        .number(10, 1))
                .event(event(9, 1, new Message().number(9, 2)))
                .packet(event(1_020_000, 2, kernel))
                .event(event(1_030_001, 2, end(30)))
                .event(event(
                        1_040_000, 2, new Message().number(9, 3).number(11, 20).text(23, "mark")))
                .event(event(
                        1_050_000, 2, new Message().number(9, 4).number(11, 40).fraction(44, 1.5)));
    }

    /** What rocprofv3 writes: tracks without processes, whose names say what they are. */
    private static PacketText rocprof() {
        return new PacketText()
                .packet(named(1, 0, "THREAD 1 (4711)"))
                .packet(named(2, 0, "COMPUTE AGENT [4] STREAM [2] (GPU)"))
                .packet(named(3, 0, "COPY to AGENT [4] STREAM [2] (GPU)"))
                .packet(event(
                        100,
                        1,
                        begin(1, "hip_api", "hipLaunchKernel").fixed(47, 8).message(4, number("corr_id", 8))))
                .packet(event(200, 1, end(1)))
                .packet(event(110, 1, begin(1, "hsa_api", "hsa_signal_store").message(4, number("corr_id", 9))))
                .packet(event(120, 1, end(1)))
                .packet(event(
                        300,
                        1,
                        begin(2, "kernel_dispatch", "saxpy")
                                .fixed(47, 8)
                                .message(4, number("corr_id", 8))
                                .message(4, string("agent", "Agent-4"))))
                .packet(event(400, 1, end(2)))
                .packet(event(
                        500,
                        1,
                        begin(3, "memory_copy", "MEMORY_COPY_HOST_TO_DEVICE").message(4, number("copy_bytes", 4096))))
                .packet(event(550, 1, end(3)));
    }

    /** A file may end between two packets without a trace of it. */
    @Override
    protected boolean sound(byte[] content, int cut) {
        int at = 0;
        while (at < cut) {
            int length = 0;
            int shift = 0;
            at++;
            do {
                length |= (content[at] & 0x7F) << shift;
                shift += 7;
            } while (content[at++] < 0);
            at += length;
        }
        return at != cut;
    }

    private Trace readOne(PacketText packets) throws IOException {
        return readOne(packets.toBytes());
    }

    private Trace readOne(byte[] content) throws IOException {
        List<Trace> traces = read(content, 1);
        assertThat(traces).hasSize(1);
        return traces.getFirst();
    }

    private static List<String> codes(List<Diagnostics.Entry> entries) {
        return entries.stream().map(Diagnostics.Entry::code).toList();
    }

    @Test
    void textsClocksAndDefaultsBelongToTheirSequence() throws IOException {
        Trace trace = readOne(sdk());
        assertThat(TraceDump.slices(trace))
                .containsExactly(
                        "slice 1001000+9000 CPU_OP 'aten::mm' cat cpu_op on 42/43(python,null,main) corr -1 ext 5 #0"
                                + " op [[2, 3], [3, 4]]|-|-|-|-|seq -1",
                        "slice 1020000+10001 KERNEL 'gemm' cat kernel on 42/44(python,null,stream 7) corr 12 ext -1 #1"
                                + " device 0/7 [1, 2]- -1 -1 -1");
        assertThat(trace.flows().size()).isEqualTo(2);
        assertThat(trace.flows().phase(0)).isEqualTo('s');
        assertThat(trace.flows().phase(1)).isEqualTo('f');
        assertThat(trace.strings().get(trace.flows().category(0))).isEqualTo("ac2g");
        assertThat(trace.marks().size()).isEqualTo(2);
        assertThat(trace.marks().phase(1)).isEqualTo('C');
        assertThat(trace.strings().get(trace.marks().name(1))).isEqualTo("power");
    }

    @Test
    void packedPacketsSayTheSame() throws IOException {
        assertThat(TraceDump.of(readOne(sdk().packed()))).isEqualTo(TraceDump.of(readOne(sdk())));
    }

    @Test
    void rocprofTracksAreThreadsAndStreams() throws IOException {
        Trace trace = readOne(rocprof());
        int kernel = slice(trace, "saxpy");
        assertThat(trace.slices().kind(kernel)).isEqualTo(SliceKind.KERNEL);
        assertThat(trace.slices().correlation(kernel)).isEqualTo(8);
        DeviceDetails device = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        assertThat(device.device(device.of(kernel))).isEqualTo(4);
        assertThat(device.stream(device.of(kernel))).isEqualTo(2);
        int copy = slice(trace, "MEMORY_COPY_HOST_TO_DEVICE");
        assertThat(trace.slices().kind(copy)).isEqualTo(SliceKind.MEMCPY);
        assertThat(device.bytes(device.of(copy))).isEqualTo(4096);
        int launch = slice(trace, "hipLaunchKernel");
        assertThat(trace.slices().kind(launch)).isEqualTo(SliceKind.RUNTIME_CALL);
        assertThat(trace.slices().dur(launch)).isEqualTo(100);
        assertThat(trace.slices().dur(slice(trace, "hsa_signal_store"))).isEqualTo(10);
        assertThat(trace.tracks().get(trace.slices().track(launch)).thread()).isEqualTo("4711");
        assertThat(trace.flows().size()).isEqualTo(2);
    }

    @Test
    void tracksMayBeDescribedBehindTheirEvents() throws IOException {
        Trace trace = readOne(new PacketText()
                .packet(event(1, 1, begin(2, "kernel", "a")))
                .packet(event(2, 1, end(2)))
                .packet(thread(2, 1, 5, 6, "late"))
                .packet(process(1, 5, "program")));
        assertThat(TraceDump.slices(trace).getFirst()).contains("on 5/6(program,null,late)");
    }

    @Test
    void whatIsForgottenIsNoLongerKnown() throws IOException {
        Message texts = new Message().message(2, new Message().number(1, 1).text(2, "first"));
        Trace trace = readOne(new PacketText()
                .packet(new Message()
                        .number(8, 1)
                        .number(10, 1)
                        .message(12, texts)
                        .message(11, new Message().number(9, 3).number(10, 1)))
                .packet(new Message().number(10, 1).number(13, 1))
                .packet(event(2, 1, new Message().number(9, 3).number(10, 1))));
        assertThat(TestTraces.name(trace, -1)).isEqualTo("-");
        assertThat(trace.strings().get(trace.marks().name(0))).isEqualTo("first");
        assertThat(trace.strings().get(trace.marks().name(1))).isEmpty();
        assertThat(codes(trace.diagnostics().problems())).containsExactly("state_missing");
    }

    @Test
    void eventsOfAClockThatTheirSequenceDoesNotHaveAreLeftOut() throws IOException {
        Trace trace = readOne(kernel(1_000, "k")
                .packet(event(7, 1, begin(2, "kernel", "when")).number(58, 64))
                .packet(event(9, 1, end(2)).number(58, 64)));
        assertThat(times(trace)).containsExactly("k 1000+5");
        assertThat(trace.diagnostics().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("state_missing");
            assertThat(problem.count()).isEqualTo(2);
        });
    }

    @Test
    void aDurationOfMicrosecondsThatDoesNotFitIsNone() throws IOException {
        long wraps = Long.divideUnsigned(-1, 1000) + 1; // times 1000 it is less than a microsecond beyond 2^64
        Trace trace = readOne(kernel(1_000, "k")
                .packet(event(
                        900,
                        1,
                        new Message()
                                .number(11, 2)
                                .text(22, "kernel")
                                .text(23, "long")
                                .message(6, new Message().number(2, 'X').number(3, wraps)))));
        assertThat(times(trace)).containsExactly("k 1000+5");
        assertThat(codes(trace.diagnostics().observations())).contains("unknown_event");
    }

    @Test
    void memoryWithoutAWholeNumberOfBytesIsNone() throws IOException {
        PacketText text = kernel(1_000, "k");
        for (Message bytes : List.of(number("Bytes", -512), PacketText.string("Bytes", "many"))) {
            Message instant = new Message().number(9, 3).number(11, 2).text(23, MemoryDetails.MARK);
            text.packet(event(1_001, 1, instant.message(4, bytes)));
        }
        Trace trace = readOne(text);
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));
        assertThat(memory.size()).isEqualTo(1);
        assertThat(memory.bytes(0)).isEqualTo(-512);
    }

    @Test
    void countersOfDifferencesBeginAnewWhenAllIsForgotten() throws IOException {
        Message counter = new Message().number(5, 1);
        PacketText text = new PacketText()
                .packet(descriptor(new Message().number(1, 40).text(2, "time").message(8, counter)));
        for (int i = 0; i < 4; i++) {
            if (i == 2) {
                text.packet(new Message().number(10, 1).number(13, 1));
            }
            text.packet(
                    event(i + 1, 1, new Message().number(9, 4).number(11, 40).number(30, 7)));
        }
        Trace trace = TestTraces.read(text.toBytes(), 1, ReadOptions.Keep.EVERYTHING);
        RecordedTexts.Cursor recorded =
                Objects.requireNonNull(trace.recorded()).marks().cursor();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            assertThat(recorded.move(i)).isTrue();
            values.add(
                    new String(recorded.bytes, recorded.arguments, recorded.argumentsEnd - recorded.arguments, UTF_8));
        }
        assertThat(values).containsExactly("\"value\":7", "\"value\":14", "\"value\":7", "\"value\":14");
    }

    @Test
    void packetsInZstdAreReadAndTheirDamageIsALoss() throws IOException {
        byte[] inner = new PacketText()
                .packet(event(1, 1, begin(2, "kernel", "k")))
                .packet(event(5, 1, end(2)))
                .toBytes();
        byte[] packed = Packing.ZSTD.pack(inner);
        Trace trace = readOne(new PacketText().packet(new Message().bytes(133, packed)));
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.diagnostics().problems()).isEmpty();

        Trace cut = readOne(new PacketText()
                .packet(event(1, 1, begin(2, "kernel", "k")))
                .packet(event(5, 1, end(2)))
                .packet(new Message().bytes(133, Arrays.copyOf(packed, packed.length - 3))));
        assertThat(codes(cut.diagnostics().problems())).contains("damaged_packet");
    }

    @Test
    void eventsOfOlderWritersAreRead() throws IOException {
        Message legacy = new Message().number(2, 'X').number(3, 5);
        Trace trace = readOne(new PacketText()
                .packet(event(
                        1000,
                        1,
                        new Message()
                                .number(11, 2)
                                .text(22, "kernel")
                                .text(23, "k")
                                .message(6, legacy)))
                .packet(event(1, 1, new Message().message(6, new Message().number(2, 'b')))));
        assertThat(trace.slices().dur(slice(trace, "k"))).isEqualTo(5000);
        assertThat(codes(trace.diagnostics().observations())).contains("unknown_event");
    }

    @Test
    void structuredArgumentsBecomeText() throws IOException {
        Message nested = new Message()
                .text(10, "Input type")
                .message(12, new Message().text(6, "a \"b\""))
                .message(
                        12,
                        new Message()
                                .message(11, new Message().text(10, "k").fraction(5, 0.5))
                                .message(11, new Message().text(10, "l").number(2, 1)));
        Message older = new Message()
                .text(10, "Concrete Inputs")
                .message(
                        8,
                        new Message()
                                .number(1, 2)
                                .message(4, new Message().number(5, 3))
                                .message(4, new Message().text(2, "k").message(3, new Message().text(8, "v"))));
        Message json = new Message().text(10, "Input Strides").text(9, "[[1,\n 2]]");
        Trace trace = readOne(new PacketText()
                .packet(event(
                        1,
                        1,
                        begin(2, "cpu_op", "op")
                                .message(4, nested)
                                .message(4, older)
                                .message(4, json)))
                .packet(event(2, 1, end(2))));
        OpDetails ops = Objects.requireNonNull(trace.view(OpDetails.KEY));
        assertThat(trace.strings().get(ops.inputTypes(0))).isEqualTo("[\"a \\\"b\\\"\", {\"k\": 0.5, \"l\": true}]");
        assertThat(trace.strings().get(ops.concreteInputs(0))).isEqualTo("[3, {\"k\": \"v\"}]");
        assertThat(trace.strings().get(ops.inputStrides(0))).isEqualTo("[[1, 2]]");
    }

    @Test
    void otherPacketsAreCountedByKind() throws IOException {
        Trace trace = readOne(new PacketText()
                .packet(new Message().message(1, new Message().number(1, 0)))
                .packet(new Message().message(1, new Message().number(1, 1)))
                .packet(new Message().message(66, new Message()))
                .packet(event(1, 1, begin(2, "kernel", "k")))
                .packet(event(2, 1, end(2))));
        assertThat(trace.diagnostics().problems()).isEmpty();
        Diagnostics.Entry foreign = trace.diagnostics().observations().stream()
                .filter(e -> e.code().equals("foreign_packets"))
                .findFirst()
                .orElseThrow();
        assertThat(foreign.count()).isEqualTo(3);
        assertThat(foreign.message()).contains("2 x ftrace_events", "1 x perf_sample");
    }

    @Test
    void damageCostsOnePacket() throws IOException {
        Message broken = new Message().bytes(11, new byte[] {(byte) 0x48, (byte) 0xFF, (byte) 0xFF});
        Trace trace = readOne(new PacketText()
                .packet(new Message().number(8, 5).message(60, new Message()).number(10, 1))
                .packet(new Message().number(8, 5).number(10, 1).bytes(11, Arrays.copyOf(broken.toBytes(), 3)))
                .packet(event(1, 1, begin(2, "kernel", "k")))
                .packet(event(2, 1, end(2))));
        assertThat(codes(trace.diagnostics().problems())).containsExactly("damaged_packet");
        assertThat(trace.slices().size()).isEqualTo(1);
    }

    @Test
    void slicesWithoutAnEndAreLeftOutAndCounted() throws IOException {
        Trace trace = readOne(
                new PacketText().packet(event(1, 1, begin(2, "kernel", "k"))).packet(event(2, 1, end(3))));
        assertThat(trace.slices().size()).isZero();
        assertThat(trace.marks().size()).isZero();
        assertThat(trace.diagnostics().observations())
                .filteredOn(e -> e.code().equals("unpaired_edges"))
                .singleElement()
                .satisfies(e -> assertThat(e.count()).isEqualTo(2));
    }

    @Test
    void slicesWithoutAnEndAreBeginsWhereEverythingIsKept() throws IOException {
        PacketText text = new PacketText()
                .packet(event(1, 1, begin(2, "kernel", "k").message(4, number("stream", 7))))
                .packet(event(3, 1, begin(2, "kernel", "inner")))
                .packet(event(4, 1, end(2)));
        Trace trace = TestTraces.read(text.toBytes(), 1, ReadOptions.Keep.EVERYTHING);
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.marks().size()).isEqualTo(1);
        assertThat(trace.marks().phase(0)).isEqualTo('B');
        RecordedTexts.Cursor recorded =
                Objects.requireNonNull(trace.recorded()).marks().cursor();
        assertThat(recorded.move(0)).isTrue();
        assertThat(new String(recorded.bytes, recorded.arguments, recorded.argumentsEnd - recorded.arguments, UTF_8))
                .isEqualTo("\"stream\":7");
    }

    @Test
    void whatComesBeforeDamageInsideAPackedPacketIsRead() throws IOException {
        PacketText many = new PacketText();
        for (int i = 0; i < 2000; i++) {
            many.packet(event(10L * i, 1, begin(2, "kernel", "k" + i % 7 * i))).packet(event(10L * i + 5, 1, end(2)));
        }
        byte[] packed = many.packed();
        for (int i = 0; i < 40; i++) {
            packed[packed.length / 2 + i] = (byte) 0xFF;
        }
        Trace trace = readOne(packed);
        assertThat(codes(trace.diagnostics().problems())).contains("damaged_packet");
        assertThat(trace.slices().size()).isBetween(900, 1100);
    }

    @Test
    void argumentsAreKeptAsTheyWere() throws IOException {
        Message texts = new Message()
                .message(3, new Message().number(1, 1).text(2, "a \"key\""))
                .message(29, new Message().number(1, 7).text(2, "[1, 2]").number(9900, 1))
                .message(29, new Message().number(1, 8).text(2, "[1, 2]"))
                .message(29, new Message().number(1, 9).text(2, "[1, oops").number(9900, 1))
                .message(29, new Message().number(1, 200).text(2, "x".repeat(500)));
        Message begin = begin(2, "kernel", "k")
                .message(4, new Message().number(1, 1).number(17, 7))
                .message(4, new Message().text(10, "text").number(17, 8))
                .message(4, new Message().text(10, "damaged").number(17, 9))
                .message(4, new Message().text(10, "long").number(17, 200))
                .message(4, number("zero", 0))
                .message(4, number("largest", 999_999_999_999_999_999L))
                .message(4, number("larger", 1_000_000_000_000_000_000L))
                .message(4, number("negative", -5))
                .message(4, new Message().text(10, "unsigned").number(3, -1))
                .message(4, new Message().text(10, "fraction").fraction(5, 0.5))
                .message(4, new Message().text(10, "true").number(2, 1))
                .message(4, new Message().text(10, "nothing"))
                .message(4, new Message().text(10, "json").text(9, "{\"k\": 1"));
        PacketText text = new PacketText()
                .packet(new Message().number(8, 0).number(10, 1).message(12, texts))
                .packet(event(1, 1, begin))
                .packet(event(2, 1, end(2)))
                .packet(event(3, 1, begin))
                .packet(event(4, 1, end(2)));
        Trace trace = TestTraces.read(text.toBytes(), 1, ReadOptions.Keep.RECORDING);
        RecordedTexts.Cursor recorded =
                Objects.requireNonNull(trace.recorded()).slices().cursor();
        for (int slice = 0; slice < 2; slice++) {
            assertThat(recorded.move(slice)).isTrue();
            assertThat(new String(
                            recorded.bytes, recorded.arguments, recorded.argumentsEnd - recorded.arguments, UTF_8))
                    .isEqualTo("\"a \\\"key\\\"\":[1, 2],\"text\":\"[1, 2]\",\"damaged\":\"[1, oops\",\"long\":\""
                            + "x".repeat(500)
                            + "\",\"zero\":0,\"largest\":999999999999999999,\"larger\":1000000000000000000"
                            + ",\"negative\":-5,\"unsigned\":18446744073709551615,\"fraction\":0.5,\"true\":true"
                            + ",\"nothing\":null,\"json\":\"{\\\"k\\\": 1\"");
        }
    }

    @Test
    void packedPacketsInsidePackedPacketsAreALoss() throws IOException {
        PacketText inner = new PacketText().packet(kernel(1, "inner").packed(new Deflater()));
        byte[] twice = kernel(10, "outer").packet(inner.packed(new Deflater())).toBytes();
        Trace trace = readOne(twice);
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.diagnostics().hasLoss()).isTrue();
        assertThat(codes(trace.diagnostics().problems())).containsExactly("damaged_packet");
    }

    @Test
    void packedPacketsThatNeedADictionaryAreALoss() throws IOException {
        Deflater packer = new Deflater();
        packer.setDictionary("hello".getBytes(UTF_8));
        Trace trace = readOne(kernel(10, "outer").packet(kernel(1, "inner").packed(packer)));
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(codes(trace.diagnostics().problems())).containsExactly("damaged_packet");
    }

    @Test
    void whatPackedPacketsUnpackToHasALimitThatGrowsWithTheFile(@TempDir Path folder) throws IOException {
        Message nothing = new PacketText()
                .packet(new Message().bytes(9000, new byte[1 << 20]))
                .packed(new Deflater());
        byte[] content = kernel(1, "k").packed(new Deflater()).toBytes();
        Path file = Files.write(folder.resolve("small"), new byte[3000]);
        FileState state = new FileState(TraceInput.of(file), ReadOptions.sequential());
        PacketReader reader = new PacketReader(state, 1 << 20);
        reader.read(content, 0, content.length, 0);
        for (int i = 0; i < 8; i++) {
            reader.read(nothing.toBytes(), 0, nothing.toBytes().length, 0);
        }
        reader.read(content, 0, content.length, 0);
        Trace trace = state.traces("perfetto", new Diagnostics()).getFirst();
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.diagnostics().problems()).singleElement().satisfies(e -> {
            assertThat(e.code()).isEqualTo("unpacked_too_large");
            assertThat(e.count()).isEqualTo(6);
        });
    }

    private static PacketText kernel(long from, String name) {
        return new PacketText().packet(event(from, 1, begin(2, "kernel", name))).packet(event(from + 5, 1, end(2)));
    }

    @Test
    void clocksAreJoinedByTheFirstSnapshotThatHasBoth() throws IOException {
        Trace trace = readOne(new PacketText()
                .packet(event(1_600, 1, begin(2, "kernel", "early")).number(58, 3))
                .packet(PacketText.clocks(3, 1_000, 5, 2_000))
                .packet(event(2_620, 1, end(2)).number(58, 5))
                .packet(event(1_630, 1, new Message().number(9, 3).number(11, 2))
                        .number(58, 3))
                .packet(PacketText.clocks(6, 9_000, 3, 1_500))
                .packet(PacketText.clocks(6, 9_999, 3, 1_500))
                .packet(event(9_200, 1, begin(2, "kernel", "own")))
                .packet(event(2_800, 1, end(2)).number(58, 5)));
        assertThat(times(trace)).containsExactly("early 9100+20", "own 9200+100");
        assertThat(trace.marks().ts(0)).isEqualTo(9_130);
    }

    @Test
    void clocksOfASequenceFollowTheOneTheyWereTakenBy() throws IOException {
        Trace trace = readOne(new PacketText()
                .packet(PacketText.clocks(3, 1_000, 64, 100))
                .packet(event(200, 1, begin(2, "kernel", "k")).number(58, 64))
                .packet(PacketText.clocks(3, 1_500, 6, 9_000))
                .packet(event(250, 1, end(2)).number(58, 64)));
        assertThat(times(trace)).containsExactly("k 8600+50");
    }

    @Test
    void clocksThatNothingJoinsStayAsTheyAre() throws IOException {
        Trace trace = readOne(new PacketText()
                .packet(event(200, 1, begin(2, "kernel", "k")).number(58, 3))
                .packet(event(250, 1, end(2)).number(58, 3)));
        assertThat(times(trace)).containsExactly("k 200+50");
    }

    private static List<String> times(Trace trace) {
        List<String> times = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            times.add(TestTraces.name(trace, i) + " " + trace.slices().ts(i) + "+"
                    + trace.slices().dur(i));
        }
        return times;
    }

    @Test
    void devicesAndCountersOfTracksThatAreDescribedLaterAreTheSame() throws IOException {
        List<Message> tracks = List.of(
                named(2, 0, "COMPUTE AGENT [4] STREAM [2] (GPU)"),
                descriptor(new Message()
                        .number(1, 40)
                        .text(2, "mem")
                        .message(8, new Message().number(4, 1024).number(5, 1))));
        List<Message> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Message kernel = begin(2, "kernel_dispatch", "k").message(4, number("copy_bytes", 7));
            events.add(event(100L * i, 1, i == 2 ? kernel.message(4, number("stream", 9)) : kernel));
            events.add(event(100L * i + 50, 1, end(2)));
            events.add(event(
                    100L * i + 60,
                    1,
                    new Message().number(9, 4).number(11, 40).number(30, 10).message(4, string("unit", "B"))));
        }
        events.add(6, new Message().number(10, 1).number(13, 1));
        assertThat(dump(events, tracks)).isEqualTo(dump(tracks, events));
        assertThat(dump(events, tracks))
                .contains("20480")
                .contains("device 4/2")
                .contains("device 4/9");
    }

    private static String dump(List<Message> first, List<Message> second) throws IOException {
        PacketText text = new PacketText();
        first.forEach(text::packet);
        second.forEach(text::packet);
        Trace trace = TestTraces.read(text.toBytes(), 1, ReadOptions.Keep.EVERYTHING);
        RecordedTexts.Cursor recorded =
                Objects.requireNonNull(trace.recorded()).marks().cursor();
        StringBuilder marks = new StringBuilder();
        for (int i = 0; i < trace.marks().size(); i++) {
            assertThat(recorded.move(i)).isTrue();
            marks.append(trace.strings().get(trace.marks().name(i)))
                    .append(new String(
                            recorded.bytes, recorded.arguments, recorded.argumentsEnd - recorded.arguments, UTF_8));
        }
        return TraceDump.of(trace) + marks;
    }

    @Test
    void olderEventsMayBeOfAnotherThread() throws IOException {
        Message other = new Message().number(18, 77).number(19, 79);
        Trace trace = readOne(new PacketText()
                .packet(thread(2, 1, 10, 11, "main"))
                .packet(older(20_000, 'B', 0, other))
                .packet(older(21_000, 'B', 2, new Message()))
                .packet(older(22_000, 'E', 0, other))
                .packet(older(23_000, 'B', 0, new Message().number(18, 10).number(19, 11)))
                .packet(older(24_000, 'E', 2, new Message()))
                .packet(older(25_000, 'E', 2, other)));
        assertThat(times(trace)).containsExactly("B0 20000+2000", "B2 21000+4000", "B0 23000+1000");
        assertThat(TraceDump.slices(trace).getFirst()).contains(" on 77/79(");
        assertThat(TraceDump.slices(trace).getLast()).contains(" on 10/11(null,null,main)");
    }

    private static Message older(long time, char phase, long track, Message legacy) {
        Message event = new Message().text(22, "cpu_op").text(23, phase + "" + track);
        return event(time, 1, (track == 0 ? event : event.number(11, track)).message(6, legacy.number(2, phase)));
    }

    @Test
    void aTrackFarBelowAThreadIsOfTheThread() throws IOException {
        PacketText text = new PacketText().packet(thread(2, 0, 10, 11, "main"));
        for (int i = 0; i < 200; i++) {
            text.packet(named(100 + i, i == 0 ? 2 : 99 + i, "level " + i));
        }
        text.packet(named(500, 501, "a")).packet(named(501, 500, "b"));
        Trace trace = readOne(text.packet(event(1, 1, begin(299, "cpu_op", "deep")))
                .packet(event(2, 1, end(299)))
                .packet(event(3, 1, begin(500, "cpu_op", "round")))
                .packet(event(4, 1, end(500))));
        assertThat(TraceDump.slices(trace).getFirst()).contains(" on 10/11/level 199(");
        assertThat(TraceDump.slices(trace).getLast()).contains(" on /a(");
    }

    @Test
    void arrowsOfTheCriticalPathTakeNoOtherAway() throws IOException {
        long path = 0x7FFFL << 48 | 1;
        Trace trace = readOne(new PacketText()
                .packet(PacketText.facts(1, "{\"rank\": 0, \"rank_from\": \"TRACE\", \"arrows\": [\"ac2g\"]}"))
                .packet(event(1, 1, begin(2, "cuda_runtime", "launch").fixed(47, 5)))
                .packet(event(2, 1, end(2)))
                .packet(event(3, 1, begin(3, "kernel", "k").fixed(47, 5).fixed(47, path)))
                .packet(event(4, 1, end(3)))
                .packet(event(5, 1, begin(3, "kernel", "next").fixed(47, path)))
                .packet(event(6, 1, end(3))));
        assertThat(trace.flows().size()).isEqualTo(2);
    }

    @Test
    void aRankThatSeveralPartsOfAFileClaimIsNotBelieved() throws IOException {
        PacketText text = new PacketText();
        int[] claimed = {2, 1, 2};
        for (int i = 0; i < claimed.length; i++) {
            text.packet(PacketText.facts(i + 1, "{\"rank\": " + claimed[i] + ", \"rank_from\": \"TRACE\"}"))
                    .packet(event(1, i + 1, begin(2, "kernel", "k" + i)))
                    .packet(event(2, i + 1, end(2)));
        }
        List<Trace> traces = read(text.toBytes(), 1);
        assertThat(traces).extracting(t -> t.info().rank().index()).containsExactly(0, 1, 2);
        assertThat(traces).extracting(t -> TestTraces.name(t, 0)).containsExactly("k0", "k1", "k2");
        assertThat(codes(traces.getFirst().diagnostics().observations())).contains("no_rank");
        assertThat(codes(traces.get(1).diagnostics().observations())).doesNotContain("no_rank");
    }

    @Test
    void aJsonFileThatBeginsWithALineEndIsNoneOfOurs() {
        byte[] text =
                ("\n{\"traceEvents\": [" + " ".repeat(300) + "]}").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(new PerfettoReader().recognises(text)).isFalse();
    }
}
